// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "protocol/operation.h"

#include <optional>
#include <string>
#include <string_view>

namespace jetglass::server {

// The words of the protocol trace, as nats-server writes them (core.md 6.1).

/// One operation of a client as "PUB foo 5"; secrets of CONNECT are replaced.
[[nodiscard]] std::string traceText(const protocol::Operation& operation);

/// A payload as "MSG_PAYLOAD: ["hello"]", cut as the configuration says; nothing if there is
/// nothing to show.
[[nodiscard]] std::optional<std::string> tracePayload(
    std::string_view headers, std::string_view payload, const LogConfig& config);

/// CONNECT's JSON with passwords, tokens, keys and signatures taken out.
[[nodiscard]] std::string withoutSecrets(std::string_view json);

/// Text in double quotes; what cannot be shown is escaped.
[[nodiscard]] std::string quotedText(std::string_view text);

} // namespace jetglass::server
