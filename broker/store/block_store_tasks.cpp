// SPDX-License-Identifier: GPL-3.0-or-later
// Removals and counts that may take several turns. A part ends between two blocks, or inside one
// where messages are looked at one by one; what it has done stands for itself, and the next part
// finds its place by sequence, whatever came and went in between.
#include "store/block_store.h"

#include <algorithm>

namespace jetglass::store {

namespace {

/// Between so many messages of a block the slice is asked.
constexpr std::size_t kStride = 64;
/// Likewise between subjects that are released.
constexpr std::size_t kReleaseStride = 512;
/// Likewise between numbers of subjects.
constexpr std::uint64_t kSubjectStride = 256;
/// Up to so many subjects are looked at in one step.
constexpr SubjectTable::Id kFewSubjects = 4096;

void noteRemoved(RemovalTask& task, std::uint64_t first, std::uint64_t last)
{
    if (task.first.isZero() || first < task.first.value())
        task.first = StreamSeq(first);
    task.last = std::max(task.last, StreamSeq(last));
}

} // namespace

void BlockStore::beginTask(RemovalTask& task) const
{
    const std::uint64_t behind = m_state.last.value() + 1U;
    task.end = task.below.isZero() ? behind : std::min(task.below.value(), behind);
    task.left = task.keep;
    task.phase = task.keep > 0 ? RemovalTask::Phase::Locating : RemovalTask::Phase::Removing;
    task.at = task.keep > 0 ? task.end : 0;
}

void BlockStore::advance(RemovalTask& task, const base::Slice& slice)
{
    using Phase = RemovalTask::Phase;
    if (task.phase == Phase::Begin)
        beginTask(task);
    const auto match = m_filters.matcher(task.filter, m_subjects);
    if (match.none() || m_state.messages == 0)
        task.phase = Phase::Finished;
    const bool locating = task.phase == Phase::Locating;
    if (locating)
        locateKept(task, match, slice);
    if (task.phase == Phase::Removing && (!locating || !slice.over()))
        removePart(task, match, slice);
    if (!task.finished())
        return;
    if (task.forward && m_state.messages == 0 && task.below > m_state.last + 1U) {
        moveForward(task.below.value());
        refreshFirst();
    }
}

/// From the newest block back until as many are found as stay: what they are stays, whatever else
/// leaves meanwhile.
void BlockStore::locateKept(
    RemovalTask& task, const FilterCache::Matcher& match, const base::Slice& slice)
{
    while (task.at > m_state.first.value()) {
        const std::size_t i = blockIndex(task.at - 1U);
        if (i >= m_blocks.size())
            break;
        MessageBlock& block = *m_blocks[i];
        if (locateInBlock(task, match, block))
            return;
        task.at = block.base;
        if (slice.over())
            return;
    }
    task.phase = RemovalTask::Phase::Finished; // all of them stay
}

bool BlockStore::locateInBlock(
    RemovalTask& task, const FilterCache::Matcher& match, MessageBlock& block)
{
    const std::uint64_t there = matchingIn(block, match, block.base, task.at);
    if (there < task.left) {
        task.left -= there;
        return false;
    }
    std::uint64_t end = block.base;
    if (there > task.left && ensureIndex(block)) {
        for (std::size_t slot = block.lowerSlot(task.at); slot-- > 0 && task.left > 0;)
            if (block.slots[slot].live() && match(block.slots[slot].subject)) {
                --task.left;
                end = block.base + block.slots[slot].delta;
            }
    }
    task.end = end;
    task.at = 0;
    task.phase = RemovalTask::Phase::Removing;
    return true;
}

bool BlockStore::holdsTooMany(const MessageBlock& block, const RemovalTask& task) const
{
    return std::any_of(block.subjects.begin(), block.subjects.end(), [&](const BlockSubject& s) {
        return s.count > 0 && m_subjects.entry(s.id).count > task.perSubject;
    });
}

void BlockStore::removePart(
    RemovalTask& task, const FilterCache::Matcher& match, const base::Slice& slice)
{
    // First what the blocks before this one have left behind: else it would only grow.
    while (!m_toRelease.empty()) {
        releaseSubjects(kReleaseStride);
        if (slice.over())
            return;
    }
    std::size_t i = task.at == 0 ? m_blocks.size() : blockIndex(task.at);
    i = i >= m_blocks.size() ? 0 : i;
    for (; i < m_blocks.size() && m_blocks[i]->base < task.end; ++i) {
        const BlockPtr block = m_blocks[i];
        const bool worth = block->live > 0 && block->last >= task.at;
        if (worth && !removeInBlock(task, match, block, slice))
            return refreshFirst();
        task.at = std::max(task.at, block->last + 1U);
        if (worth && slice.over()) {
            ++i;
            break;
        }
    }
    if (i >= m_blocks.size() || m_blocks[i]->base >= task.end)
        task.phase = RemovalTask::Phase::Finished;
    refreshFirst();
}

/// False: the slice is over and the block is not done.
bool BlockStore::removeInBlock(RemovalTask& task,
    const FilterCache::Matcher& match,
    const BlockPtr& block,
    const base::Slice& slice)
{
    // What is not in a file yet could not be read again if the removal has to be taken back.
    const bool reloads = block->sealed && block->written == block->used;
    if (match.all() && task.perSubject == 0 && block->last < task.end && (reloads || !wantsUndo())
        && ensureSubjects(*block)) {
        noteRemoved(task, std::max(block->base, m_state.first.value()), block->last);
        const Removed whole = dropWhole(block, task.cause);
        task.removed.count += whole.count;
        task.removed.bytes += whole.bytes;
        return true;
    }
    if (!mayHold(*block, match))
        return true;
    if (!ensureIndex(*block) || !blockMayMatch(*block, match)
        || (task.perSubject > 0 && !holdsTooMany(*block, task)))
        return true;
    std::size_t n = task.at == 0 ? 0 : block->lowerSlot(task.at);
    if (match.literal() != SubjectTable::kNone)
        n = std::max(n,
            block->lowerSlot(
                block->base + block->findSubject(match.literal(), m_subjects)->firstDelta));
    for (std::size_t looked = 1; n < block->slots.size(); ++n, ++looked) {
        Slot& slot = block->slots[n];
        const std::uint64_t seq = block->base + slot.delta;
        if (seq >= task.end)
            break;
        if (slot.live() && match(slot.subject)
            && (task.perSubject == 0 || m_subjects.entry(slot.subject).count > task.perSubject)) {
            noteRemoved(task, seq, seq);
            ++task.removed.count;
            task.removed.bytes += slot.size;
            removeSlot(block, slot, task.cause);
        }
        if (looked % kStride == 0 && slice.over()) {
            task.at = seq + 1U;
            return false;
        }
    }
    return true;
}

std::uint64_t BlockStore::matchingIn(
    MessageBlock& block, const FilterCache::Matcher& match, std::uint64_t from, std::uint64_t below)
{
    if (block.live == 0 || block.last < from || block.base >= below)
        return 0;
    const bool whole = block.base >= from && block.last < below;
    if (match.all()) {
        if (whole)
            return block.live;
        const std::uint64_t first = std::max(block.base, from);
        const std::uint64_t last = std::min(block.last, below - 1U);
        return last - first + 1U - m_gaps.countIn(first, last);
    }
    if (!mayHold(block, match) || !ensureIndex(block))
        return 0;
    std::uint64_t total = 0;
    if (whole) {
        if (match.literal() != SubjectTable::kNone) {
            const BlockSubject* s = block.findSubject(match.literal(), m_subjects);
            return s ? s->count : 0;
        }
        for (const BlockSubject& s : block.subjects)
            if (s.count > 0 && match(s.id))
                total += s.count;
        return total;
    }
    for (std::size_t slot = block.lowerSlot(from); slot < block.slots.size(); ++slot) {
        if (block.base + block.slots[slot].delta >= below)
            break;
        if (block.slots[slot].live() && match(block.slots[slot].subject))
            ++total;
    }
    return total;
}

void BlockStore::countBlock(CountTask& task, const FilterCache::Matcher& match, MessageBlock& block)
{
    const std::uint64_t from = std::max(task.from.value(), task.at);
    if (!task.bytes) {
        task.found.count += matchingIn(block, match, from, task.end);
        return;
    }
    if (block.live == 0 || block.last < from || block.base >= task.end)
        return;
    const auto note = [&task](std::uint64_t first, std::uint64_t last) {
        if (task.first.isZero())
            task.first = StreamSeq(first);
        task.last = StreamSeq(last);
    };
    if (match.all() && block.base >= from && block.last < task.end) {
        task.found.count += block.live;
        task.found.bytes += block.liveBytes;
        note(m_gaps.nextOutside(block.base), m_gaps.previousOutside(block.last));
        return;
    }
    if (!mayHold(block, match) || !ensureIndex(block) || !blockMayMatch(block, match))
        return;
    for (std::size_t i = block.lowerSlot(from); i < block.slots.size(); ++i) {
        const Slot& slot = block.slots[i];
        const std::uint64_t seq = block.base + slot.delta;
        if (seq >= task.end)
            break;
        if (!slot.live() || !match(slot.subject))
            continue;
        ++task.found.count;
        task.found.bytes += slot.size;
        note(seq, seq);
    }
}

/// What the table of subjects says by itself.
bool BlockStore::countAtOnce(CountTask& task, const FilterCache::Matcher& match)
{
    if (task.bytes || task.at != 0 || match.all())
        return false;
    std::uint64_t first = m_state.first.value();
    std::uint64_t last = m_state.last.value();
    if (match.literal() != SubjectTable::kNone) {
        const auto& entry = m_subjects.entry(match.literal());
        first = entry.count > 0 ? entry.first : last + 1U;
        last = entry.last;
    } else if (m_subjects.bound() > kFewSubjects) {
        return false;
    }
    if (task.from.value() > first || task.end <= last)
        return false;
    task.found.count = countMatching(match, task.from.value(), task.end);
    return true;
}

void BlockStore::advance(CountTask& task, const base::Slice& slice)
{
    if (task.finished)
        return;
    const std::uint64_t behind = m_state.last.value() + 1U;
    if (task.end == 0)
        task.end = task.below.isZero() ? behind : std::min(task.below.value(), behind);
    const auto match = m_filters.matcher(task.filter, m_subjects);
    if (match.none() || m_state.messages == 0 || countAtOnce(task, match)) {
        task.finished = true;
        return;
    }
    const std::uint64_t from = std::max({task.from.value(), task.at, m_state.first.value()});
    std::size_t i = blockIndex(from);
    for (i = i >= m_blocks.size() ? 0 : i; i < m_blocks.size(); ++i) {
        MessageBlock& block = *m_blocks[i];
        if (block.base >= task.end)
            break;
        countBlock(task, match, block);
        task.at = std::max(task.at, block.last + 1U);
        if (slice.over() && task.at < task.end)
            return;
    }
    task.finished = true;
}

void BlockStore::visit(const subjects::SubjectFilter& filter,
    StreamSeq from,
    const std::function<bool(const IndexedMessage&)>& callback)
{
    const auto match = m_filters.matcher(filter, m_subjects);
    std::uint64_t at = from.value();
    for (Found found = findForward(match, at); found.block; found = findForward(match, at)) {
        MessageBlock& block = *found.block;
        for (std::size_t n = found.slot; scanForward(match, block, n); ++n) {
            const Slot& slot = block.slots[n];
            if (!callback({StreamSeq(block.base + slot.delta),
                    slot.time,
                    m_subjects.name(slot.subject),
                    slot.size}))
                return;
        }
        at = block.last + 1U;
    }
}

StreamSeq BlockStore::firstOfNewest(std::uint64_t keep)
{
    if (keep >= m_state.messages)
        return m_state.first;
    std::uint64_t before = m_state.messages - keep;
    for (const BlockPtr& block : m_blocks) {
        if (before >= block->live) {
            before -= block->live;
            continue;
        }
        if (!ensureIndex(*block))
            break;
        for (const Slot& slot : block->slots)
            if (slot.live() && before-- == 0)
                return StreamSeq(block->base + slot.delta);
    }
    return m_state.last + 1U;
}

StreamSeq BlockStore::firstBehind(std::uint64_t bytes)
{
    if (bytes == 0)
        return m_state.first;
    for (const BlockPtr& block : m_blocks) {
        if (bytes > block->liveBytes) {
            bytes -= block->liveBytes;
            continue;
        }
        if (!ensureIndex(*block))
            break;
        for (const Slot& slot : block->slots) {
            if (!slot.live())
                continue;
            if (bytes <= slot.size)
                return StreamSeq(block->base + slot.delta + 1U);
            bytes -= slot.size;
        }
    }
    return m_state.last + 1U;
}

bool BlockStore::walkSubjects(std::uint64_t& position,
    const subjects::SubjectFilter& filter,
    const base::Slice& slice,
    const std::function<void(std::string_view, std::uint64_t)>& callback) const
{
    if (filter.isLiteral()) {
        const SubjectTable::Id id = m_subjects.find(filter.patterns().front());
        if (id != SubjectTable::kNone && m_subjects.entry(id).count > 0)
            callback(m_subjects.name(id), m_subjects.entry(id).count);
        return true;
    }
    while (position < m_subjects.bound()) {
        const auto id = static_cast<SubjectTable::Id>(position++);
        const std::uint64_t count = m_subjects.entry(id).count;
        if (count > 0 && (filter.matchesAll() || filter.matches(m_subjects.name(id))))
            callback(m_subjects.name(id), count);
        if (position % kSubjectStride == 0 && slice.over())
            return false;
    }
    return true;
}

} // namespace jetglass::store
