// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>

namespace jetglass::queries {

namespace {

constexpr std::uint32_t kMaxColumns = 4096;
constexpr std::uint64_t kWalkMessages = 4096; ///< so many are looked at one by one
constexpr std::uint64_t kManyGaps = 100'000;
constexpr std::size_t kSamples = 16; ///< exact borders of what a filter selects, in a long range

std::size_t indexOf(DeliveryState state)
{
    return static_cast<std::size_t>(state);
}

/// The columns of a range and which one a sequence falls into.
class Columns
{
public:
    Columns(StreamSeq first, StreamSeq last, std::uint32_t count)
        : m_first(first)
        , m_last(last)
    {
        const std::uint64_t width = last - first + 1;
        const std::uint64_t columns = std::min<std::uint64_t>(count, width);
        m_base = width / columns;
        m_wide = width % columns; // the first ones are one wider, so that all is covered
        StreamSeq at = first;
        for (std::uint64_t i = 0; i < columns; ++i) {
            DensityColumn column;
            column.first = at;
            column.last = at + (m_base - (i < m_wide ? 0 : 1));
            at = column.last + 1;
            m_columns.push_back(std::move(column));
        }
    }
    [[nodiscard]] bool holds(StreamSeq seq) const { return seq >= m_first && seq <= m_last; }
    [[nodiscard]] std::size_t indexOf(StreamSeq seq) const
    {
        const std::uint64_t at = seq - m_first;
        const std::uint64_t wide = m_wide * (m_base + 1);
        return static_cast<std::size_t>(
            at < wide ? at / (m_base + 1) : m_wide + (at - wide) / m_base);
    }
    DensityColumn& at(StreamSeq seq) { return m_columns[indexOf(seq)]; }
    std::vector<DensityColumn>& all() { return m_columns; }

