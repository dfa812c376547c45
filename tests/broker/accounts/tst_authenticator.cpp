// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/authenticator.h"
#include "accounts/nkey.h"
#include "accounts/password.h"
#include "base/base64.h"

#include <QTest>

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

using namespace jetglass;
using accounts::Authenticator;
using accounts::Credentials;
using accounts::KeyKind;

namespace {

constexpr const char* kBcrypt =
    "$2a$04$abcdefghijklmnopqrstuu35fBIWlNgF8BcAW/t2cO158N8svSFHy"; // of "s3cr3t"

/// An Ed25519 key made from a fixed seed, as a user's client holds it.
class UserKey
{
public:
    UserKey()
    {
        std::array<unsigned char, 32> seed{};
        seed.fill(7);
        m_key.reset(
            EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
        std::array<unsigned char, 32> bytes{};
        std::size_t size = bytes.size();
        EVP_PKEY_get_raw_public_key(m_key.get(), bytes.data(), &size);
        m_public.assign(reinterpret_cast<const char*>(bytes.data()), size);
    }
    [[nodiscard]] std::string text() const
    {
        return accounts::encodePublicKey(KeyKind::User, m_public);
    }
    [[nodiscard]] std::string sign(std::string_view message) const
    {
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
            EVP_MD_CTX_new(), &EVP_MD_CTX_free);
        std::array<unsigned char, 64> signature{};
        std::size_t size = signature.size();
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, m_key.get());
        EVP_DigestSign(context.get(),
            signature.data(),
            &size,
            reinterpret_cast<const unsigned char*>(message.data()),
            message.size());
        return base::base64({reinterpret_cast<const char*>(signature.data()), size});
    }

private:
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> m_key{nullptr, &EVP_PKEY_free};
    std::string m_public;
};

Credentials password(const char* user, const char* pass)
{
    Credentials credentials;
    credentials.user = user;
    credentials.password = pass;
    return credentials;
}

UserConfig user(const char* name, const char* pass, const char* account = "")
{
    UserConfig config;
    config.user = name;
    config.password = pass;
    config.account = account;
    return config;
}

} // namespace

class TestAuthenticator : public QObject
{
    Q_OBJECT
private slots:
    void withoutConfigurationEverybodyIsGlobal();
    void token();
    void singleUser();
    void users_data();
    void users();
    void bcrypt();
    void nkey();
    void nkeyText();
    void noAuthUser();
    void certificateUsers();
    void onlySystemUsersLetOthersIn();
    void defaultPermissions();
};

void TestAuthenticator::withoutConfigurationEverybodyIsGlobal()
{
    const Authenticator authenticator{AuthConfig{}};
    QVERIFY(!authenticator.required());
    QVERIFY(!authenticator.announced());
    const auto identity = authenticator.authenticate(password("x", "y"), {});
    QVERIFY(identity.has_value());
    QCOMPARE(identity->account, std::string("$G"));
    QVERIFY(identity->user.empty());
}

void TestAuthenticator::token()
{
    AuthConfig config;
    config.token = "t0ken";
    const Authenticator authenticator(config);
    QVERIFY(authenticator.announced());
    Credentials credentials;
    QVERIFY(!authenticator.authenticate(credentials, {}));
    credentials.token = "t0ke";
    QVERIFY(!authenticator.authenticate(credentials, {}));
    credentials.token = "t0ken";
    QVERIFY(authenticator.authenticate(credentials, {}).has_value());
}

void TestAuthenticator::singleUser()
{
    AuthConfig config;
    config.user = "ivan";
    config.password = "x";
    const Authenticator authenticator(config);
    QVERIFY(authenticator.authenticate(password("ivan", "x"), {}).has_value());
    QVERIFY(!authenticator.authenticate(password("ivan", "y"), {}));
    QVERIFY(!authenticator.authenticate(password("oleg", "x"), {}));
    QVERIFY(!authenticator.authenticate({}, {}));
}

void TestAuthenticator::users_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("pass");
    QTest::addColumn<QByteArray>("account");
    QTest::newRow("global") << QByteArray("a") << QByteArray("pa") << QByteArray("$G");
    QTest::newRow("of an account") << QByteArray("b") << QByteArray("pb") << QByteArray("B");
    QTest::newRow("wrong password") << QByteArray("a") << QByteArray("pb") << QByteArray();
    QTest::newRow("unknown") << QByteArray("c") << QByteArray("pa") << QByteArray();
    QTest::newRow("empty password") << QByteArray("a") << QByteArray() << QByteArray();
}

void TestAuthenticator::users()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, pass);
    QFETCH(QByteArray, account);
    AuthConfig config;
    config.users = {user("a", "pa"), user("b", "pb", "B")};
    const auto identity =
        Authenticator(config).authenticate(password(name.constData(), pass.constData()), {});
    QCOMPARE(identity.has_value(), !account.isEmpty());
    if (identity)
        QCOMPARE(QByteArray::fromStdString(identity->account), account);
}

void TestAuthenticator::bcrypt()
{
    QVERIFY(accounts::isBcrypt(kBcrypt));
    QVERIFY(!accounts::isBcrypt("$2a$"));
    QVERIFY(!accounts::isBcrypt("$2c$10$abc"));
    AuthConfig config;
    config.users = {user("a", kBcrypt), user("b", "plain")};
    const Authenticator authenticator(config);
    QVERIFY(authenticator.slow(password("a", "s3cr3t")));
    QVERIFY(!authenticator.slow(password("b", "plain")));
    QVERIFY(authenticator.authenticate(password("a", "s3cr3t"), {}).has_value());
    QVERIFY(!authenticator.authenticate(password("a", "s3cr3"), {}));
    // The stored text itself is no password.
    QVERIFY(!authenticator.authenticate(password("a", kBcrypt), {}));
    Credentials withNul = password("a", "");
    withNul.password = std::string("s3cr3t\0x", 8);
    QVERIFY(!authenticator.authenticate(withNul, {}));
}

