// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jetglass::protocol {

/// The value of a header as the server itself looks it up (core.md 1.7): the key starts a line,
/// matches byte for byte and is followed directly by ':'; blanks behind the colon are skipped, the
/// value ends at CR; first hit wins.
[[nodiscard]] std::optional<std::string_view> findHeader(
    std::string_view block, std::string_view key);

/// Puts "key: value" at the end of a block; an empty block becomes a new one.
void appendHeader(std::string& block, std::string_view key, std::string_view value);

/// "NATS/1.0 <code> <description>" and an end. \a lines: more "Key: value\r\n" lines between.
[[nodiscard]] std::string statusBlock(
    int code, std::string_view description, std::string_view lines = {});

} // namespace jetglass::protocol
