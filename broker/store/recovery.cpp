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
    for (at += 8; at + kSmallestRecord <= bytes.size(); at += 8)
        if (decodeRecord(bytes.substr(at), true))
            return at;
    return bytes.size();
}

void take(BlockScan& scan, const Record& r, std::size_t at)
{
    if (r.kind == RecordKind::Message) {
        if (!scan.messages.empty() && r.seq <= scan.messages.back().seq)
            return; // left over from a write that was taken back
        scan.lastTime = r.time;
        if (scan.together && r.seq > scan.together->last)
            scan.together.reset();
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
    if (r.seq > r.last())
        return;
    if (r.kind == RecordKind::Together) {
        // Without its head nothing says where this block's share of them begins.
        if (scan.headGood)
            scan.together = {
                r.seq, r.last(), std::max(r.seq, scan.base), static_cast<std::uint32_t>(at), false};
        return;
    }
    if (r.rangeTime != 0)
        scan.lastTime = r.rangeTime;
    scan.ranges.push_back({r.kind == RecordKind::Skipped, r.cause, r.seq, r.last()});
}

/// A removed one may have been overwritten, and that not to its end: then its record is damaged.
bool isWhole(const BlockScan& scan, const BlockScan::Together& together)
{
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
        (next < bytes.size() ? scan.damagedBytes : scan.tornBytes) += next - at;
        at = next;
    }
    if (scan.together)
        scan.together->whole = isWhole(scan, *scan.together);
    if (!scan.headGood && !scan.messages.empty())
        scan.base = scan.messages.front().seq;
    // A damaged head may promise too much.
    if (!scan.messages.empty())
        scan.base = std::min(scan.base, scan.messages.front().seq);
    return scan;
}

} // namespace jetglass::store
