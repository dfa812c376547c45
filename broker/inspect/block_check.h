// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"
#include "store/record_codec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::inspect {

/// What every byte of one block and of its index says. Ranges of sequences are inclusive.
struct BlockCheck
{
    enum class Index
    {
        None, ///< the newest block has none, others may lack it
        Whole,
        Damaged, ///< .idx or .fss fails its checksum
        Stale ///< whole, but of another block: a start makes it anew
    };
    std::uint64_t number = 0;
    std::uint64_t size = 0; ///< bytes of the block as it was written
    std::uint64_t stored = 0; ///< bytes of the .blk file, fewer if it is compressed
    bool headGood = false;
    std::uint64_t base = 0;
    std::uint64_t messages = 0; ///< whole message records
    std::uint64_t ranges = 0; ///< whole records of other kinds
    std::uint64_t first = 0; ///< of the messages, 0 = none
    std::uint64_t last = 0;
    std::uint64_t damagedBytes = 0; ///< between whole records
    std::uint64_t tornBytes = 0; ///< behind the last whole record
    Index index = Index::None;
    std::uint64_t indexed = 0; ///< messages that the index knows
    std::uint64_t subjects = 0; ///< of the index
    std::uint64_t indexBytes = 0; ///< of .idx and .fss
    /// Sequences that the index promises and that no whole record has: a start that trusts the
    /// index does not notice.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> unreadable;

    [[nodiscard]] bool damaged() const
    {
        return !headGood || damagedBytes > 0 || !unreadable.empty() || index == Index::Damaged;
    }
};

/// \a path without its ending. Errors of reading only.
[[nodiscard]] Result<BlockCheck> checkBlock(
    store::FileSystem& files, const std::string& path, std::uint64_t number);

/// Numbers of the .blk files of a folder, ascending.
[[nodiscard]] Result<std::vector<std::uint64_t>> blockNumbers(
    store::FileSystem& files, const std::string& folder);

/// Every whole record of a block, and what lies between them: a null record with the bytes that
/// cannot be read.
using RecordVisitor =
    std::function<void(std::uint64_t offset, const store::Record* record, std::uint64_t size)>;
void visitRecords(std::string_view bytes, const RecordVisitor& visit);

} // namespace jetglass::inspect
