// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspect/block_check.h"

#include "store/block_index.h"
#include "store/block_name.h"
#include "store/frame_file.h"
#include "store/recovery.h"
#include "store/whole_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace jetglass::inspect {

using store::BlockScan;
using store::Slot;

namespace {

void note(std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges, std::uint64_t seq)
{
    if (!ranges.empty() && ranges.back().second + 1U == seq)
        ranges.back().second = seq;
    else
        ranges.emplace_back(seq, seq);
}

/// Whether each message of the index is where it says. Its subject may be random bytes by now.
void compare(BlockCheck& check,
    const BlockScan& scan,
    const store::BlockSummaryPart& summary,
    const std::vector<Slot>& slots)
{
    std::map<std::uint32_t, const BlockScan::Message*> byOffset;
    for (const BlockScan::Message& message : scan.messages)
        byOffset[message.offset] = &message;
    for (const Slot& slot : slots) {
        const std::uint64_t seq = summary.base + slot.delta;
        const auto found = byOffset.find(slot.offset);
        const bool same = found != byOffset.end() && found->second->seq == seq
            && found->second->time == slot.time;
        if (!same)
            note(check.unreadable, seq);
    }
}

void checkIndex(
    BlockCheck& check, const BlockScan& scan, store::FileSystem& files, const std::string& path)
{
    const bool hasIndex = files.exists(path + ".idx");
    const bool hasSubjects = files.exists(path + ".fss");
    if (!hasIndex && !hasSubjects)
        return;
    check.index = BlockCheck::Index::Damaged;
    const auto index = store::readFile(files, path + ".idx");
    const auto subjectBytes = store::readFile(files, path + ".fss");
    if (!index || !subjectBytes)
        return;
    check.indexBytes = index->size() + subjectBytes->size();
    const auto summary = store::decodeSummary(*index);
    const auto subjects = store::decodeSubjects(*subjectBytes);
    std::vector<Slot> slots;
    if (!summary || !subjects || !store::fitTogether(*summary, *subjectBytes, *subjects)
        || !store::decodeSlots(*index, subjects->size(), slots))
        return;
    check.indexed = slots.size();
    check.subjects = subjects->size();
    if (summary->used != check.size) {
        check.index = BlockCheck::Index::Stale;
        return;
    }
    check.index = BlockCheck::Index::Whole;
    compare(check, scan, *summary, slots);
}

} // namespace

Result<std::vector<std::uint64_t>> blockNumbers(store::FileSystem& files, const std::string& folder)
{
    const auto names = files.list(folder);
    if (!names)
        return names.error();
    return store::blockNumbers(*names);
}

Result<BlockCheck> checkBlock(
    store::FileSystem& files, const std::string& path, std::uint64_t number)
{
    const auto bytes = store::readBlock(files, path + ".blk");
    if (!bytes)
        return bytes.error();
    const auto stored = files.open(path + ".blk", store::FileSystem::Mode::Read);
    const auto storedSize = stored ? (*stored)->size() : Result<std::uint64_t>(stored.error());
    const BlockScan scan = store::scanBlock(*bytes);
    BlockCheck check;
    check.number = number;
    check.size = bytes->size();
    check.stored = storedSize ? *storedSize : 0;
    check.headGood = scan.headGood;
    check.base = scan.base;
    check.damagedBytes = scan.damagedBytes;
    check.tornBytes = scan.tornBytes;
    check.messages = scan.messages.size();
    if (!scan.messages.empty()) {
        check.first = scan.messages.front().seq;
        check.last = scan.messages.back().seq;
    }
    visitRecords(*bytes, [&check](std::uint64_t, const store::Record* record, std::uint64_t) {
        if (record != nullptr && record->kind != store::RecordKind::Message)
            ++check.ranges;
    });
    checkIndex(check, scan, files, path);
    return check;
}

void visitRecords(std::string_view bytes, const RecordVisitor& visit)
{
    std::size_t at = std::min(store::BlockHead::kSize, bytes.size());
    std::size_t bad = at; // begin of what cannot be read
    while (at < bytes.size()) {
        const auto record = store::decodeRecord(bytes.substr(at), true);
        if (!record) {
            at += std::min<std::size_t>(8, bytes.size() - at);
            continue;
        }
        if (bad < at)
            visit(bad, nullptr, at - bad);
        visit(at, &*record, record->size);
        at += record->size;
        bad = at;
    }
    if (bad < bytes.size())
        visit(bad, nullptr, bytes.size() - bad);
}

} // namespace jetglass::inspect
