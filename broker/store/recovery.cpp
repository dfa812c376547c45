// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/recovery.h"

#include "store/block_index.h"
#include "store/gap_map.h"
#include "store/record_codec.h"

#include <algorithm>

namespace jetglass::store {

namespace {

/// Position of the next whole record behind a damaged one; the size of \a bytes if there is none.
std::size_t nextWhole(std::string_view bytes, std::size_t at)
{
    // Where it says that it ends, if that is so: its payload may hold what looks like a record.
    const std::size_t size = measureDamaged(bytes.substr(at)).size;
    if (size > 0 && (at + size == bytes.size() || decodeRecord(bytes.substr(at + size), true)))
        return at + size;
    for (at += 8; at + kSmallestRecord <= bytes.size(); at += 8)
        if (decodeRecord(bytes.substr(at), true))
            return at;
    return bytes.size();
}

/// An erased message is known by its cause: it tells of its removal as a range does.
void takeErased(BlockScan& scan, const Record& r)
{
    if (!scan.ranges.empty()) {
        StoredRange& before = scan.ranges.back();
        if (!before.skipped && before.cause == r.cause && before.last + 1U == r.seq) {
            before.last = r.seq;
            return;
        }
    }
    scan.ranges.push_back({false, r.cause, r.seq, r.seq});
}

void take(BlockScan& scan, const Record& r, std::size_t at)
{
    if (r.kind == RecordKind::Message) {
        if (!scan.messages.empty() && r.seq <= scan.messages.back().seq)
            return; // left over from a write that was taken back
        scan.lastTime = r.time;
        if (scan.together && r.seq > scan.together->last)
            scan.together.reset();
        if (r.cause != Removal::None) {
            takeErased(scan, r);
            return;
        }
        scan.headers = scan.headers || !r.headers.empty();
        const auto size = fileSizeOf({r.subject, r.headers, r.payload, r.time});
        scan.messages.push_back({r.seq,
            r.time,
            static_cast<std::uint32_t>(at),
            r.subject,
            static_cast<std::uint32_t>(size)});
        return;
    }
    if (r.kind == RecordKind::FirstSeq) {
        scan.firstSeq = std::max(scan.firstSeq, r.seq);
        return;
    }
    if (r.seq > r.last()) {
        // What was damaged once and is mended.
        if (scan.together)
            scan.together->damaged = true;
        return;
    }
    if (r.kind == RecordKind::Together) {
        // Without its head nothing says where this block's share of them begins.
        if (scan.headGood)
            scan.together = {r.seq,
                r.last(),
                std::max(r.seq, scan.base),
                static_cast<std::uint32_t>(at),
                false,
                false};
        return;
    }
    if (r.rangeTime != 0)
        scan.lastTime = r.rangeTime;
    scan.ranges.push_back({r.kind == RecordKind::Skipped, r.cause, r.seq, r.last()});
}

/// Highest sequence that the records so far tell of.
std::uint64_t newestKnown(const BlockScan& scan)
{
    std::uint64_t newest = scan.base == 0 ? 0 : scan.base - 1U;
    if (!scan.messages.empty())
        newest = std::max(newest, scan.messages.back().seq);
    for (const StoredRange& range : scan.ranges)
        newest = std::max(newest, range.last);
    if (scan.firstSeq > 0)
        newest = std::max(newest, scan.firstSeq - 1U);
    return newest;
}

/// The end of what was written to its end behind the last whole record, as far as that can be told.
std::size_t endOfDamaged(BlockScan& scan, std::string_view bytes, std::size_t at)
{
    while (at < bytes.size()) {
        const DamagedRecord record = measureDamaged(bytes.substr(at));
        if (record.torn)
            return at;
        if (record.message || record.size == 0)
            scan.lostUpTo = std::max(scan.lostUpTo, newestKnown(scan)) + 1U;
        // What follows begins at a multiple of 8.
        at = record.size == 0 ? bytes.size() & ~std::size_t{7U} : at + record.size;
        if (record.size == 0)
            return at;
    }
    return at;
}

/// Whether all of a batch was written: what is missing of it has left since, or is damaged. A batch
/// that was cut short has neither its end nor anything behind.
bool isWhole(const BlockScan& scan, const BlockScan::Together& together)
{
    if (together.damaged
        && (scan.tornBytes == 0 || std::max(newestKnown(scan), scan.lostUpTo) >= together.last))
        return true;
    GapMap known;
    for (const StoredRange& range : scan.ranges)
        known.add(range.first, range.last, range.cause);
    for (auto m = scan.messages.rbegin(); m != scan.messages.rend() && m->seq >= together.from; ++m)
        known.add(m->seq, m->seq, Removal::None);
    return known.nextOutside(together.from) > together.last;
}

} // namespace

std::uint64_t fileSizeOf(const NewMessage& m)
{
    return 30U + m.subject.size() + m.payload.size()
        + (m.headers.empty() ? 0U : 4U + m.headers.size());
}

BlockScan scanBlock(std::string_view bytes)
{
    BlockScan scan;
    if (const auto head = decodeBlockHead(bytes)) {
        scan.headGood = true;
        scan.base = head->base;
        scan.lastTime = head->timeBefore;
    }
    std::size_t at = std::min(BlockHead::kSize, bytes.size());
    scan.end = static_cast<std::uint32_t>(at);
    while (at < bytes.size()) {
        const auto r = decodeRecord(bytes.substr(at), true);
        if (r) {
            take(scan, *r, at);
            at += r->size;
            scan.end = static_cast<std::uint32_t>(at);
            continue;
        }
        const std::size_t next = nextWhole(bytes, at);
        const bool between = next < bytes.size();
        const std::size_t end = between ? next : endOfDamaged(scan, bytes, at);
        if (end > at) {
            scan.holes.push_back(
                {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at)});
            scan.damagedBytes += end - at;
            scan.end = static_cast<std::uint32_t>(end);
            if (scan.together)
                scan.together->damaged = true;
        }
        if (!between) {
            scan.tornBytes = bytes.size() - end;
            break;
        }
        at = next;
    }
    if (scan.together) {
        scan.together->whole = isWhole(scan, *scan.together);
        if (scan.together->whole && scan.lostUpTo > 0)
            scan.lostUpTo = std::max(scan.lostUpTo, scan.together->last);
    }
    if (!scan.headGood && !scan.messages.empty())
        scan.base = scan.messages.front().seq;
    // A damaged head may promise too much.
    if (!scan.messages.empty())
        scan.base = std::min(scan.base, scan.messages.front().seq);
    return scan;
}

void fillHoles(char* bytes, const std::vector<BlockScan::Hole>& holes)
{
    for (const BlockScan::Hole& hole : holes)
        if (hole.size >= kSmallestRecord && hole.size % 8U == 0)
            encodeFiller(bytes + hole.offset, hole.size);
}

} // namespace jetglass::store
