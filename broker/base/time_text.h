// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::base {

/// RFC 3339 in UTC, up to 9 fraction digits, trailing zeros cut, "Z" (as Go prints it).
std::string rfc3339(std::int64_t unixNs);
/// Reads RFC 3339 with any zone offset. "0001-01-01T00:00:00Z" reads as kZeroTime.
std::optional<std::int64_t> parseRfc3339(std::string_view text);
/// The zero time of Go, which stands for "not set".
inline constexpr std::int64_t kZeroTime = INT64_MIN;
inline constexpr std::string_view kZeroTimeText = "0001-01-01T00:00:00Z";

/// A duration as Go prints it: "1h2m3s", "1.5s", "250ms", "0s".
std::string goDuration(std::int64_t ns);
/// Reads "300ms", "1m30s", "1.5h", "-2s". Empty without a number or with an unknown unit.
std::optional<std::int64_t> parseGoDuration(std::string_view text);

} // namespace jetglass::base
