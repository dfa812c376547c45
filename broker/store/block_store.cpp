// SPDX-License-Identifier: GPL-3.0-or-later
// Changing a store: appending, removing, taking back. Reading is in block_store_read.cpp.
#include "store/block_store.h"

#include "store/record_codec.h"

#include <algorithm>
#include <limits>
#include <span>

namespace jetglass::store {

namespace {

constexpr std::size_t kOldGapRanges = 65536; ///< causes of removals below first that are remembered
/// A dropped block may have had a hundred thousand subjects of its own: their numbers become free
/// over some turns.
constexpr std::size_t kReleasedATurn = 8192;

} // namespace

StreamSeq BlockStore::append(const NewMessage& message)
{
    const std::uint64_t seq = m_state.last.value() + 1U;
    put(seq, message);
    return StreamSeq(seq);
}

void BlockStore::appendAt(StreamSeq seq, const NewMessage& message)
{
    const std::uint64_t next = m_state.last.value() + 1U;
    if (seq.value() > next)
        skip(seq.value() - next, message.time, Removal::Skipped);
    put(seq.value(), message);
}

void BlockStore::put(std::uint64_t seq, const NewMessage& message)
{
    const std::size_t size = messageRecordSize(message);
    MessageBlock& block = tailFor(size, seq);
    encode(block.bytes.data() + block.used, seq, message);

    bool isNew = false;
    const SubjectTable::Id id = m_subjects.findOrAdd(message.subject, isNew);
    if (isNew)
        m_filters.forget(id);
    m_subjects.added(id, seq);
    const auto delta = static_cast<std::uint32_t>(seq - block.base);
    const auto counted = static_cast<std::uint32_t>(sizeOf(message));
    block.noteSubject(id, delta, m_subjects);
    block.slots.push_back({message.time, delta, block.used, id, counted});
    block.used += static_cast<std::uint32_t>(size);
    block.last = seq;
    block.lastTime = std::max(block.lastTime, message.time);
    ++block.live;
    block.liveBytes += counted;
    block.mayHaveHeaders = block.mayHaveHeaders || !message.headers.empty();

    if (m_state.messages++ == 0) {
        m_state.first = StreamSeq(seq);
        m_state.firstTime = message.time;
    }
    m_state.bytes += counted;
    m_state.last = StreamSeq(seq);
    m_state.lastTime = message.time;
    m_touched = true;
}

void BlockStore::skip(std::uint64_t count, std::int64_t time, Removal cause)
{
    if (count == 0)
        return;
    const std::uint64_t first = m_state.last.value() + 1U;
    const std::uint64_t last = m_state.last.value() + count;
    m_gaps.add(first, last, cause);
    m_state.last = StreamSeq(last);
    m_state.lastTime = time;
    if (m_state.messages == 0)
        m_state.first = StreamSeq(last + 1U);
    stageRange({true, cause, first, last}, time);
    m_touched = true;
}

void BlockStore::setFirstSeq(StreamSeq first)
{
    if (m_state.last.value() != 0 || m_state.messages != 0 || first.isZero())
        return;
    m_state.first = first;
    m_state.last = first - 1U;
    if (first.value() > 1U)
        m_gaps.add(1, first.value() - 1U, Removal::Skipped);
    stageFirstSeq(first.value());
    m_touched = true;
}

void BlockStore::removeSlot(const BlockPtr& block, Slot& slot, Removal cause)
{
    const std::uint64_t seq = block->base + slot.delta;
    if (wantsUndo())
        m_undo.push_back({block, false, seq, slot.subject, slot.size, {}, {}, 0, 0});
    m_subjects.removed(slot.subject, seq);
    if (m_subjects.entry(slot.subject).count == 0)
        m_unused.push_back(slot.subject);
    if (BlockSubject* known = block->findSubject(slot.subject, m_subjects))
        --known->count;
    slot.subject = SubjectTable::kNone;
    --block->live;
    block->liveBytes -= slot.size;
    --m_state.messages;
    m_state.bytes -= slot.size;
    m_gaps.add(seq, seq, cause);
    stageRange({false, cause, seq, seq}, 0);
    blockChanged(*block);
    if (block->live == 0)
        m_emptied = true;
    m_touched = true;
}

bool BlockStore::remove(StreamSeq seq, Removal cause, bool erase)
{
    if (!contains(seq))
        return false;
    const std::size_t i = blockIndex(seq.value());
    if (i >= m_blocks.size() || !ensureIndex(*m_blocks[i]))
        return false;
    const BlockPtr block = m_blocks[i];
    Slot* slot = block->find(seq.value());
    if (!slot || !slot->live())
        return false;
    if (erase)
        stageErase(*block, *slot, cause);
    removeSlot(block, *slot, cause);
    if (seq == m_state.first)
        refreshFirst();
    return true;
}

Removed BlockStore::dropWhole(const BlockPtr& block, Removal cause)
{
    const Removed removed{block->live, block->liveBytes};
    if (block->live == 0)
        return removed;
    if (wantsUndo())
        m_undo.push_back({block,
            true,
            0,
            SubjectTable::kNone,
            0,
            block->subjects,
            m_gaps.ranges(block->base, block->last),
            block->live,
            block->liveBytes});
    // Gaps inside the block that have a cause of their own keep it.
    std::uint64_t at = m_gaps.nextOutside(block->base);
    while (at <= block->last) {
        const auto inner = m_gaps.ranges(at, block->last);
        const std::uint64_t end = inner.empty() ? block->last : inner.front().first.value() - 1U;
        m_gaps.add(at, end, cause);
        stageRange({false, cause, at, end}, 0);
        at = m_gaps.nextOutside(end + 1U);
    }
    for (BlockSubject& s : block->subjects) {
        if (s.count == 0)
            continue;
        m_subjects.removedBelow(s.id, s.count, block->base + s.lastDelta);
        if (m_subjects.entry(s.id).count == 0)
            m_unused.push_back(s.id);
        s.count = 0;
    }
    if (!block->indexLoaded)
        block->subjects.clear();
    for (Slot& slot : block->slots)
        slot.subject = SubjectTable::kNone;
    m_state.messages -= block->live;
    m_state.bytes -= block->liveBytes;
    block->live = 0;
    block->liveBytes = 0;
    blockChanged(*block);
    m_emptied = true;
    m_touched = true;
    return removed;
}

Removed BlockStore::removeBelow(StreamSeq first, Removal cause)
{
    RemovalTask task;
    task.below = first;
    task.forward = true;
    task.cause = cause;
    if (!first.isZero())
        advance(task, {});
    return task.removed;
}

void BlockStore::moveForward(std::uint64_t first)
{
    const std::uint64_t from = m_state.last.value() + 1U;
    m_gaps.add(from, first - 1U, Removal::Skipped);
    m_state.last = StreamSeq(first - 1U);
    m_state.first = StreamSeq(first);
    stageRange({true, Removal::Skipped, from, first - 1U}, 0);
    m_touched = true;
}

Removed BlockStore::removeMatching(
    const subjects::SubjectFilter& filter, StreamSeq below, std::uint64_t keep, Removal cause)
{
    RemovalTask task;
    task.filter = filter;
    task.below = below;
    task.keep = keep;
    task.cause = cause;
    advance(task, {});
    return task.removed;
}

void BlockStore::refreshFirst()
{
    if (m_state.messages == 0) {
        if (!m_state.last.isZero() || !m_state.first.isZero())
            m_state.first = m_state.last + 1U;
        m_state.firstTime = 0;
        return;
    }
    const std::uint64_t first = m_gaps.nextOutside(m_state.first.value());
    m_state.first = StreamSeq(first);
    const std::size_t i = blockIndex(first);
    if (i < m_blocks.size() && ensureIndex(*m_blocks[i]))
        if (const Slot* slot = m_blocks[i]->find(first))
            m_state.firstTime = slot->time;
}

void BlockStore::loseMessage(std::uint64_t seq)
{
    remove(StreamSeq(seq), Removal::Lost, false);
}

/// Until it is released a subject without messages is one that may get some again.
void BlockStore::releaseSubjects(std::size_t most)
{
    const std::size_t keep = m_toRelease.size() - std::min(m_toRelease.size(), most);
    m_subjects.release(std::span(m_toRelease).subspan(keep));
    m_toRelease.resize(keep);
    if (keep == 0 && m_toRelease.capacity() > kReleasedATurn)
        m_toRelease.shrink_to_fit();
}

void BlockStore::releaseUnused()
{
    m_toRelease.insert(m_toRelease.end(), m_unused.begin(), m_unused.end());
    m_unused.clear();
    releaseSubjects(kReleasedATurn);
}

void BlockStore::settle(std::vector<BlockPtr>& dropped)
{
    releaseUnused();
    m_undo.clear();
    if (m_emptied) {
        m_emptied = false;
        const auto gone = [&](const BlockPtr& block) {
            if (block->live > 0 || block == m_blocks.back() || !mayDrop(*block))
                return false;
            dropped.push_back(block);
            return true;
        };
        m_blocks.erase(std::remove_if(m_blocks.begin(), m_blocks.end(), gone), m_blocks.end());
    }
    if (m_gaps.rangeCount() > kOldGapRanges)
        m_gaps.trimBelow(m_state.first.value(), kOldGapRanges);
    m_settled = m_state;
    m_touched = false;
}

void BlockStore::undoRemoval(Undo& undo)
{
    MessageBlock& block = *undo.block;
    if (undo.whole) {
        m_gaps.erase(block.base, block.last);
        for (const GapRange& gap : undo.gaps)
            m_gaps.add(gap.first.value(), gap.last.value(), gap.cause);
        for (const BlockSubject& s : undo.subjects)
            if (s.count > 0)
                m_subjects.restored(
                    s.id, s.count, block.base + s.firstDelta, block.base + s.lastDelta, false);
        block.live = undo.live;
        block.liveBytes = undo.liveBytes;
        block.indexLoaded = false; // read again, with the gaps as they are now
        return;
    }
    m_gaps.erase(undo.seq, undo.seq);
    m_subjects.restored(undo.id, 1, undo.seq, undo.seq, true);
    ++block.live;
    block.liveBytes += undo.size;
    Slot* slot = block.indexLoaded ? block.find(undo.seq) : nullptr;
    if (!slot)
        return;
    slot->subject = undo.id;
    if (BlockSubject* known = block.findSubject(undo.id, m_subjects)) {
        ++known->count;
    } else if (block.sealed) {
        block.listSubjects();
    } else {
        block.noteSubject(undo.id, slot->delta, m_subjects);
    }
}

void BlockStore::undoAppends()
{
    const std::uint64_t keep = m_settled.last.value();
    while (!m_blocks.empty() && m_blocks.back()->last > keep) {
        MessageBlock& block = *m_blocks.back();
        while (!block.slots.empty() && block.base + block.slots.back().delta > keep) {
            const Slot slot = block.slots.back();
            const std::uint64_t seq = block.base + slot.delta;
            block.slots.pop_back();
            block.used = slot.offset;
            if (!slot.live())
                continue;
            m_subjects.unadded(slot.subject, seq);
            if (BlockSubject* known = block.findSubject(slot.subject, m_subjects))
                --known->count;
            if (m_subjects.entry(slot.subject).count == 0)
                m_unused.push_back(slot.subject);
            --block.live;
            block.liveBytes -= slot.size;
        }
        block.last = block.slots.empty() ? block.base - 1U : block.base + block.slots.back().delta;
        if (!block.fresh)
            break;
        m_blocks.pop_back();
    }
    m_gaps.erase(keep + 1U, std::numeric_limits<std::uint64_t>::max() - 1U);
}

void BlockStore::revert()
{
    while (!m_undo.empty()) {
        undoRemoval(m_undo.back());
        m_undo.pop_back();
    }
    undoAppends();
    releaseUnused();
    m_emptied = false;
    m_state = m_settled;
    m_touched = false;
}

} // namespace jetglass::store
