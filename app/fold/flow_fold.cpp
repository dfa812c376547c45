// SPDX-License-Identifier: GPL-3.0-or-later
#include "fold/flow_fold.h"

#include <algorithm>

namespace jetglass::fold {

namespace {

bool isPending(DeliveryState state)
{
    return state == DeliveryState::Delivered || state == DeliveryState::InProgress
        || state == DeliveryState::Naked || state == DeliveryState::RedeliveryDue;
}

void countDown(std::uint64_t& value, std::uint64_t by = 1)
{
    value -= std::min(value, by);
}

ConsumerView viewOf(const ConsumerOverview& overview, StreamId stream)
{
    ConsumerView view;
    view.id = overview.id;
    view.stream = stream;
    view.counts = overview.counts;
    view.ackPolicy = overview.config.ackPolicy;
    view.filtered = !overview.config.filterSubject.empty()
        || (overview.config.filterSubjects && !overview.config.filterSubjects->empty());
    view.startSeq = overview.config.deliverPolicy == DeliverPolicy::ByStartSequence
        ? overview.config.optStartSeq
        : 0;
    return view;
}

/// The state that an event puts its sequence into, for kinds that name one delivery.
DeliveryState stateAfter(const FlowEvent& event, AckPolicy policy)
{
    switch (event.kind) {
    case FlowKind::Delivered:
        return policy == AckPolicy::None ? DeliveryState::Acked : DeliveryState::Delivered;
    case FlowKind::Acked:
        return DeliveryState::Acked;
    case FlowKind::Naked:
        return event.deadline > event.time ? DeliveryState::Naked : DeliveryState::RedeliveryDue;
    case FlowKind::InProgress:
        return DeliveryState::InProgress;
    case FlowKind::Terminated:
        return DeliveryState::Terminated;
    case FlowKind::TimedOut:
        return DeliveryState::RedeliveryDue;
    default:
        return DeliveryState::Exhausted;
    }
}

bool namesOneDelivery(FlowKind kind)
{
    switch (kind) {
    case FlowKind::Delivered:
    case FlowKind::Acked:
    case FlowKind::Naked:
    case FlowKind::InProgress:
    case FlowKind::Terminated:
    case FlowKind::TimedOut:
    case FlowKind::Exhausted:
        return true;
    default:
        return false;
    }
}

} // namespace

Changes FlowFold::apply(const std::vector<FlowEvent>& events)
{
    Changes changes;
    if (events.empty())
        return changes;
    if (m_lastEvent != 0 && events.front().number > m_lastEvent + 1) {
        changes = forgetCells();
        m_recent.clear();
    }
    for (const FlowEvent& event : events) {
        if (event.number <= m_lastEvent)
            continue;
        countForRates(event);
        applyOne(event, changes);
    }
    remember(events);
    m_lastEvent = std::max(m_lastEvent, events.back().number);
    return changes;
}

void FlowFold::applyOne(const FlowEvent& event, Changes& changes)
{
    const auto stream = m_streams.find(event.stream);
    if (event.kind >= FlowKind::StreamCreated && event.kind <= FlowKind::ConsumerDeleted)
        changes[event.stream].structure = true;
    if (stream == m_streams.end())
        return;
    Change& change = changes[event.stream];
    const bool counts = event.number > m_countsAsOf;
    if (counts)
        applyStreamCounts(event, stream->second, change);
    if (stream->second.watched)
        applyStreamCells(event, stream->second, change);
    const auto consumer = m_consumers.find(event.consumer);
    if (consumer == m_consumers.end())
        return;
    if (counts)
        applyConsumerCounts(event, consumer->second, change);
    if (stream->second.watched)
        applyConsumerCell(event, stream->second, consumer->second, change);
}

void FlowFold::applyStreamCounts(const FlowEvent& event, StreamView& stream, Change& change)
{
    StreamCounts& counts = stream.counts;
    switch (event.kind) {
    case FlowKind::Stored:
        if (counts.messages == 0) {
            counts.first = event.seq;
            counts.firstTime = event.time;
        }
        counts.last = std::max(counts.last, event.seq);
        counts.lastTime = event.time;
        ++counts.messages;
        counts.bytes += event.second;
        break;
    case FlowKind::Removed:
        countDown(counts.messages,
            event.second >= event.seq.value() ? event.second - event.seq.value() + 1 : 1);
        countDown(
            counts.bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.deadline)));
        if (event.seq <= counts.first && event.second >= counts.first.value())
            counts.first = StreamSeq(event.second + 1);
        break;
    case FlowKind::RemovedByFilter:
        countDown(counts.messages, event.second);
        countDown(
            counts.bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.deadline)));
        break;
    case FlowKind::Delivered:
    case FlowKind::Acked:
    case FlowKind::AckedUpTo:
        break;
    default:
        return;
    }
    change.counts = true;
}

