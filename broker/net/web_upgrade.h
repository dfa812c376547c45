// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"

#include <map>
#include <string>
#include <string_view>

namespace jetglass::net {

/// The HTTP request with which a WebSocket connection begins (core.md 3.6).
struct UpgradeAnswer
{
    bool accepted = false;
    std::string response; ///< what to send, whole
    std::string error; ///< why not, for the log
    bool compressed = false; ///< permessage-deflate was agreed
    bool masked = true; ///< the peer masks its frames
    std::string clientAddress; ///< of whom a proxy asks for; empty = the peer itself
    std::map<std::string, std::string> cookies;
};

/// Where the request in \a received ends; npos = not yet.
std::size_t upgradeEnd(std::string_view received);

/// \a encrypted: the connection itself is.
UpgradeAnswer answerUpgrade(
    std::string_view request, const WebSocketConfig& config, bool encrypted);

/// The longest request that is read.
inline constexpr std::size_t kMaxUpgrade = 16384;

} // namespace jetglass::net
