// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "net/rate_limit.h"
#include "net/tls_context.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jetglass::net {

/// What a listener speaks; shared by the connections that came through it.
struct Endpoint
{
    std::shared_ptr<const TlsContext> tls; ///< null = plain
    std::shared_ptr<RateLimit> handshakes; ///< null = as many as come
    std::optional<WebSocketConfig> webSocket;
    std::string host; ///< as bound
    std::uint16_t port = 0;
};

} // namespace jetglass::net
