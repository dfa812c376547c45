// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jetglass::archive {

/// What msgs/index.db of a backup of format 1 tells beyond the blocks: the reference server may
/// delete a message without a word in any block.
struct IndexFile
{
    std::uint64_t firstSeq = 0;
    std::uint64_t lastSeq = 0;
    std::vector<std::uint64_t> deleted; ///< inside of blocks, in no order
};

/// None if it is damaged, encrypted or of another version: then the blocks have to do.
[[nodiscard]] std::optional<IndexFile> decodeIndexFile(
    std::string_view bytes, std::string_view stream);

} // namespace jetglass::archive
