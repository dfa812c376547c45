// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"
#include "subjects/subject.h"

namespace jetglass::queries {

namespace {

constexpr std::uint64_t kMaxRows = 4096;

/// The cause of each removed sequence, walked along with the rows.
class GapWalk
{
public:
    GapWalk(const store::MessageStore& store, StreamSeq first, StreamSeq last)
        : m_gaps(store.gaps(first, last))
    {
    }
    Removal causeOf(StreamSeq seq)
    {
        while (m_at < m_gaps.size() && m_gaps[m_at].last < seq)
            ++m_at;
        if (m_at < m_gaps.size() && m_gaps[m_at].first <= seq)
            return m_gaps[m_at].cause;
        return Removal::Unknown;
    }

private:
    std::vector<store::GapRange> m_gaps;
    std::size_t m_at = 0;
};

DeliveryCell cellOf(const consumers::Consumer& consumer, const RangeRow& row)
{
    DeliveryCell cell = consumer.cell(row.seq, row.subject);
    // What is no longer stored and was never delivered will not come.
    if (!row.stored && cell.state == DeliveryState::Waiting)
        cell.state = DeliveryState::NotMatched;
    return cell;
}

} // namespace

RangeAnswer answer(
    const RangeQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub)
{
    RangeAnswer result;
    result.lastEvent = hub.lastNumber();
    streams::Stream* stream = registry.find(question.stream);
    if (!stream)
        return result;
    result.found = true;
    result.time = stream->context().clock.wallTime();
    const auto consumers = selectConsumers(*stream, question.consumers);
    for (const consumers::Consumer* consumer : consumers)
        result.consumers.push_back(consumer->id());
    store::MessageStore& store = stream->store();
    const StreamSeq end = store.state().last;
    const StreamSeq first = std::max(question.first, StreamSeq(1));
    const StreamSeq last = std::min({question.last, end, first + (kMaxRows - 1)});
    result.first = first;
    result.last = first - 1;
    GapWalk gaps(store, first, last);
    std::size_t bytes = 0;
    for (StreamSeq seq = first; seq <= last; ++seq) {
        RangeRow row;
        row.seq = seq;
        store::MessageView view;
        row.stored = store.load(seq, view);
        if (row.stored) {
            row.time = view.time;
            row.size = static_cast<std::uint32_t>(view.headers.size() + view.payload.size());
            row.subject = view.subject;
            row.subjectHash = subjects::hash(view.subject);
        } else {
            row.removal = gaps.causeOf(seq);
        }
        bytes += sizeof(RangeRow) + row.subject.size() + consumers.size() * sizeof(DeliveryCell);
        if (bytes > kAnswerBytes && !result.rows.empty())
            break;
        row.cells.reserve(consumers.size());
        for (const consumers::Consumer* consumer : consumers)
            row.cells.push_back(cellOf(*consumer, row));
        result.rows.push_back(std::move(row));
        result.last = seq;
    }
    return result;
}

} // namespace jetglass::queries