/// Each event once, whatever the overviews have counted already: rates are drawn from it.
void FlowFold::countForRates(const FlowEvent& event)
{
    if (event.kind != FlowKind::Acked && event.kind != FlowKind::AckedUpTo
        && event.kind != FlowKind::Stored)
        return;
    const auto found = m_streams.find(event.stream);
    if (found == m_streams.end())
        return;
    StreamView& stream = found->second;
    if (event.kind == FlowKind::Stored)
        stream.stored += event.number > stream.seenAt ? 1U : 0U;
    else
        stream.acked += event.kind == FlowKind::Acked ? 1 : event.second;
}

void FlowFold::applyConsumerCounts(const FlowEvent& event, ConsumerView& consumer, Change& change)
{
    ConsumerCounts& counts = consumer.counts;
    const auto settled = [&counts](std::uint64_t n) { countDown(counts.ackPending, n); };
    change.counts = true;
    switch (event.kind) {
    case FlowKind::Delivered:
        counts.deliveredConsumerSeq =
            std::max(counts.deliveredConsumerSeq, ConsumerSeq(event.second));
        counts.deliveredStreamSeq = std::max(counts.deliveredStreamSeq, event.seq);
        counts.nextStreamSeq = std::max(counts.nextStreamSeq, event.seq + 1);
        if (event.deliveries <= 1 && !event.redelivery) {
            countDown(counts.pending);
            if (consumer.ackPolicy != AckPolicy::None)
                ++counts.ackPending;
        } else {
            countDown(counts.redeliveryQueue);
            if (event.deliveries == 2)
                ++counts.redelivered;
        }
        return;
    case FlowKind::Acked:
        return settled(1);
    case FlowKind::AckedUpTo:
        return settled(event.second);
    case FlowKind::Terminated:
    case FlowKind::Exhausted:
        return settled(1);
    case FlowKind::TimedOut:
        ++counts.redeliveryQueue;
        return;
    case FlowKind::Naked:
        counts.redeliveryQueue += event.deadline > event.time ? 0U : 1U;
        return;
    case FlowKind::FloorMoved:
        counts.floorStreamSeq = event.seq;
        counts.floorConsumerSeq = ConsumerSeq(event.second);
        return;
    case FlowKind::CursorMoved:
        counts.nextStreamSeq = event.seq;
        return;
    case FlowKind::PullOpened:
        ++counts.waitingPulls;
        counts.lastPullAt = event.time;
        return;
    case FlowKind::PullEnded:
        return countDown(counts.waitingPulls);
    case FlowKind::Stalled:
        counts.stalled = true;
        return;
    case FlowKind::Resumed:
        counts.stalled = false;
        return;
    case FlowKind::ConsumerPaused:
        counts.paused = true;
        counts.pausedUntil = event.deadline;
        return;
    case FlowKind::ConsumerResumed:
        counts.paused = false;
        return;
    default:
        return;
    }
}

