// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// The N of a file N.blk, and of what is kept of one under a longer name: N.blk.damaged.
struct BlockName
{
    std::uint64_t number = 0;
    bool aside = false; ///< something stands behind .blk
};

[[nodiscard]] inline std::optional<BlockName> parseBlockName(std::string_view name)
{
    BlockName parsed;
    const char* const end = name.data() + name.size();
    const auto [at, failure] = std::from_chars(name.data(), end, parsed.number);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (failure != std::errc() || parsed.number == 0 || !rest.starts_with(".blk"))
        return std::nullopt;
    parsed.aside = rest.size() > std::string_view(".blk").size();
    return parsed;
}

/// Of the blocks among the files of a folder, ascending.
[[nodiscard]] inline std::vector<std::uint64_t> blockNumbers(const std::vector<std::string>& names)
{
    std::vector<std::uint64_t> numbers;
    for (const std::string& name : names)
        if (const auto parsed = parseBlockName(name); parsed && !parsed->aside)
            numbers.push_back(parsed->number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

} // namespace jetglass::store
