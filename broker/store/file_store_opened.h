// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_store.h"

#include <cstdint>
#include <vector>

namespace jetglass::store {

inline constexpr std::uint64_t kLargestBlock = 2ULL << 30U;

/// What recovery has found so far.
struct FileStore::Opened
{
    RecoveryReport& report;
    std::vector<StoredRange> ranges; ///< of all blocks, oldest first
    std::vector<StoredRange> again; ///< of blocks that are not there any more: to be said again
    std::vector<BlockPtr> toIndex; ///< sealed blocks that had to be read
    std::vector<SubjectTable::Id> ids; ///< of the block before
    std::uint64_t last = 0;
    std::uint64_t firstSeq = 0;
    std::uint64_t frontBase = 0; ///< nothing below was in the files that are there
    std::int64_t lastTime = 0;
    std::uint64_t damagedBytes = 0;
};

} // namespace jetglass::store
