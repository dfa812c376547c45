// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass {

/// One thing that was not whole when a store was opened, and what was done about it. Which fields
/// are filled stands beside each kind.
struct RecoveryFinding
{
    enum class Kind : std::uint8_t
    {
        // Blocks: `file` is the block, or its index. The first, HeadRewritten: of a log, too.
        BytesDamaged, ///< bytes; aside: as it was before it was mended, empty if that stayed so
        TornEndCut, ///< bytes: a write that was under way, cut off the newest block
        EndDamaged, ///< bytes, at the end of an older block; aside
        HeadRewritten, ///< the head was damaged; aside
        BlockSetAside, ///< no message block at all; aside
        UnfinishedBlockRemoved, ///< shorter than a head
        BatchTakenBack, ///< first to last belong together and were not all written
        IndexRebuilt, ///< it did not fit its block
        NewestBlockMissing, ///< first: where it began

        // Streams.
        SequencesLost, ///< file: folder of the blocks; first to last
        LossNotRecorded, ///< file: folder of the blocks; detail: why the lost could not be recorded
        ConsumersAhead, ///< streams: one; first to last were delivered and are not stored
        UnknownStreamLeft, ///< file: a stream's folder of which nothing tells the configuration

        // Consumers.
        ConsumerLogCut, ///< file; bytes of a write that was under way, cut off its end
        ConsumerLogSetAside, ///< file: of another kind or version; aside
        ConsumerLost, ///< file: its copy; aside; streams: one; consumer

        // The catalog: `streams` and `consumers` came from the copies.
        CatalogDamaged, ///< file; detail; aside; made anew
        CatalogMissing, ///< file; made anew
        CatalogEmpty, ///< file; made anew
        CatalogLostStreams, ///< file; only rows of it were lost
        CatalogNotRestored ///< file; detail: why the copies could not be brought back
    };

    Kind kind{};
    std::string file{}; ///< absolute path of what it is about, by its old name; may be empty
    std::uint64_t first = 0; ///< stream sequence
    std::uint64_t last = 0; ///< stream sequence, included
    std::uint64_t bytes = 0;
    std::vector<std::string> streams{}; ///< names
    std::string consumer{}; ///< name
    std::uint64_t consumers = 0; ///< how many
    std::string aside{}; ///< path by which `file` is kept as it was
    std::string detail{}; ///< what the system or SQLite said, in English
};

/// In the order in which it was found.
using RecoveryReport = std::vector<RecoveryFinding>;

/// The English line for the log.
[[nodiscard]] std::string recoveryLine(const RecoveryFinding& f);

} // namespace jetglass
