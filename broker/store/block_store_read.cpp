// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a store: single messages, searches, counts, summaries.
#include "store/block_store.h"
#include "store/record_codec.h"

#include <algorithm>

namespace jetglass::store {

StoreState BlockStore::state() const
{
    StoreState s = m_state;
    s.subjects = m_subjects.live();
    return s;
}

std::size_t BlockStore::blockIndex(std::uint64_t seq) const
{
    // Readers mostly stay in a block or go on to the next one.
    for (std::size_t i = m_hint; i < m_blocks.size() && i < m_hint + 2U; ++i) {
        const bool before = m_blocks[i]->base <= seq;
        const bool inside = i + 1U == m_blocks.size() || m_blocks[i + 1U]->base > seq;
        if (before && inside) {
            m_hint = i;
            return i;
        }
    }
    const auto it = std::upper_bound(
        m_blocks.begin(), m_blocks.end(), seq, [](std::uint64_t s, const BlockPtr& block) {
            return s < block->base;
        });
    if (it == m_blocks.begin())
        return m_blocks.size();
    m_hint = static_cast<std::size_t>(it - m_blocks.begin()) - 1U;
    return m_hint;
}

bool BlockStore::contains(StreamSeq seq) const
{
    return m_state.messages > 0 && seq >= m_state.first && seq <= m_state.last
        && !m_gaps.contains(seq.value());
}

BlockStore::Viewed BlockStore::view(const Found& found, MessageView& message)
{
    const std::uint64_t seq = found.seq();
    const RecordBytes record = this->record(*found.block, found.block->slots[found.slot], seq);
    const bool gone = record.damaged || record.erased != Removal::None;
    if (record.damaged)
        loseMessage(seq);
    else if (gone)
        remove(StreamSeq(seq), record.erased, false);
    if (!record.bytes)
        return gone ? Viewed::Damaged : Viewed::Unreadable;
    message = viewMessage(record.bytes);
    return Viewed::Good;
}

bool BlockStore::load(StreamSeq seq, MessageView& message)
{
    if (!contains(seq))
        return false;
    const std::size_t i = blockIndex(seq.value());
    if (i >= m_blocks.size() || !ensureIndex(*m_blocks[i]))
        return false;
    MessageBlock& block = *m_blocks[i];
    const std::size_t slot = block.lowerSlot(seq.value());
    const bool there = slot < block.slots.size() && block.slots[slot].live()
        && block.base + block.slots[slot].delta == seq.value();
    return there && view({&block, slot}, message) == Viewed::Good;
}

bool BlockStore::mayHold(const MessageBlock& block, const FilterCache::Matcher& match)
{
    if (block.live == 0)
        return false;
    if (match.all() || !block.sealed || !block.signature.built())
        return true;
    if (match.literal() != SubjectTable::kNone)
        return block.signature.mayHave(match.literal());
    const auto matching = match.few();
    return !matching
        || std::any_of(matching->begin(), matching->end(), [&block](SubjectTable::Id id) {
               return block.signature.mayHave(id);
           });
}

bool BlockStore::blockMayMatch(MessageBlock& block, const FilterCache::Matcher& match)
{
    if (block.live == 0)
        return false;
    if (match.all())
        return true;
    if (match.literal() != SubjectTable::kNone) {
        const BlockSubject* s = block.findSubject(match.literal(), m_subjects);
        return s && s->count > 0;
    }
    // When nearly every message has a subject of its own, looking at the messages is as good.
    if (block.subjects.size() * 2U > block.slots.size())
        return true;
    return std::any_of(block.subjects.begin(), block.subjects.end(), [&](const BlockSubject& s) {
        return s.count > 0 && match(s.id);
    });
}

bool BlockStore::scanForward(
    const FilterCache::Matcher& match, MessageBlock& block, std::size_t& slot)
{
    for (; slot < block.slots.size(); ++slot)
        if (block.slots[slot].live() && match(block.slots[slot].subject))
            return true;
    return false;
}

BlockStore::Found BlockStore::findForward(const FilterCache::Matcher& match, std::uint64_t from)
{
    if (m_state.messages == 0 || match.none())
        return {};
    from = std::max(from, m_state.first.value());
    if (match.literal() != SubjectTable::kNone) {
        const auto& entry = m_subjects.entry(match.literal());
        if (entry.count == 0 || from > entry.last)
            return {};
        from = std::max(from, entry.first);
    }
    if (match.all())
        from = m_gaps.nextOutside(from);
    if (from > m_state.last.value())
        return {};
    std::size_t i = blockIndex(from);
    if (i >= m_blocks.size())
        i = 0;
    const bool inside = m_blocks[i]->base < from;
    for (bool start = inside; i < m_blocks.size(); ++i, start = false) {
        MessageBlock& block = *m_blocks[i];
        if (block.last < from || !mayHold(block, match))
            continue;
        if (!ensureIndex(block))
            return {}; // better nothing than to pass over messages
        // In the middle of a block the next message is mostly near, and its own test is cheaper.
        const bool literal = match.literal() != SubjectTable::kNone;
        if ((!start || literal) && !blockMayMatch(block, match))
            continue;
        std::size_t slot = block.lowerSlot(from);
        if (literal) {
            const BlockSubject* s = block.findSubject(match.literal(), m_subjects);
            slot = std::max(slot, block.lowerSlot(block.base + s->firstDelta));
        }
        if (scanForward(match, block, slot))
            return {&block, slot};
    }
    return {};
}

BlockStore::Found BlockStore::findBackward(const FilterCache::Matcher& match, std::uint64_t upTo)
{
    if (m_state.messages == 0 || match.none())
        return {};
    if (upTo == 0 || upTo > m_state.last.value())
        upTo = m_state.last.value();
    if (match.literal() != SubjectTable::kNone) {
        const auto& entry = m_subjects.entry(match.literal());
        if (entry.count == 0 || upTo < entry.first)
            return {};
        upTo = std::min(upTo, entry.last);
    }
    if (upTo < m_state.first.value())
        return {};
    const std::size_t start = blockIndex(upTo);
    if (start >= m_blocks.size())
        return {};
    for (std::size_t i = start + 1U; i-- > 0;) {
        MessageBlock& block = *m_blocks[i];
        if (block.last < m_state.first.value())
            break;
        if (!mayHold(block, match))
            continue;
        if (!ensureIndex(block))
            return {};
        if (!blockMayMatch(block, match))
            continue;
        for (std::size_t slot = block.lowerSlot(upTo + 1U); slot-- > 0;)
            if (block.slots[slot].live() && match(block.slots[slot].subject))
                return {&block, slot};
    }
    return {};
}

bool BlockStore::loadNext(
    const subjects::SubjectFilter& filter, StreamSeq from, MessageView& message)
{
    const auto match = m_filters.matcher(filter, m_subjects);
    for (std::uint64_t at = from.value();;) {
        const Found found = findForward(match, at);
        if (!found.block)
            return false;
        at = found.seq() + 1U;
        const Viewed viewed = view(found, message);
        if (viewed != Viewed::Damaged) // else the next one counts
            return viewed == Viewed::Good;
    }
}

bool BlockStore::loadLast(
    const subjects::SubjectFilter& filter, StreamSeq upTo, MessageView& message)
{
    const auto match = m_filters.matcher(filter, m_subjects);
    for (std::uint64_t at = upTo.value();;) {
        const Found found = findBackward(match, at);
        if (!found.block)
            return false;
        at = found.seq() - 1U;
        const Viewed viewed = view(found, message);
        if (viewed != Viewed::Damaged || at == 0)
            return viewed == Viewed::Good;
    }
}

StreamSeq BlockStore::findNext(const subjects::SubjectFilter& filter, StreamSeq from)
{
    const Found found = findForward(m_filters.matcher(filter, m_subjects), from.value());
    return found.block ? StreamSeq(found.seq()) : StreamSeq();
}

StreamSeq BlockStore::skipPlain(StreamSeq from) const
{
    std::size_t i = blockIndex(from.value());
    if (i < m_blocks.size() && m_blocks[i]->mayHaveHeaders)
        return from;
    for (i = i < m_blocks.size() ? i + 1U : 0; i < m_blocks.size(); ++i)
        if (m_blocks[i]->mayHaveHeaders)
            return StreamSeq(m_blocks[i]->base);
    return m_state.last + 1U;
}

StreamSeq BlockStore::seqAtTime(std::int64_t time)
{
    auto it = std::partition_point(m_blocks.begin(), m_blocks.end(), [&](const BlockPtr& block) {
        return block->lastTime < time;
    });
    for (; it != m_blocks.end(); ++it) {
        MessageBlock& block = **it;
        if (block.live == 0 || !ensureIndex(block))
            continue;
        for (const Slot& slot : block.slots)
            if (slot.live() && slot.time >= time)
                return StreamSeq(block.base + slot.delta);
    }
    return m_state.last + 1U;
}

std::uint64_t BlockStore::exactLast(SubjectTable::Id id) const
{
    const auto& entry = m_subjects.entry(id);
    if (entry.lastExact)
        return entry.last;
    // Finding the newest message loads indexes and sharpens a bound; what the store holds does not
    // change.
    auto& self = const_cast<BlockStore&>(*this);
    const auto match = self.m_filters.matcher(
        subjects::SubjectFilter({std::string(m_subjects.name(id))}), m_subjects);
    const Found found = self.findBackward(match, entry.last);
    auto& own = self.m_subjects.entry(id);
    own.last = found.block ? found.seq() : 0;
    own.lastExact = found.block != nullptr;
    return own.last;
}

std::optional<SubjectTotals> BlockStore::subject(std::string_view literal) const
{
    const SubjectTable::Id id = m_subjects.find(literal);
    if (id == SubjectTable::kNone || m_subjects.entry(id).count == 0)
        return std::nullopt;
    const std::uint64_t last = exactLast(id);
    return SubjectTotals{m_subjects.entry(id).count, StreamSeq(last)};
}

StreamSeq BlockStore::firstOf(std::string_view literal)
{
    const SubjectTable::Id id = m_subjects.find(literal);
    if (id == SubjectTable::kNone || m_subjects.entry(id).count == 0)
        return {};
    auto& entry = m_subjects.entry(id);
    if (!entry.firstExact) {
        const subjects::SubjectFilter filter({std::string(literal)});
        const Found found = findForward(m_filters.matcher(filter, m_subjects), entry.first);
        if (!found.block)
            return {};
        entry.first = found.seq();
        entry.firstExact = true;
    }
    return StreamSeq(entry.first);
}

std::uint64_t BlockStore::liveFrom(std::uint64_t from) const
{
    if (m_state.messages == 0 || from > m_state.last.value())
        return 0;
    if (from <= m_state.first.value())
        return m_state.messages;
    std::size_t i = blockIndex(from);
    if (i >= m_blocks.size())
        return m_state.messages;
    std::uint64_t total = 0;
    const MessageBlock& block = *m_blocks[i];
    if (from <= block.last)
        total += block.last - from + 1U - m_gaps.countIn(from, block.last);
    for (++i; i < m_blocks.size(); ++i)
        total += m_blocks[i]->live;
    return total;
}

std::uint64_t BlockStore::count(const subjects::SubjectFilter& filter, StreamSeq from)
{
    const auto match = m_filters.matcher(filter, m_subjects);
    if (match.all())
        return liveFrom(from.value());
    if (match.none() || from > m_state.last)
        return 0;
    return countMatching(match, from.value(), m_state.last.value() + 1U);
}

std::uint64_t BlockStore::countMatching(
    const FilterCache::Matcher& match, std::uint64_t from, std::uint64_t below)
{
    if (m_state.messages == 0)
        return 0;
    from = std::max(from, m_state.first.value());
    const bool everything = from == m_state.first.value() && below > m_state.last.value();
    std::uint64_t total = 0;
    if (match.literal() != SubjectTable::kNone) {
        const auto& entry = m_subjects.entry(match.literal());
        if (entry.count == 0 || from > entry.last)
            return 0;
        if (below > entry.last && from <= entry.first)
            return entry.count;
    } else if (everything) {
        for (SubjectTable::Id id = 0; id < m_subjects.bound(); ++id)
            if (m_subjects.entry(id).count > 0 && match(id))
                total += m_subjects.entry(id).count;
        return total;
    }
    std::size_t i = blockIndex(from);
    for (i = i >= m_blocks.size() ? 0 : i; i < m_blocks.size() && m_blocks[i]->base < below; ++i)
        total += matchingIn(*m_blocks[i], match, from, below);
    return total;
}

void BlockStore::forEachSubject(const subjects::SubjectFilter& filter,
    const std::function<bool(std::string_view, const SubjectTotals&)>& callback) const
{
    if (filter.isLiteral()) {
        if (const auto totals = subject(filter.patterns().front()))
            callback(filter.patterns().front(), *totals);
        return;
    }
    // Not through the cache: exactLast() asks for other filters in between.
    for (SubjectTable::Id id = 0; id < m_subjects.bound(); ++id) {
        if (m_subjects.entry(id).count == 0)
            continue;
        if (!filter.matchesAll() && !filter.matches(m_subjects.name(id)))
            continue;
        const SubjectTotals totals{m_subjects.entry(id).count, StreamSeq(exactLast(id))};
        if (!callback(m_subjects.name(id), totals))
            return;
    }
}

std::vector<GapRange> BlockStore::gaps(StreamSeq first, StreamSeq last, std::size_t most) const
{
    return m_gaps.ranges(first.value(), last.value(), most);
}

std::uint64_t BlockStore::deletedCount() const
{
    if (m_state.last <= m_state.first)
        return 0;
    return m_state.last - m_state.first + 1U - m_state.messages;
}

std::vector<BlockSummary> BlockStore::blocks() const
{
    std::vector<BlockSummary> out;
    out.reserve(m_blocks.size());
    for (const BlockPtr& block : m_blocks)
        if (block->live > 0)
            out.push_back({StreamSeq(std::max(block->base, m_state.first.value())),
                StreamSeq(block->last),
                block->live,
                block->liveBytes});
    return out;
}

} // namespace jetglass::store
