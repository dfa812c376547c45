// SPDX-License-Identifier: GPL-3.0-or-later
// Each message is in exactly one state for each consumer, and it is one that what has happened
// allows.
#include "consumers/consumer.h"
#include "consumers/consumer_registry.h"
#include "invariants.h"
#include "queries/answers.h"
#include "streams/stream.h"

#include <algorithm>

namespace jetglass::simulation {

namespace {

class ConsumerCheck
{
public:
    ConsumerCheck(
        World& world, StreamModel& stream, ConsumerModel& known, consumers::Consumer& consumer)
        : m_world(world)
        , m_stream(stream)
        , m_known(known)
        , m_consumer(consumer)
        , m_counts(consumer.counts())
    {
    }
    void look(const RangeRow& row, const DeliveryCell& cell);
    void sum();

private:
    void fail(const std::string& what)
    {
        m_world.fail("consumer " + m_stream.name + "." + m_known.name + ": " + what);
    }
    void fail(std::uint64_t seq, const std::string& what)
    {
        fail("message " + std::to_string(seq) + " " + what);
    }
    void waits(std::uint64_t seq);
    void pends(std::uint64_t seq, const DeliveryCell& cell);
    void isSettled(std::uint64_t seq, const DeliveryCell& cell);

    World& m_world;
    StreamModel& m_stream;
    ConsumerModel& m_known;
    consumers::Consumer& m_consumer;
    const ConsumerCounts m_counts;
    std::uint64_t m_matching = 0;
    std::uint64_t m_waiting = 0;
    std::uint64_t m_pending = 0;
    std::uint64_t m_settled = 0;
};

void ConsumerCheck::waits(std::uint64_t seq)
{
    ++m_waiting;
    const auto it = m_known.fates.find(seq);
    if (it == m_known.fates.end() || it->second.anything)
        return;
    Fate& fate = it->second;
    if (fate.confirmed || fate.settled)
        return fail(seq, "waits again after its ack");
    if (fate.deliveries > 0 && !m_world.crashed)
        return fail(seq, "waits again after it was delivered");
    fate.deliveries = 0;
}

void ConsumerCheck::pends(std::uint64_t seq, const DeliveryCell& cell)
{
    ++m_pending;
    Fate& fate = m_known.fate(seq);
    if (fate.confirmed || fate.settled)
        return fail(seq, "is pending again after its ack");
    if (!fate.anything && cell.deliveries != fate.deliveries
        && !(m_world.crashed && cell.deliveries + 1 >= fate.deliveries))
        return fail(seq,
            "counts " + std::to_string(cell.deliveries) + " deliveries, not "
                + std::to_string(fate.deliveries));
    if (seq <= m_counts.floorStreamSeq.value() && !fate.anything && !m_known.floorPassed)
        fail(seq,
            "is pending below the ack floor " + std::to_string(m_counts.floorStreamSeq.value()));
    fate.deliveries = cell.deliveries;
    fate.anything = false;
}

void ConsumerCheck::isSettled(std::uint64_t seq, const DeliveryCell& cell)
{
    ++m_settled;
    Fate& fate = m_known.fate(seq);
    if (cell.state == DeliveryState::Exhausted) {
        // The history of outcomes is not promised: what a reset has cleared may be shown again.
        const bool loose = m_world.crashed || m_world.lostPower;
        if (loose) // the last delivery was perhaps written and has not left
            fate.deliveries = std::max(fate.deliveries, cell.deliveries);
        if (!fate.anything && !loose
            && (m_known.mostDeliver == 0
                || static_cast<std::int64_t>(fate.deliveries) < m_known.mostDeliver))
            fail(seq, "is given up after " + std::to_string(fate.deliveries) + " deliveries");
        return;
    }
    const bool sent =
        m_known.config.ackPolicy == AckPolicy::None && (fate.deliveries > 0 || m_world.crashed);
    if (!fate.settledMaybe && !fate.anything && !sent && seq >= m_known.skipped)
        return fail(seq, "is settled, and nobody has acknowledged it");
    if (m_world.crashed)
        fate.settledMaybe = true; // given out by the dead process, perhaps to nobody
    else if (!fate.anything)
        fate.settled = true;
}

void ConsumerCheck::look(const RangeRow& row, const DeliveryCell& cell)
{
    const std::uint64_t seq = row.seq.value();
    const auto it = m_stream.live.find(seq);
    if (it == m_stream.live.end())
        return;
    if (it->second.subject < 0)
        return;
    const bool selected = m_known.selects[static_cast<std::size_t>(it->second.subject)];
    m_matching += selected ? 1U : 0U;
    switch (cell.state) {
    case DeliveryState::NotMatched:
        if (selected)
            fail(seq, "matches, and is shown as if it did not");
        return;
    case DeliveryState::BeforeStart:
        ++m_settled;
        // A reset changes nothing about where a consumer was told to begin.
        if (seq >= m_known.begin && !m_known.fate(seq).anything
            && !(m_known.config.deliverPolicy == DeliverPolicy::ByStartSequence
                && seq < m_known.config.optStartSeq))
            fail(seq, "is shown as before the start");
        return;
    case DeliveryState::Waiting:
        if (!selected)
            fail(seq, "waits and does not match");
        return waits(seq);
    case DeliveryState::Delivered:
    case DeliveryState::InProgress:
    case DeliveryState::Naked:
    case DeliveryState::RedeliveryDue:
        if (m_known.changeLost && !selected)
            m_known.fate(seq).offFilter = true;
        return pends(seq, cell);
    default:
        return isSettled(seq, cell);
    }
}

void ConsumerCheck::sum()
{
    if (m_waiting != m_counts.pending && !m_stream.sharedQueue)
        fail("num_pending is " + std::to_string(m_counts.pending) + ", and "
            + std::to_string(m_waiting) + " messages wait");
    if (m_pending == 0)
        m_known.floorPassed = false;
    if (m_pending == m_counts.ackPending)
        return;
    std::string all;
    m_consumer.tracker().forEach([&all](const consumers::PendingMessage& one) {
        all += " " + std::to_string(one.seq.value());
    });
    fail("num_ack_pending is " + std::to_string(m_counts.ackPending) + ", and "
        + std::to_string(m_pending) + " messages are pending of" + all);
}

} // namespace

void checkConsumers(World& world, StreamModel& known, streams::Stream& stream)
{
    if (known.consumers.empty())
        return;
    RangeQuestion question;
    question.stream = stream.id();
    question.first = stream.store().state().first;
    question.last = stream.store().state().last;
    const RangeAnswer answer = queries::answer(question, world.box->registry(), world.box->hub());
    for (std::size_t i = 0; i < answer.consumers.size(); ++i)
        for (auto& [name, consumer] : known.consumers) {
            if (consumer.id != answer.consumers[i])
                continue;
            consumer.floorPassed = consumer.floorPassed || (world.crashed && consumer.wasPurged);
            ConsumerCheck check(world, known, consumer, *consumers::findConsumer(stream, name));
            for (const RangeRow& row : answer.rows)
                check.look(row, row.cells[i]);
            check.sum();
        }
}

} // namespace jetglass::simulation
