// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jetglass::base {

std::string base64(std::string_view bytes);
/// Reads standard or URL alphabet, padding optional.
std::optional<std::string> parseBase64(std::string_view text);
/// SHA-256, 32 bytes.
std::string sha256(std::string_view bytes);
/// 8 characters 0-9A-Za-z from SHA-256: the hash that NATS uses for account and consumer names
/// ("$G" is szMpdrwD).
std::string shortHash(std::string_view text);

} // namespace jetglass::base
