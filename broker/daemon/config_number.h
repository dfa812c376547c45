// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/config_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::daemon {

/// Reads a bare word as boolean, integer with size suffix, float or date. False without a \a
/// problem: it is a string.
bool readScalar(std::string_view word, ConfigValue& into, std::string& problem);

/// JetStream's quoted sizes: digits with one upper-case letter K, M, G or T in steps of 1024
/// ("10GB" is an error).
std::optional<std::int64_t> parseQuotedSize(std::string_view text);

/// A whole number, with or without a sign, and nothing else.
std::optional<std::int64_t> wholeNumber(std::string_view text);

} // namespace jetglass::daemon
