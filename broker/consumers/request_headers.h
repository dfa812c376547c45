// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::consumers {

/// The request asks for an API level that this server does not have, or for something that is no
/// level.
[[nodiscard]] bool requiresHigherLevel(std::string_view headers);
/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// A header that is a plain number.
[[nodiscard]] std::optional<std::uint64_t> headerNumber(
    std::string_view headers, std::string_view name);

} // namespace jetglass::consumers