void FlowFold::applyStreamCells(const FlowEvent& event, StreamView& stream, Change& change)
{
    switch (event.kind) {
    case FlowKind::Stored: {
        const std::uint64_t seq = event.seq.value();
        Row& row = stream.cells.ensureRow(seq);
        if (row.asOf >= event.number)
            return;
        row = Row{true,
            true,
            Removal::None,
            static_cast<std::uint32_t>(event.second),
            event.subjectHash,
            event.time,
            event.number,
            QString()};
        for (const ConsumerId id : stream.consumers) {
            const auto consumer = m_consumers.find(id);
            Cell* cell = stream.cells.cell(stream.cells.column(id), seq);
            if (consumer == m_consumers.end() || !cell || consumer->second.filtered)
                continue;
            *cell = Cell{};
            cell->known = true;
            cell->state = seq < consumer->second.startSeq ? DeliveryState::BeforeStart
                                                          : DeliveryState::Waiting;
        }
        return change.touch(seq, seq);
    }
    case FlowKind::Removed: {
        const std::uint64_t last = std::max(event.second, event.seq.value());
        stream.cells.eachRow(event.seq.value(), last, [&event](std::uint64_t, Row& row) {
            if (row.asOf >= event.number)
                return;
            row.known = true;
            row.stored = false;
            row.removal = event.cause;
            row.asOf = event.number;
        });
        return change.touch(event.seq.value(), last);
    }
    case FlowKind::RemovedByFilter:
        stream.cells.clear();
        return change.touch(0, stream.counts.last.value());
    default:
        return;
    }
}

void FlowFold::applyConsumerCell(
    const FlowEvent& event, StreamView& stream, ConsumerView& consumer, Change& change)
{
    const int column = stream.cells.column(consumer.id);
    if (column < 0)
        return;
    if (event.kind == FlowKind::AckedUpTo)
        return settleUpTo(event, stream, column, change);
    if (event.kind == FlowKind::CursorMoved || event.kind == FlowKind::ConsumerChanged) {
        stream.cells.forgetColumn(consumer.id);
        return change.touch(0, stream.counts.last.value());
    }
    if (!namesOneDelivery(event.kind))
        return;
    const std::uint64_t seq = event.seq.value();
    const Row* row = stream.cells.row(seq);
    Cell* cell = stream.cells.cell(column, seq);
    if (!row || !cell || row->asOf >= event.number)
        return;
    cell->known = true;
    cell->state = stateAfter(event, consumer.ackPolicy);
    cell->deliveries = event.deliveries != 0 ? event.deliveries : std::max(cell->deliveries, 1U);
    cell->deadline = isPending(cell->state) ? event.deadline : 0;
    cell->since = event.time;
    if (event.client != ClientId{})
        cell->client = event.client;
    change.touch(seq, seq);
}

void FlowFold::settleUpTo(const FlowEvent& event, StreamView& stream, int column, Change& change)
{
    const std::uint64_t last = event.seq.value();
    std::uint64_t first = last;
    stream.cells.eachRow(0, last, [&](std::uint64_t seq, const Row& row) {
        Cell* cell = stream.cells.cell(column, seq);
        if (row.asOf >= event.number || !cell || !cell->known || !isPending(cell->state))
            return;
        cell->state = DeliveryState::Acked;
        cell->deadline = 0;
        cell->since = event.time;
        first = std::min(first, seq);
    });
    change.touch(first, last);
}

/// What it has stored so far is told by its sequences only. Events that the window had seen before
/// it knew the stream count as well.
void FlowFold::firstSight(
    const StreamOverview& seen, std::uint64_t lastEvent, StreamView& view) const
{
    const std::uint64_t before = std::max<std::uint64_t>(seen.config.firstSeq, 1) - 1;
    view.stored = seen.counts.last.value() - std::min(seen.counts.last.value(), before);
    view.seenAt = lastEvent;
    for (const FlowEvent& event : m_recent) {
        if (event.number > lastEvent && event.stream == seen.id && event.kind == FlowKind::Stored)
            ++view.stored;
    }
}