void TestAuthenticator::nkey()
{
    const UserKey key;
    AuthConfig config;
    UserConfig keyUser;
    keyUser.nkey = key.text();
    config.users = {keyUser};
    const Authenticator authenticator(config);
    QVERIFY(authenticator.needsNonce());
    Credentials credentials;
    credentials.nkey = key.text();
    credentials.signature = key.sign("the-nonce");
    QVERIFY(authenticator.authenticate(credentials, "the-nonce").has_value());
    QVERIFY(!authenticator.authenticate(credentials, "another-nonce"));
    QVERIFY(!authenticator.authenticate(credentials, {}));
    // base64url without padding, as the Go client sends it
    std::string url = credentials.signature;
    std::replace(url.begin(), url.end(), '+', '-');
    std::replace(url.begin(), url.end(), '/', '_');
    url.erase(url.find_last_not_of('=') + 1);
    credentials.signature = url;
    QVERIFY(authenticator.authenticate(credentials, "the-nonce").has_value());
    credentials.signature = "not base64!";
    QVERIFY(!authenticator.authenticate(credentials, "the-nonce"));
}

void TestAuthenticator::nkeyText()
{
    // A well-known key of the NATS documentation.
    const std::string text = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";
    const auto bytes = accounts::parsePublicKey(KeyKind::User, text);
    QVERIFY(bytes.has_value());
    QCOMPARE(accounts::encodePublicKey(KeyKind::User, *bytes), text);
    std::string damaged = text;
    damaged[20] = damaged[20] == 'A' ? 'B' : 'A';
    QVERIFY(!accounts::parsePublicKey(KeyKind::User, damaged));
    QVERIFY(!accounts::parsePublicKey(KeyKind::Server, text));
    QVERIFY(!accounts::parsePublicKey(KeyKind::User, text.substr(1)));
    const std::string id = accounts::newServerId();
    QCOMPARE(id.size(), std::size_t{56});
    QCOMPARE(id[0], 'N');
    QVERIFY(accounts::parsePublicKey(KeyKind::Server, id).has_value());
}

void TestAuthenticator::noAuthUser()
{
    AuthConfig config;
    config.users = {user("a", "pa", "A")};
    config.noAuthUser = "a";
    const Authenticator authenticator(config);
    QVERIFY(authenticator.required());
    QVERIFY(!authenticator.announced());
    const auto identity = authenticator.authenticate({}, {});
    QVERIFY(identity.has_value());
    QCOMPARE(identity->account, std::string("A"));
    QVERIFY(!authenticator.authenticate(password("a", "wrong"), {}));
}

/// A user without a password whom a certificate may name on another listener comes in no other way.
void TestAuthenticator::certificateUsers()
{
    AuthConfig config;
    config.users = {user("CN=a", ""), user("b", "")};
    config.users[1].connectionTypes = {"STANDARD"};
    QVERIFY(Authenticator(config).authenticate(password("CN=a", ""), {}));
    config.certificateTypes = {"WEBSOCKET"};
    const Authenticator authenticator(config);
    QVERIFY(!authenticator.authenticate(password("CN=a", ""), {}));
    QVERIFY(authenticator.authenticate(password("b", ""), {})); // no certificate names it there
    Credentials shown;
    shown.mapsCertificate = true;
    shown.certificateNames = {"b", "CN=a"};
    shown.connectionType = "WEBSOCKET";
    const auto identity = authenticator.authenticate(shown, {});
    QVERIFY(identity.has_value());
    QCOMPARE(identity->user, std::string("CN=a"));
}

void TestAuthenticator::onlySystemUsersLetOthersIn()
{
    AuthConfig config;
    config.users = {user("admin", "x", "$SYS")};
    const Authenticator authenticator(config);
    QVERIFY(authenticator.announced());
    const auto anonymous = authenticator.authenticate({}, {});
    QVERIFY(anonymous.has_value());
    QCOMPARE(anonymous->account, std::string("$G"));
    QVERIFY(!authenticator.authenticate(password("admin", "y"), {}));
    config.users.push_back(user("b", "x"));
    QVERIFY(!Authenticator(config).authenticate({}, {}));
}

void TestAuthenticator::defaultPermissions()
{
    AuthConfig config;
    config.defaultPermissions.emplace();
    config.defaultPermissions->publishDeny = {"x"};
    config.users = {user("a", "pa"), user("b", "pb")};
    config.users[1].permissions.emplace();
    config.users[1].permissions->publishDeny = {"y"};
    const Authenticator authenticator(config);
    const auto withDefaults = authenticator.authenticate(password("a", "pa"), {});
    QCOMPARE(withDefaults->permissions->publishDeny, std::vector<std::string>{"x"});
    const auto withOwn = authenticator.authenticate(password("b", "pb"), {});
    QCOMPARE(withOwn->permissions->publishDeny, std::vector<std::string>{"y"});
}

QTEST_GUILESS_MAIN(TestAuthenticator)
#include "tst_authenticator.moc"
