// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/inquiry.h"
#include "queries/lookup.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>
#include <array>
#include <span>

namespace jetglass::queries {

namespace {

constexpr std::uint32_t kMaxColumns = 4096;
constexpr std::array kHeld{DeliveryState::Delivered,
    DeliveryState::InProgress,
    DeliveryState::Naked,
    DeliveryState::RedeliveryDue,
    DeliveryState::Exhausted};

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
            m_columns.push_back(column);
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
    std::vector<DensityColumn>& all() { return m_columns; }

private:
    StreamSeq m_first;
    StreamSeq m_last;
    std::uint64_t m_base = 1;
    std::uint64_t m_wide = 0;
    std::vector<DensityColumn> m_columns;
};

/// The columns as pieces to count in, cut where a consumer began and where it is: the states of a
/// filter's messages change there.
class Pieces
{
public:
    Pieces(const std::vector<DensityColumn>& columns, StreamSeq begin, StreamSeq next)
    {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            StreamSeq from = columns[i].first;
            for (const StreamSeq cut : {begin, next})
                if (cut > from && cut <= columns[i].last) {
                    add(i, from, cut - 1);
                    from = cut;
                }
            add(i, from, columns[i].last);
        }
    }
    std::span<store::TallyPiece> all() { return m_pieces; }
    [[nodiscard]] std::size_t columnOf(std::size_t piece) const { return m_columns[piece]; }

private:
    void add(std::size_t column, StreamSeq first, StreamSeq last)
    {
        m_pieces.push_back({first, last});
        m_columns.push_back(column);
    }
    std::vector<store::TallyPiece> m_pieces;
    std::vector<std::size_t> m_columns;
};

Pieces piecesOf(const consumers::Consumer& consumer, const std::vector<DensityColumn>& columns)
{
    const StreamSeq next = consumer.nextSeq();
    return {columns, std::min(consumer.beginsAt(), next), next};
}

void countStored(store::MessageStore& store, std::vector<DensityColumn>& columns)
{
    std::vector<store::TallyPiece> pieces;
    pieces.reserve(columns.size());
    for (const DensityColumn& column : columns)
        pieces.push_back({column.first, column.last});
    store.tally({}, pieces, {});
    const StreamSeq end = store.state().last;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].stored = pieces[i].count;
        const StreamSeq last = std::min(columns[i].last, end);
        const std::uint64_t width = last < columns[i].first ? 0 : last - columns[i].first + 1;
        columns[i].removed = width > columns[i].stored ? width - columns[i].stored : 0;
    }
}

/// What matches in each piece. Of a consumer without a filter that is what is stored, which is
/// known of whole columns.
void tallyPieces(const consumers::Consumer& consumer,
    store::MessageStore& store,
    const std::vector<DensityColumn>& columns,
    Pieces& pieces,
    const base::Slice& slice)
{
    if (!consumer.filter().matchesAll()) {
        store.tally(consumer.filter(), pieces.all(), slice);
        return;
    }
    for (std::size_t i = 0; i < pieces.all().size(); ++i) {
        store::TallyPiece& piece = pieces.all()[i];
        const DensityColumn& column = columns[pieces.columnOf(i)];
        if (piece.first == column.first && piece.last == column.last)
            piece.count = column.stored;
        else
            store.tally({}, {&piece, 1}, {});
    }
}

/// Fills the counts of the consumer that stands at \a place in the answer.
void countStates(const consumers::Consumer& consumer,
    store::MessageStore& store,
    const Columns& columns,
    std::size_t place,
    const base::Slice& slice,
    DensityAnswer& answer)
{
    std::vector<DensityColumn>& all = answer.columns;
    const auto bump = [&](StreamSeq seq, DeliveryState state) {
        if (columns.holds(seq))
            ++answer.count(columns.indexOf(seq), place, state);
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
    Pieces pieces = piecesOf(consumer, all);
    tallyPieces(consumer, store, all, pieces, slice);
    std::vector<std::uint64_t> settled(all.size());
    const StreamSeq next = consumer.nextSeq();
    const StreamSeq begin = std::min(consumer.beginsAt(), next);
    for (std::size_t i = 0; i < pieces.all().size(); ++i) {
        const store::TallyPiece& piece = pieces.all()[i];
        const std::size_t column = pieces.columnOf(i);
        if (piece.last < begin)
            answer.count(column, place, DeliveryState::BeforeStart) += piece.count;
        else if (piece.last < next)
            settled[column] += piece.count;
        else
            answer.count(column, place, DeliveryState::Waiting) += piece.count;
        all[column].estimated = all[column].estimated || !piece.exact;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint64_t matching = settled[i]
            + answer.count(i, place, DeliveryState::BeforeStart)
            + answer.count(i, place, DeliveryState::Waiting);
        std::uint64_t held = 0;
        for (const DeliveryState state : kHeld)
            held += answer.count(i, place, state);
        answer.count(i, place, DeliveryState::NotMatched) =
            all[i].stored - std::min(all[i].stored, matching);
        answer.count(i, place, DeliveryState::Acked) = settled[i] - std::min(settled[i], held);
    }
}

} // namespace

