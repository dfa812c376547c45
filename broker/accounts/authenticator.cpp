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

} // namespace

Authenticator::Authenticator(AuthConfig config)
    : m_config(std::move(config))
{
}

bool Authenticator::required() const
{
    return m_config.required();
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
    return isBcrypt(m_config.token) || isBcrypt(m_config.password);
}

Identity Authenticator::identityOf(const UserConfig& user) const
{
    Identity identity;
    identity.account = user.account.empty() ? kGlobalAccount : user.account;
    identity.user = user.nkey.empty() ? user.user : user.nkey;
    identity.permissions = user.permissions ? user.permissions : m_config.defaultPermissions;
    return identity;
}

std::optional<Identity> Authenticator::ofCertificate(const std::vector<std::string>& names) const
{
    for (const std::string& name : names) {
        if (const UserConfig* user = findUser(name))
            return identityOf(*user);
    }
    return std::nullopt;
}

std::optional<Identity> Authenticator::authenticate(
    const Credentials& credentials, std::string_view nonce) const
{
    if (!required())
        return Identity{};
    if (credentials.mapsCertificate)
        return ofCertificate(credentials.certificateNames);
    if (saysNothing(credentials)) {
        const std::string& unnamed =
            credentials.noAuthUser.empty() ? m_config.noAuthUser : credentials.noAuthUser;
        if (!unnamed.empty()) {
            const UserConfig* user = findUser(unnamed);
            if (user == nullptr)
                user = findNkey(unnamed);
            if (user != nullptr)
                return identityOf(*user);
            if (unnamed == m_config.user)
                return Identity{kGlobalAccount, m_config.user, std::nullopt};
        }
        // Configurations that only name users of the system account leave everybody else as they
        // were.
        if (onlySystemUsers())
            return Identity{};
    }
    if (!credentials.nkey.empty()) {
        const UserConfig* user = findNkey(credentials.nkey);
        const auto key = parsePublicKey(KeyKind::User, credentials.nkey);
        if (user == nullptr || !key || nonce.empty()
            || !verifySignature(*key, nonce, credentials.signature))
            return std::nullopt;
        return identityOf(*user);
    }
    if (!m_config.users.empty() && !credentials.user.empty()) {
        const UserConfig* user = findUser(credentials.user);
        if (user == nullptr || !passwordMatches(user->password, credentials.password))
            return std::nullopt;
        return identityOf(*user);
    }
    if (!m_config.token.empty()) {
        if (passwordMatches(m_config.token, credentials.token))
            return Identity{};
        return std::nullopt;
    }
    if (!m_config.user.empty() && m_config.user == credentials.user
        && passwordMatches(m_config.password, credentials.password))
        return Identity{kGlobalAccount, m_config.user, std::nullopt};
    return std::nullopt;
}

} // namespace jetglass::accounts
