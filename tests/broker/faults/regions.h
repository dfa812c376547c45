// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// A named part of a file, as FORMAT.md has it.
struct Region
{
    std::string name;
    std::size_t offset = 0;
    std::size_t size = 0;
};

/// What of a stream lies in a part of a file.
struct Extent
{
    std::size_t offset = 0;
    std::size_t size = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0; ///< 0: no message
    bool removal = false;
    bool together = false;
};

/// The regions of a file by the ending of its name.
[[nodiscard]] std::vector<Region> regionsOf(const std::string& name, std::string_view bytes);
/// Of a block as it was before compression.
[[nodiscard]] std::vector<Extent> recordsOf(std::string_view block);
/// Where the frames of a compressed block are in its file (offset, size) and in the block (first,
/// last).
[[nodiscard]] std::vector<Extent> framesOf(std::string_view bytes);
/// The batches of a log; first is their number.
[[nodiscard]] std::vector<Extent> batchesOf(std::string_view bytes);

} // namespace jetglass::store
