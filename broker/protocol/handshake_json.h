// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::protocol {

/// What CONNECT says (core.md 1.5); the values here hold before and without it.
struct ConnectOptions
{
    bool verbose = true;
    bool pedantic = true;
    bool echo = true;
    bool headers = false;
    bool noResponders = false;
    bool tlsRequired = false;
    bool newAccount = false;
    std::int64_t protocol = 0;
    std::string user;
    std::string password;
    std::string token;
    std::string nkey;
    std::string signature;
    std::string jwt;
    std::string name;
    std::string lang;
    std::string version;
    std::string account;
};

/// Decodes on top of what \a options holds. False: no JSON object, or a member of the wrong type.
[[nodiscard]] bool parseConnect(std::string_view json, ConnectOptions& options);

/// What INFO says (core.md 1.4). Empty and false members are left out where the real server leaves
/// them out.
struct ServerInfo
{
    std::string serverId;
    std::string serverName;
    std::string version;
    std::string host;
    std::uint16_t port = 0;
    bool headers = true;
    bool authRequired = false;
    bool tlsRequired = false;
    bool tlsVerify = false;
    bool tlsAvailable = false;
    std::int64_t maxPayload = 0;
    bool jetstream = false;
    int apiLevel = 0;
    std::uint64_t clientId = 0;
    std::string clientIp;
    std::string nonce;
    std::vector<std::string> connectUrls;
    bool lameDuck = false;
    std::string domain;
    bool connectInfo = false; ///< second INFO
    std::string remoteAccount;
    bool accountIsSystem = false;
};

/// The JSON alone, on one line.
[[nodiscard]] std::string infoText(const ServerInfo& info);

} // namespace jetglass::protocol
