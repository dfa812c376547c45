// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::subjects {

/// What a token of a mapping's destination may ask for (streams.md 7.1).
enum class MappingFunction : std::uint8_t
{
    Text,
    Wildcard,
    Partition,
    SplitFromLeft,
    SplitFromRight,
    SliceFromLeft,
    SliceFromRight,
    Right,
    Left,
    Split,
    Random
};

/// A function and what stands between its brackets.
struct MappingCall
{
    MappingFunction function = MappingFunction::Text;
    std::vector<std::string> arguments; ///< never empty
};

/// "{{...}}": it must be a call that is known.
[[nodiscard]] bool looksLikeCall(std::string_view token);
/// The call in such a token, which may have other text around it.
[[nodiscard]] std::optional<MappingCall> findCall(std::string_view token);

} // namespace jetglass::subjects
