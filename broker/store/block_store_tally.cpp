// SPDX-License-Identifier: GPL-3.0-or-later
// How many messages match in each of many pieces of the stream, for pictures of all of it: exact at
// the borders of blocks as soon as these have been counted once, inside a block when its index is
// loaded.
#include "store/block_store.h"

#include <algorithm>

namespace jetglass::store {

namespace {

constexpr std::size_t kMostTallies = 16;
constexpr std::size_t kSlotsPerMark = 64; ///< about

std::uint64_t shareOf(std::uint64_t count, std::uint64_t part, std::uint64_t width)
{
    return static_cast<std::uint64_t>(
        static_cast<double>(count) * static_cast<double>(part) / static_cast<double>(width));
}

} // namespace

struct BlockStore::Tallying
{
    const FilterCache::Matcher& match;
    const base::Slice& slice;
    TallyMemo* memo = nullptr; ///< null: everything matches
    bool mayRead = false;
    bool exact = true;
    std::uint64_t knownLive = 0; ///< of blocks whose count is known: what others are estimated by
    std::uint64_t knownCount = 0;

    [[nodiscard]] bool matches(const Slot& slot) const
    {
        return slot.live() && match(slot.subject);
    }
};

BlockStore::TallyMemo& BlockStore::tallyMemo(const subjects::SubjectFilter& filter)
{
    auto it = std::find_if(m_tallies.begin(), m_tallies.end(), [&filter](const TallyMemo& memo) {
        return memo.patterns == filter.patterns();
    });
    if (it == m_tallies.end()) {
        while (m_tallies.size() >= kMostTallies)
            m_tallies.pop_back();
        m_tallies.push_front({filter.patterns(), {}});
    } else if (it != m_tallies.begin()) {
        m_tallies.splice(m_tallies.begin(), m_tallies, it);
    }
    TallyMemo& memo = m_tallies.front();
    if (memo.blocks.size() > 2U * m_blocks.size() + 64U)
        memo.blocks.clear(); // most of them are gone
    return memo;
}

std::optional<std::uint64_t> BlockStore::blockCount(Tallying& tallying, MessageBlock& block)
{
    if (!tallying.memo)
        return block.live;
    const auto known = tallying.memo->blocks.find(block.serial);
    if (known != tallying.memo->blocks.end() && known->second.live == block.live)
        return known->second.count;
    if (!block.indexLoaded && !tallying.mayRead)
        return std::nullopt;
    const std::uint64_t count = matchingIn(block, tallying.match, block.base, block.last + 1U);
    // The newest block changes without its number of messages telling.
    if (block.sealed)
        tallying.memo->blocks[block.serial] = {block.live, count, 0, {}};
    tallying.mayRead = !tallying.slice.over();
    return count;
}

void BlockStore::mark(const Tallying& tallying, const MessageBlock& block, KnownCount& known)
{
    const std::uint64_t width = block.last - block.base + 1U;
    const std::uint64_t most = block.slots.size() / kSlotsPerMark + 1U;
    known.stride = static_cast<std::uint32_t>(width / most + 1U);
    known.marks.assign(width / known.stride + 1U, 0);
    std::uint32_t below = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < known.marks.size(); ++i) {
        for (; at < block.slots.size() && block.slots[at].delta < i * known.stride; ++at)
            below += tallying.matches(block.slots[at]) ? 1U : 0U;
        known.marks[i] = below;
    }
}

