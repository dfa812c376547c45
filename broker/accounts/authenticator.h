// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::accounts {

/// What a listener says of those who come through it, in place of the server's own single user,
/// token and no_auth_user; nothing = those hold.
struct ListenerAuth
{
    std::string user;
    std::string password;
    std::string token;
    std::string noAuthUser;
    [[nodiscard]] bool overrides() const
    {
        return !user.empty() || !token.empty() || !noAuthUser.empty();
    }
};

/// What CONNECT said of who the client is.
struct Credentials
{
    std::string user;
    std::string password;
    std::string token;
    std::string nkey;
    std::string signature; ///< as sent
    std::string jwt;
    ListenerAuth listener;
    std::string connectionType = "STANDARD"; ///< as users' connection types name it
    bool mapsCertificate = false; ///< names of a certificate count, nothing else
    std::vector<std::string> certificateNames;
};

/// Whom a connection acts for.
struct Identity
{
    std::string account = "$G";
    std::string user; ///< empty without authentication
    std::optional<Permissions> permissions; ///< absent = everything
};

/// Checks credentials against a configuration (core.md 3.1). Immutable: a reload makes a new one.
/// authenticate() may take tens of ms for bcrypt, so it is const, thread-safe and callable on a
/// worker.
class Authenticator
{
public:
    explicit Authenticator(AuthConfig config);
    [[nodiscard]] bool required() const;
    [[nodiscard]] bool required(const ListenerAuth& listener) const;
    /// INFO's auth_required: required and no no_auth_user.
    [[nodiscard]] bool announced() const;
    [[nodiscard]] bool needsNonce() const; ///< some nkey user exists
    [[nodiscard]] bool slow(
        const Credentials& credentials) const; ///< would run bcrypt: use a worker
    /// Nothing = Authorization Violation.
    [[nodiscard]] std::optional<Identity> authenticate(
        const Credentials& credentials, std::string_view nonce) const;
    [[nodiscard]] const AuthConfig& config() const { return m_config; }

private:
    [[nodiscard]] const UserConfig* findUser(std::string_view name) const;
    [[nodiscard]] const UserConfig* findNkey(std::string_view key) const;
    [[nodiscard]] std::optional<Identity> unnamed(const Credentials& credentials) const;
    [[nodiscard]] std::optional<Identity> ofCertificate(const Credentials& credentials) const;
    [[nodiscard]] std::optional<Identity> ofNkey(
        const Credentials& credentials, std::string_view nonce) const;
    [[nodiscard]] std::optional<Identity> ofUser(const Credentials& credentials) const;
    [[nodiscard]] bool needsCertificate(const UserConfig& user) const;
    [[nodiscard]] bool onlySystemUsers() const;
    [[nodiscard]] Identity identityOf(const UserConfig& user) const;

    AuthConfig m_config;
};

} // namespace jetglass::accounts
