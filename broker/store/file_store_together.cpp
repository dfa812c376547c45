// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs together: announced before it is written, taken back when only a part of it was.
#include "store/file_store.h"
#include "store/frame_file.h"
#include "store/record_codec.h"

namespace jetglass::store {

void FileStore::together(std::uint64_t count)
{
    if (count < 2)
        return; // a record is whole or not there at all
    const std::uint64_t first = m_state.last.value() + 1U;
    MessageBlock& tail = tailFor(kRangeRecordSize, first);
    m_togetherFirst = first;
    m_togetherLast = first + count - 1U;
    putTogether(tail);
    m_touched = true;
}

void FileStore::putTogether(MessageBlock& tail)
{
    encodeRange(tail.bytes.data() + tail.used,
        RecordKind::Together,
        Removal::None,
        m_togetherFirst,
        m_togetherLast,
        0);
    tail.used += static_cast<std::uint32_t>(kRangeRecordSize);
}

/// A batch of which only a part was written counts as not written. A block that only goes on with
/// it is removed, and then the one before is the newest.
Result<void> FileStore::cutUnfinished(
    MessageBlock& block, const BlockScan::Together& together, RecoveryReport& report)
{
    m_cut = true;
    const std::string name = path(block, ".blk");
    report.push_back({.kind = RecoveryFinding::Kind::BatchTakenBack,
        .file = name,
        .first = together.first,
        .last = together.last});
    if (together.first >= together.from)
        return block.file->truncate(together.offset);
    block.file.reset();
    removeIndex(block);
    return m_files.remove(name);
}

/// Whether the rest of a batch was to go into the block behind \a block.
Result<bool> FileStore::endsInBatch(const MessageBlock& block) const
{
    const auto bytes = readBlock(m_files, path(block, ".blk"));
    if (!bytes)
        return bytes.error();
    const BlockScan scan = scanBlock(*bytes);
    return scan.together && !scan.together->whole;
}

/// A newest block without a whole record says nothing of the batch that was to go on in it. Without
/// it the block before is the newest and tells.
Result<void> FileStore::removeUnfinished(MessageBlock& block, RecoveryReport& report)
{
    m_cut = true;
    const std::string name = path(block, ".blk");
    report.push_back({.kind = RecoveryFinding::Kind::UnfinishedBlockRemoved, .file = name});
    block.file.reset();
    return m_files.remove(name);
}

} // namespace jetglass::store