/// The pieces follow each other: where one ends the next one begins, and the count up to there
/// serves both.
void BlockStore::tallySlots(
    const Tallying& tallying, const MessageBlock& block, std::span<TallyPiece> pieces)
{
    KnownCount* known = nullptr;
    if (tallying.memo) {
        const auto found = tallying.memo->blocks.find(block.serial);
        known = found == tallying.memo->blocks.end() ? nullptr : &found->second;
        if (known && known->stride == 0 && pieces.size() > 1)
            mark(tallying, block, *known);
    }
    std::uint64_t below = 0; // how many match below slot at
    std::size_t at = 0;
    const auto advance = [&](std::uint64_t seq) {
        if (seq > block.last) {
            if (known) {
                at = block.slots.size();
                return below = known->count;
            }
        } else if (known && known->stride > 0) {
            const auto mark = static_cast<std::size_t>((seq - block.base) / known->stride);
            const std::uint64_t marked = block.base + mark * known->stride;
            if (at < block.slots.size() && block.base + block.slots[at].delta < marked) {
                at = block.lowerSlot(marked);
                below = known->marks[mark];
            }
        }
        for (; at < block.slots.size() && block.base + block.slots[at].delta < seq; ++at)
            below += tallying.matches(block.slots[at]) ? 1U : 0U;
        return below;
    };
    for (TallyPiece& piece : pieces) {
        const std::uint64_t before = advance(std::max(piece.first.value(), block.base));
        piece.count += advance(piece.last.value() + 1U) - before;
    }
}

/// \a pieces are those that touch the block.
void BlockStore::tallyBlock(Tallying& tallying, MessageBlock& block, std::span<TallyPiece> pieces)
{
    const auto count = blockCount(tallying, block);
    if (count) {
        tallying.knownLive += block.live;
        tallying.knownCount += *count;
    }
    const bool whole = pieces.size() == 1 && pieces[0].first.value() <= block.base
        && pieces[0].last.value() >= block.last;
    if (count && (whole || *count == 0)) {
        pieces[0].count += *count;
        return;
    }
    const auto each = [&](auto visit) {
        for (TallyPiece& piece : pieces) {
            const std::uint64_t first = std::max(block.base, piece.first.value());
            const std::uint64_t last = std::min(block.last, piece.last.value());
            visit(piece, first, last, last - first + 1U);
        }
    };
    const bool full = block.live == block.last - block.base + 1U;
    if (count == block.live) // then the gaps tell all
        return each(
            [&](TallyPiece& piece, std::uint64_t first, std::uint64_t last, std::uint64_t n) {
                piece.count += full ? n : n - m_gaps.countIn(first, last);
            });
    if (block.indexLoaded || (tallying.mayRead && ensureIndex(block))) {
        tallySlots(tallying, block, pieces);
        tallying.mayRead = tallying.mayRead && !tallying.slice.over();
        return;
    }
    const std::uint64_t guess = count ? *count
        : tallying.knownLive > 0      ? shareOf(tallying.knownCount, block.live, tallying.knownLive)
                                      : block.live;
    tallying.exact = false;
    each([&](TallyPiece& piece, std::uint64_t, std::uint64_t, std::uint64_t n) {
        piece.count += shareOf(guess, n, block.last - block.base + 1U);
        piece.exact = false;
    });
}

bool BlockStore::tally(
    const subjects::SubjectFilter& filter, std::span<TallyPiece> pieces, const base::Slice& slice)
{
    for (TallyPiece& piece : pieces) {
        piece.count = 0;
        piece.exact = true;
    }
    const auto match = m_filters.matcher(filter, m_subjects);
    if (match.none() || m_state.messages == 0 || pieces.empty())
        return true;
    Tallying tallying{match, slice};
    tallying.mayRead = !slice.over();
    tallying.memo = match.all() ? nullptr : &tallyMemo(filter);
    std::size_t i = blockIndex(pieces.front().first.value());
    std::size_t from = 0;
    for (i = i >= m_blocks.size() ? 0 : i; i < m_blocks.size(); ++i) {
        MessageBlock& block = *m_blocks[i];
        if (block.base > pieces.back().last.value())
            break;
        while (from < pieces.size() && pieces[from].last.value() < block.base)
            ++from;
        std::size_t to = from;
        while (to < pieces.size() && pieces[to].first.value() <= block.last)
            ++to;
        if (block.live > 0 && to > from)
            tallyBlock(tallying, block, pieces.subspan(from, to - from));
    }
    return tallying.exact;
}

} // namespace jetglass::store