/// What does not fit into one answer is left to the next one, whose columns go on where these end.
void DensityInquiry::cut(streams::Stream& stream)
{
    m_cut = true;
    const std::size_t consumers = selectConsumers(stream, m_question.consumers).size();
    const std::size_t bytes =
        sizeof(DensityColumn) + consumers * sizeof(std::uint64_t) * kDeliveryStateCount;
    const std::uint64_t fitting = std::max<std::uint64_t>(1, kAnswerBytes / bytes);
    const std::uint64_t width = m_question.last - m_question.first + 1;
    const std::uint64_t columns =
        std::min<std::uint64_t>(width, std::min(m_question.columns, kMaxColumns));
    if (columns <= fitting)
        return;
    m_answer.next =
        m_question.first + (fitting * (width / columns) + std::min(fitting, width % columns));
    m_question.last = m_answer.next - 1;
    m_question.columns = static_cast<std::uint32_t>(fitting);
}

DensityInquiry::DensityInquiry(
    DensityQuestion question, streams::StreamRegistry& registry, flow::FlowHub& hub)
    : m_question(std::move(question))
    , m_registry(registry)
    , m_hub(hub)
{
}

/// First the counts that blocks have of the filters come into memory, part by part; then everything
/// is put together in one part, so that it is true at one moment.
bool DensityInquiry::advance(const base::Slice& slice)
{
    streams::Stream* stream = m_registry.find(m_question.stream);
    const StreamSeq first = std::max(m_question.first, StreamSeq(1));
    m_question.first = first;
    if (!stream || m_question.last < first || m_question.columns == 0) {
        finish(stream, first, slice);
        return true;
    }
    if (!m_cut)
        cut(*stream);
    const auto consumers = selectConsumers(*stream, m_question.consumers);
    Columns columns(first, m_question.last, std::min(m_question.columns, kMaxColumns));
    for (; m_known < consumers.size() && m_parts < kMostParts; ++m_known) {
        const consumers::Consumer& consumer = *consumers[m_known];
        if (consumer.filter().matchesAll())
            continue;
        Pieces pieces = piecesOf(consumer, columns.all());
        if (!stream->store().tally(consumer.filter(), pieces.all(), slice)) {
            ++m_parts;
            return false;
        }
    }
    finish(stream, first, slice);
    return true;
}

void DensityInquiry::finish(streams::Stream* stream, StreamSeq first, const base::Slice& slice)
{
    m_answer.lastEvent = m_hub.lastNumber();
    if (!stream)
        return;
    m_answer.found = true;
    const auto consumers = selectConsumers(*stream, m_question.consumers);
    for (const consumers::Consumer* consumer : consumers)
        m_answer.consumers.push_back(consumer->id());
    if (m_question.last < first || m_question.columns == 0)
        return;
    Columns columns(first, m_question.last, std::min(m_question.columns, kMaxColumns));
    countStored(stream->store(), columns.all());
    m_answer.columns = columns.all();
    m_answer.clearCounts();
    for (std::size_t place = 0; place < consumers.size(); ++place)
        countStates(*consumers[place], stream->store(), columns, place, slice, m_answer);
}

DensityAnswer answer(
    const DensityQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub)
{
    DensityInquiry inquiry(question, registry, hub);
    while (!inquiry.advance({})) { }
    return inquiry.take();
}

} // namespace jetglass::queries