Changes FlowFold::applyOverview(const BrokerOverview& overview)
{
    Changes changes;
    std::unordered_map<StreamId, StreamView> streams;
    std::unordered_map<ConsumerId, ConsumerView> consumers;
    for (const StreamOverview& seen : overview.streams) {
        const auto before = m_streams.find(seen.id);
        Change& change = changes[seen.id];
        StreamView view = before == m_streams.end() ? StreamView{} : std::move(before->second);
        change.structure = before == m_streams.end();
        if (change.structure)
            firstSight(seen, overview.lastEvent, view);
        change.counts = true;
        view.id = seen.id;
        view.counts = seen.counts;
        std::vector<ConsumerId> ids;
        for (const ConsumerOverview& consumer : seen.consumers) {
            ids.push_back(consumer.id);
            view.cells.addColumn(consumer.id);
            consumers.emplace(consumer.id, viewOf(consumer, seen.id));
        }
        for (const ConsumerId old : view.consumers) {
            if (std::find(ids.begin(), ids.end(), old) == ids.end())
                view.cells.removeColumn(old);
        }
        change.structure = change.structure || ids != view.consumers;
        view.consumers = std::move(ids);
        streams.emplace(seen.id, std::move(view));
    }
    for (const auto& [id, gone] : m_streams) {
        if (!streams.contains(id))
            changes[id].structure = true;
    }
    m_streams = std::move(streams);
    m_consumers = std::move(consumers);
    m_countsAsOf = overview.lastEvent;
    // Counts of events that the window has seen already and the broker had not when it answered.
    Changes again;
    for (const FlowEvent& event : m_recent) {
        if (event.number > overview.lastEvent)
            applyOne(event, again);
    }
    for (auto& [id, change] : again) {
        if (change.hasCells)
            changes[id].touch(change.first, change.last);
    }
    return changes;
}

Changes FlowFold::applyRange(StreamId id, const RangeAnswer& answer)
{
    Changes changes;
    const auto found = m_streams.find(id);
    if (!answer.found || found == m_streams.end() || answer.rows.empty())
        return changes;
    StreamView& stream = found->second;
    if (answer.lastEvent < m_lastEvent && !remembers(answer.lastEvent + 1))
        return changes; // too old to be made right; the asker sees that it is still unknown and
                        // asks again
    std::vector<int> columns;
    for (const ConsumerId consumer : answer.consumers)
        columns.push_back(stream.cells.column(consumer));
    for (const RangeRow& from : answer.rows) {
        Row& row = stream.cells.ensureRow(from.seq.value());
        row = Row{true,
            from.stored,
            from.removal,
            from.size,
            from.subjectHash,
            from.time,
            answer.lastEvent,
            QString::fromStdString(from.subject)};
        for (std::size_t i = 0; i < columns.size() && i < from.cells.size(); ++i) {
            Cell* cell = stream.cells.cell(columns[i], from.seq.value());
            const DeliveryCell& told = from.cells[i];
            if (cell)
                *cell =
                    Cell{true, told.state, told.deliveries, told.deadline, told.since, told.client};
        }
    }
    changes[id].touch(answer.rows.front().seq.value(), answer.rows.back().seq.value());
    Changes ignored;
    const std::uint64_t counts = m_countsAsOf;
    m_countsAsOf = m_lastEvent; // cells only: these events have been counted
    for (const FlowEvent& event : m_recent) {
        if (event.number > answer.lastEvent && event.stream == id)
            applyOne(event, ignored);
    }
    m_countsAsOf = counts;
    return changes;
}

Changes FlowFold::forgetCells()
{
    Changes changes;
    for (auto& [id, stream] : m_streams) {
        if (!stream.watched)
            continue;
        stream.cells.clear();
        changes[id].touch(0, std::max<std::uint64_t>(stream.counts.last.value(), 1));
    }
    return changes;
}

void FlowFold::watch(StreamId id, bool on)
{
    const auto found = m_streams.find(id);
    if (found == m_streams.end())
        return;
    found->second.watched = on;
    if (!on)
        found->second.cells.clear();
}

const StreamView* FlowFold::stream(StreamId id) const
{
    const auto found = m_streams.find(id);
    return found == m_streams.end() ? nullptr : &found->second;
}

const ConsumerView* FlowFold::consumer(ConsumerId id) const
{
    const auto found = m_consumers.find(id);
    return found == m_consumers.end() ? nullptr : &found->second;
}

void FlowFold::remember(const std::vector<FlowEvent>& events)
{
    m_recent.insert(m_recent.end(), events.begin(), events.end());
    if (m_recent.size() > 2 * kRemembered)
        m_recent.erase(m_recent.begin(), m_recent.end() - static_cast<std::ptrdiff_t>(kRemembered));
}

bool FlowFold::remembers(std::uint64_t number) const
{
    return !m_recent.empty() && m_recent.front().number <= number;
}

} // namespace jetglass::fold