    /// Calls with each column and its part of a run.
    template<class Visit>
    void spread(StreamSeq first, StreamSeq last, Visit visit)
    {
        first = std::max(first, m_first);
        last = std::min(last, m_last);
        if (first > last)
            return;
        for (std::size_t i = indexOf(first); i < m_columns.size() && m_columns[i].first <= last;
             ++i) {
            const StreamSeq from = std::max(first, m_columns[i].first);
            const StreamSeq to = std::min(last, m_columns[i].last);
            visit(i, from, to);
        }
    }

private:
    StreamSeq m_first;
    StreamSeq m_last;
    std::uint64_t m_base = 1;
    std::uint64_t m_wide = 0;
    std::vector<DensityColumn> m_columns;
};

/// Everything stored counts but what the map of gaps holds. With very many gaps the blocks' own
/// counts are spread.
void countStored(store::MessageStore& store, Columns& columns, StreamSeq first, StreamSeq last)
{
    const store::StoreState state = store.state();
    if (state.messages == 0)
        return;
    if (store.deletedCount() > kManyGaps) {
        for (const store::BlockSummary& block : store.blocks()) {
            const std::uint64_t width = block.last - block.first + 1;
            columns.spread(
                block.first, block.last, [&](std::size_t i, StreamSeq from, StreamSeq to) {
                    DensityColumn& column = columns.all()[i];
                    const std::uint64_t part = to - from + 1;
                    column.stored += static_cast<std::uint64_t>(static_cast<double>(block.messages)
                        * static_cast<double>(part) / static_cast<double>(width));
                    column.estimated =
                        column.estimated || (part != width && block.messages != width);
                });
        }
    } else {
        columns.spread(state.first, state.last, [&](std::size_t i, StreamSeq from, StreamSeq to) {
            columns.all()[i].stored += to - from + 1;
        });
        const StreamSeq from = std::max(first, state.first);
        const StreamSeq to = std::min(last, state.last);
        if (from <= to)
            for (const store::GapRange& gap : store.gaps(from, to))
                columns.spread(std::max(gap.first, from),
                    std::min(gap.last, to),
                    [&](std::size_t i, StreamSeq a, StreamSeq b) {
                        columns.all()[i].stored -= b - a + 1;
                    });
    }
    for (DensityColumn& column : columns.all()) {
        const StreamSeq end = std::min(column.last, state.last);
        const std::uint64_t width = end < column.first ? 0 : end - column.first + 1;
        column.removed = width > column.stored ? width - column.stored : 0;
    }
}

/// How many stored messages of each column a consumer's filter selects.
std::vector<std::uint64_t> countMatching(
    store::MessageStore& store, const subjects::SubjectFilter& filter, Columns& columns)
{
    std::vector<DensityColumn>& all = columns.all();
    std::vector<std::uint64_t> matching(all.size());
    std::uint64_t stored = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        matching[i] = all[i].stored;
        stored += all[i].stored;
    }
    if (filter.matchesAll() || stored == 0)
        return matching;
    const StreamSeq last = all.back().last;
    if (stored <= kWalkMessages) {
        std::fill(matching.begin(), matching.end(), 0);
        for (StreamSeq seq = store.findNext(filter, all.front().first);
             !seq.isZero() && seq <= last;
             seq = store.findNext(filter, seq + 1))
            ++matching[columns.indexOf(seq)];
        return matching;
    }
    const std::size_t step = std::max<std::size_t>(1, (all.size() + kSamples - 1) / kSamples);
    std::uint64_t ahead = store.count(filter, all.front().first);
    for (std::size_t from = 0; from < all.size(); from += step) {
        const std::size_t to = std::min(from + step, all.size());
        const std::uint64_t behind = store.count(filter, all[to - 1].last + 1);
        const std::uint64_t matched = ahead - behind;
        ahead = behind;
        std::uint64_t there = 0;
        for (std::size_t i = from; i < to; ++i)
            there += all[i].stored;
        for (std::size_t i = from; i < to; ++i) {
            if (matched == there)
                continue;
            matching[i] = there == 0
                ? 0
                : static_cast<std::uint64_t>(static_cast<double>(matched)
                    * static_cast<double>(all[i].stored) / static_cast<double>(there));
            all[i].estimated = all[i].estimated || (to - from > 1 && matched != 0);
        }
    }
    return matching;
}

/// A column that a border of the consumer cuts is divided by how many sequences lie on each side.
std::uint64_t share(std::uint64_t count, const DensityColumn& column, StreamSeq below)
{
    if (below <= column.first)
        return 0;
    if (below > column.last)
        return count;
    const std::uint64_t width = column.last - column.first + 1;
    const std::uint64_t part = below - column.first;
    return count == width ? part
                          : static_cast<std::uint64_t>(static_cast<double>(count)
                              * static_cast<double>(part) / static_cast<double>(width));
}

void countStates(const consumers::Consumer& consumer, store::MessageStore& store, Columns& columns)
{
    std::vector<DensityColumn>& all = columns.all();
    const std::vector<std::uint64_t> matching = countMatching(store, consumer.filter(), columns);
    for (DensityColumn& column : all)
        column.states.emplace_back(static_cast<std::size_t>(kDeliveryStateCount));
    const auto bump = [&](StreamSeq seq, DeliveryState state) {
        if (columns.holds(seq))
            ++columns.at(seq).states.back()[indexOf(state)];
    };
    consumer.tracker().forEach([&](const consumers::PendingMessage& pending) {
        using State = consumers::PendingMessage::State;
        bump(pending.seq,
            pending.state == State::Queued           ? DeliveryState::RedeliveryDue
                : pending.state == State::Naked      ? DeliveryState::Naked
                : pending.state == State::InProgress ? DeliveryState::InProgress
                                                     : DeliveryState::Delivered);
    });
    for (const auto& [seq, deliveries] : consumer.tracker().givenUpAll())
        bump(StreamSeq(seq), DeliveryState::Exhausted);
    for (std::size_t i = 0; i < all.size(); ++i) {
        DensityColumn& column = all[i];
        std::vector<std::uint64_t>& states = column.states.back();
        std::uint64_t held = 0;
        for (const std::uint64_t count : states)
            held += count;
        const StreamSeq next = consumer.nextSeq();
        const StreamSeq begin = std::min(consumer.beginsAt(), next);
        const std::uint64_t before = share(matching[i], column, begin);
        const std::uint64_t seen = share(matching[i], column, next);
        const bool cut = (next > column.first && next <= column.last)
            || (begin > column.first && begin <= column.last);
        if (cut && matching[i] != column.last - column.first + 1)
            column.estimated = true;
        states[indexOf(DeliveryState::NotMatched)] =
            column.stored - std::min(column.stored, matching[i]);
        states[indexOf(DeliveryState::BeforeStart)] = before;
        states[indexOf(DeliveryState::Waiting)] = matching[i] - seen;
        const std::uint64_t settled = seen - std::min(seen, before);
        states[indexOf(DeliveryState::Acked)] = settled - std::min(settled, held);
    }
}

} // namespace

DensityAnswer answer(
    const DensityQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub)
{
    DensityAnswer result;
    result.lastEvent = hub.lastNumber();
    streams::Stream* stream = registry.find(question.stream);
    if (!stream)
        return result;
    result.found = true;
    const auto consumers = selectConsumers(*stream, question.consumers);
    for (const consumers::Consumer* consumer : consumers)
        result.consumers.push_back(consumer->id());
    const StreamSeq first = std::max(question.first, StreamSeq(1));
    if (question.last < first || question.columns == 0)
        return result;
    Columns columns(first, question.last, std::min(question.columns, kMaxColumns));
    store::MessageStore& store = stream->store();
    countStored(store, columns, first, question.last);
    for (const consumers::Consumer* consumer : consumers)
        countStates(*consumer, store, columns);
    result.columns = std::move(columns.all());
    return result;
}

} // namespace jetglass::queries
