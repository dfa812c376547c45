// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "store/file_system.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass::store {

/// A sealed block can lie in its .blk file as lz4 frames (FORMAT.md). Each frame holds whole
/// records, so that one message needs one frame; offsets are those of the block as it was written.
inline constexpr std::size_t kFrameBytes = 32U
    << 10U; ///< of a frame, before lz4; a record more at most

/// The frames of a whole .blk file; empty if they would not be
/// smaller by an eighth.
[[nodiscard]] std::string compressBlock(std::string_view block);

/// A .blk file, however it lies there.
struct BlockFile
{
    std::unique_ptr<File>
        file; ///< gives the block as it was written; in frames it can only be read
    bool compressed = false;
    std::uint64_t stored = 0; ///< bytes of the file as it lies there
};

/// Errors: those of the file system; Corrupt if it begins as frames and nothing of them is whole.
[[nodiscard]] Result<BlockFile> openBlockFile(
    FileSystem& files, const std::string& path, FileSystem::Mode mode);
/// All of the block as it was written.
[[nodiscard]] Result<std::string> readBlock(FileSystem& files, const std::string& path);

} // namespace jetglass::store
