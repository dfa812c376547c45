// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/authenticator.h"

#include "accounts/nkey.h"
#include "accounts/password.h"

#include <algorithm>
#include <utility>

namespace jetglass::accounts {

namespace {

constexpr const char* kGlobalAccount = "$G";

bool saysNothing(const Credentials& credentials)
{
    return credentials.user.empty() && credentials.password.empty() && credentials.token.empty()
        && credentials.nkey.empty() && credentials.jwt.empty();
}

bool contains(const std::vector<std::string>& all, std::string_view one)
{
    return std::find(all.begin(), all.end(), one) != all.end();
}

bool mayCome(const UserConfig& user, const Credentials& credentials)
{
    return user.connectionTypes.empty()
        || contains(user.connectionTypes, credentials.connectionType);
}

} // namespace

Authenticator::Authenticator(AuthConfig config)
    : m_config(std::move(config))
{
}

bool Authenticator::required() const
{
    return m_config.required();
}

bool Authenticator::required(const ListenerAuth& listener) const
{
    return required() || listener.overrides();
}

bool Authenticator::announced() const
{
    return required() && m_config.noAuthUser.empty();
}

bool Authenticator::needsNonce() const
{
    return std::any_of(m_config.users.begin(), m_config.users.end(), [](const UserConfig& u) {
        return !u.nkey.empty();
    });
}

const UserConfig* Authenticator::findUser(std::string_view name) const
{
    const auto found = std::find_if(m_config.users.begin(),
        m_config.users.end(),
        [name](const UserConfig& u) { return u.nkey.empty() && u.user == name; });
    return found == m_config.users.end() ? nullptr : &*found;
}

const UserConfig* Authenticator::findNkey(std::string_view key) const
{
    const auto found = std::find_if(m_config.users.begin(),
        m_config.users.end(),
        [key](const UserConfig& u) { return !u.nkey.empty() && u.nkey == key; });
    return found == m_config.users.end() ? nullptr : &*found;
}

bool Authenticator::onlySystemUsers() const
{
    return m_config.token.empty() && m_config.user.empty() && !m_config.users.empty()
        && std::all_of(m_config.users.begin(), m_config.users.end(), [this](const UserConfig& u) {
               return u.account == m_config.systemAccount;
           });
}

bool Authenticator::slow(const Credentials& credentials) const
{
    if (!credentials.nkey.empty())
        return false;
    if (!m_config.users.empty() && !credentials.user.empty()) {
        const UserConfig* user = findUser(credentials.user);
        return user != nullptr && isBcrypt(user->password);
    }
    const ListenerAuth& own = credentials.listener;
    return own.overrides() ? isBcrypt(own.token) || isBcrypt(own.password)
                           : isBcrypt(m_config.token) || isBcrypt(m_config.password);
}

Identity Authenticator::identityOf(const UserConfig& user) const
{
    Identity identity;
    identity.account = user.account.empty() ? kGlobalAccount : user.account;
    identity.user = user.nkey.empty() ? user.user : user.nkey;
    identity.permissions = user.permissions ? user.permissions : m_config.defaultPermissions;
    return identity;
}

/// A user without a password who may come with a certificate that names it, and without comes not.
bool Authenticator::needsCertificate(const UserConfig& user) const
{
    return user.password.empty()
        && std::any_of(m_config.certificateTypes.begin(),
            m_config.certificateTypes.end(),
            [&user](const std::string& type) {
                return user.connectionTypes.empty() || contains(user.connectionTypes, type);
            });
}

std::optional<Identity> Authenticator::ofCertificate(const Credentials& credentials) const
{
    for (const std::string& name : credentials.certificateNames) {
        const UserConfig* user = findUser(name);
        if (user != nullptr && mayCome(*user, credentials))
            return identityOf(*user);
    }
    return std::nullopt;
}

std::optional<Identity> Authenticator::unnamed(const Credentials& credentials) const
{
    const ListenerAuth& own = credentials.listener;
    const std::string& name = own.overrides() ? own.noAuthUser : m_config.noAuthUser;
    if (!name.empty()) {
        const UserConfig* user = findUser(name);
        if (user == nullptr)
            user = findNkey(name);
        if (user != nullptr)
            return mayCome(*user, credentials) ? std::optional(identityOf(*user)) : std::nullopt;
        if (name == m_config.user)
            return Identity{kGlobalAccount, m_config.user, std::nullopt};
    }
    // Configurations that only name users of the system account leave everybody else as they were.
    if (!own.overrides() && onlySystemUsers())
        return Identity{};
    return std::nullopt;
}

std::optional<Identity> Authenticator::ofNkey(
    const Credentials& credentials, std::string_view nonce) const
{
    const UserConfig* user = findNkey(credentials.nkey);
    const auto key = parsePublicKey(KeyKind::User, credentials.nkey);
    if (user == nullptr || !key || nonce.empty() || !mayCome(*user, credentials)
        || !verifySignature(*key, nonce, credentials.signature))
        return std::nullopt;
    return identityOf(*user);
}

std::optional<Identity> Authenticator::ofUser(const Credentials& credentials) const
{
    const UserConfig* user = findUser(credentials.user);
    if (user == nullptr || !mayCome(*user, credentials) || needsCertificate(*user)
        || !passwordMatches(user->password, credentials.password))
        return std::nullopt;
    return identityOf(*user);
}

std::optional<Identity> Authenticator::authenticate(
    const Credentials& credentials, std::string_view nonce) const
{
    const ListenerAuth& own = credentials.listener;
    if (!required(own))
        return Identity{};
    if (credentials.mapsCertificate)
        return ofCertificate(credentials);
    if (saysNothing(credentials)) {
        if (auto identity = unnamed(credentials))
            return identity;
    }
    if (!credentials.nkey.empty())
        return ofNkey(credentials, nonce);
    if (!m_config.users.empty() && !credentials.user.empty())
        return ofUser(credentials);
    const std::string& token = own.overrides() ? own.token : m_config.token;
    const std::string& user = own.overrides() ? own.user : m_config.user;
    const std::string& password = own.overrides() ? own.password : m_config.password;
    if (!token.empty()) {
        if (passwordMatches(token, credentials.token))
            return Identity{};
        return std::nullopt;
    }
    if (!user.empty() && user == credentials.user
        && passwordMatches(password, credentials.password))
        return Identity{kGlobalAccount, user, std::nullopt};
    return std::nullopt;
}

} // namespace jetglass::accounts
