// SPDX-License-Identifier: GPL-3.0-or-later
// The delivery loop (consumers.md 5.1): one message a step, in slices, at the end of a turn.
#include "consumers/advisories.h"
#include "consumers/consumer.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <charconv>

namespace jetglass::consumers {

namespace {

/// Messages per slice, so that the consumers of a turn get on alike; a turn runs a member up to
/// eight times, but all of them together deliver for about 2 ms. Where messages are large, or
/// clients many, the time ends a slice before the count does.
constexpr int kSlice = 256;
constexpr int kStride = 16;

constexpr std::string_view kHeaderFront = "NATS/1.0\r\n";
constexpr std::string_view kLineEnd = "\r\n";

MessageFacts pendingFacts(const PendingMessage* pending)
{
    MessageFacts facts;
    facts.pending = pending;
    return facts;
}

} // namespace

void Consumer::deliver()
{
    // While the stream is at long work it wakes its consumers when that is done.
    if (!m_started || m_closed || m_stream.holdsAll())
        return;
    for (int i = 0; i < kSlice; ++i) {
        if (deliverOne() == Step::Stop)
            return;
        if (i % kStride == kStride - 1 && m_context.turn.deliveryOver())
            break;
    }
    wake();
}

DeliveryFacts Consumer::facts() const
{
    DeliveryFacts f;
    f.now = m_context.clock.now();
    f.pausedUntil = m_pausedUntil;
    f.rateFreeAt = m_rateFreeAt;
    f.push = m_config.isPush();
    f.interest = m_interest;
    f.requests = m_pulls.size();
    f.eligible = f.requests;
    if (m_config.flowControl) {
        f.flowOut = m_flow.out();
        f.flowWindow = m_flow.window();
    }
    f.ackPending = m_tracker.size();
    f.maxAckPending = m_config.maxAckPending;
    f.maxDeliver = m_config.maxDeliver;
    f.held = m_held;
    return f;
}

Consumer::Step Consumer::deliverOne()
{
    const DeliveryFacts f = facts();
    if (const auto condition = blockedBeforeMessage(f)) {
        blocked(*condition);
        return Step::Stop;
    }
    Candidate candidate;
    if (m_redelivery.empty() || !nextRedelivery(candidate)) {
        if (!passes(Condition::SlotFree, f, {})) {
            // Acks may have been settled by what nextRedelivery() gave up.
            if (f.ackPending != m_tracker.size())
                return Step::Again;
            blocked(Condition::SlotFree);
            return Step::Stop;
        }
        if (!m_cursor.peek(m_stream.store(), candidate.message)
            || candidate.message.seq > m_visible) {
            endOfStream();
            return Step::Stop;
        }
    }
    if (m_stalled != 0)
        stallChanged(0);
    if (rateHolds(candidate) || (m_context.gates.active() && gateHolds(candidate)))
        return Step::Stop;

    const std::string_view payload =
        m_config.headersOnly ? std::string_view() : candidate.message.payload;
    const std::string_view headers = decorated(candidate.message);
    const std::string_view ack = m_ackSubject.build(candidate.deliveries,
        candidate.message.seq,
        m_tracker.delivered.consumer + 1,
        candidate.message.time,
        pendingAfter(candidate));
    return f.push ? deliverPush(candidate, ack, headers, payload)
                  : deliverPull(candidate, ack, headers, payload);
}

std::uint64_t Consumer::pendingAfter(const Candidate& candidate) const
{
    if (candidate.again || m_numPending == 0)
        return m_numPending;
    return m_numPending - 1;
}

void Consumer::blocked(Condition condition)
{
    if (condition == Condition::NotPaused) {
        endNoWaits();
    } else if (condition == Condition::SlotFree) {
        if (m_config.ackPolicy == AckPolicy::FlowControl && m_flow.request().empty())
            sendFlowRequest();
        stallChanged(1);
    } else if (condition == Condition::FlowWindowOpen) {
        stallChanged(2);
    }
}

void Consumer::stallChanged(int why)
{
    if (m_stalled == why)
        return;
    m_stalled = why;
    if (observed())
        emit({.seq = {},
            .second = static_cast<std::uint64_t>(why),
            .kind = why != 0 ? FlowKind::Stalled : FlowKind::Resumed});
}

bool Consumer::nextRedelivery(Candidate& candidate)
{
    const DeliveryFacts f = facts();
    for (;;) {
        const StreamSeq seq = m_redelivery.front(m_tracker);
        if (seq.isZero())
            return false;
        const PendingMessage* pending = m_tracker.find(seq);
        if (!passes(Condition::UnderMaxDeliver, f, pendingFacts(pending))) {
            giveUp(seq, pending->deliveries);
            continue;
        }
        if (!m_stream.store().load(seq, candidate.message)) {
            const Position before = m_tracker.floor;
            dropPending(seq, DeliveryState::Terminated, {});
            stage(store::ConsumerRecord::Kind::Terminated, seq, {});
            floorMaybeMoved(before);
            continue;
        }
        candidate.deliveries = pending->deliveries + 1;
        candidate.again = true;
        return true;
    }
}

void Consumer::giveUp(StreamSeq seq, std::uint32_t deliveries)
{
    PendingMessage* pending = m_tracker.find(seq);
    const ClientId client = pending->client;
    m_redelivery.drop(*pending, PendingMessage::State::Delivered);
    m_tracker.remove(seq);
    m_tracker.giveUp(seq, deliveries);
    stage(store::ConsumerRecord::Kind::Exhausted, seq, {}, 0, deliveries);
    rememberOutcome(
        seq, {DeliveryState::Exhausted, deliveries, m_context.clock.wallTime(), client});
    if (observed())
        emit({.seq = seq, .client = client, .deliveries = deliveries, .kind = FlowKind::Exhausted});
    publishMaxDeliveries(m_context, {m_stream.name(), m_birth.name}, seq, deliveries);
}

void Consumer::endOfStream()
{
    if (m_stalled != 0)
        stallChanged(0);
    if (m_cursor.listed() == 0)
        m_scanned = m_visible;
    endNoWaits();
}

bool Consumer::rateHolds(const Candidate& candidate)
{
    const std::int64_t now = m_context.clock.now();
    m_rateFreeAt = 0;
    if (!m_replayUntil.isZero()) {
        if (m_tracker.delivered.stream >= m_replayUntil) {
            m_replayUntil = {};
        } else if (m_replaySentAt != 0) {
            static constexpr std::int64_t kSmallest = 1'000'000;
            const std::int64_t gap = candidate.message.time - m_replayLast;
            if (gap > kSmallest)
                m_rateFreeAt = m_replaySentAt + gap;
        }
    }
    if (m_rate.active()) {
        const std::uint64_t size = candidate.message.subject.size()
            + candidate.message.headers.size() + candidate.message.payload.size();
        m_rateFreeAt = std::max(m_rateFreeAt, m_rate.freeAt(size, now));
    }
    if (m_rateFreeAt <= now)
        return false;
    m_resumeTimer.arm(m_rateFreeAt);
    return true;
}

bool Consumer::gateHolds(const Candidate& candidate)
{
    const flow::GateSubject subject{GatePlace::DeliveryOut,
        m_stream.name(),
        m_birth.name,
        candidate.message.subject,
        candidate.message.seq,
        {}};
    if (!m_context.gates.holds(subject))
        return false;
    m_held = true;
    m_context.gates.wake(subject, [this, alive = std::weak_ptr<int>(m_alive)] {
        if (alive.expired())
            return;
        m_held = false;
        wake();
    });
    return m_held;
}

std::string_view Consumer::decorated(const store::MessageView& message)
{
    const bool pinned = m_priority.policy() == PriorityPolicy::PinnedClient;
    if (!m_config.headersOnly && !pinned)
        return message.headers;
    if (message.headers.size() > kHeaderFront.size())
        m_headers.assign(message.headers.substr(0, message.headers.size() - kLineEnd.size()));
    else
        m_headers.assign(kHeaderFront);
    if (m_config.headersOnly) {
        char digits[24];
        const char* end = std::to_chars(digits, digits + sizeof digits, message.payload.size()).ptr;
        m_headers.append("Nats-Msg-Size: ")
            .append(digits, static_cast<std::size_t>(end - digits))
            .append(kLineEnd);
    }
    if (pinned)
        m_headers.append("Nats-Pin-Id: ").append(m_priority.pinId()).append(kLineEnd);
    m_headers.append(kLineEnd);
    return m_headers;
}

bool Consumer::sendOut(
    std::string_view route, const streams::Outbound& message, StreamSeq seq, ClientId* taker)
{
    if (m_context.gates.active()) {
        if (!m_context.bus.hasInterest(route))
            return false;
        const flow::GateSubject subject{
            GatePlace::DeliveryOut, m_stream.name(), m_birth.name, message.subject, seq, {}};
        const flow::GateDecision decision = m_context.gates.decide(subject);
        if (decision.verb != GateVerb::Pass) {
            // The copy may leave later, when the views are gone.
            m_context.gates.act(decision,
                subject,
                [&bus = m_context.bus,
                    to = std::string(route),
                    what = std::string(message.subject),
                    reply = std::string(message.reply),
                    headers = std::string(message.headers),
                    payload = std::string(message.payload)] {
                    bus.deliver(to, {what, reply, headers, payload});
                });
            return true;
        }
    }
    return m_context.bus.deliver(route, message, taker);
}

void Consumer::recordDelivery(const Candidate& candidate, ClientId taker, std::uint64_t bytes)
{
    const StreamSeq seq = candidate.message.seq;
    const std::int64_t now = m_context.clock.now();
    const std::int64_t wall = m_context.clock.wallTime();
    const ConsumerSeq consumerSeq = m_tracker.delivered.consumer + 1;
    m_tracker.delivered.consumer = consumerSeq;
    if (!candidate.again) {
        if (m_numPending > 0)
            --m_numPending;
        m_cursor.advance(seq);
        m_tracker.delivered.stream = std::max(m_tracker.delivered.stream, seq);
    }
    m_lastDelivery = wall;
    if (!m_replayUntil.isZero()) {
        m_replayLast = candidate.message.time;
        m_replaySentAt = now;
    }
    if (m_rate.active())
        m_rate.take(bytes);

    std::int64_t deadline = 0;
    if (tracksAcks()) {
        PendingMessage* pending = m_tracker.find(seq);
        if (pending) {
            m_redelivery.drop(*pending, PendingMessage::State::Delivered);
            m_tracker.setDeliveries(*pending, candidate.deliveries);
        } else {
            pending = &m_tracker.add(seq, consumerSeq);
            if (candidate.deliveries > 1)
                m_tracker.setDeliveries(*pending, candidate.deliveries);
        }
        pending->sentAt = now;
        pending->client = taker;
        deadline = ackDeadline(*pending);
        m_tracker.setDeadline(*pending, deadline);
        if (deadline != base::TimerQueue::kNever)
            m_ackTimer.armNoLaterThan(deadline);
        deadline = deadline == base::TimerQueue::kNever ? 0 : toWall(deadline);
    }
    stage(store::ConsumerRecord::Kind::Delivered, seq, consumerSeq, wall, candidate.deliveries);
    active();
    if (observed()) {
        FlowEvent& event = beginEvent(FlowKind::Delivered, seq);
        event.second = consumerSeq.value();
        event.deadline = deadline;
        event.client = taker;
        event.subjectHash = subjects::hash(candidate.message.subject);
        event.deliveries = candidate.deliveries;
        event.redelivery = candidate.again;
        m_context.hub.end([&candidate] { return FlowText{candidate.message.subject, {}, {}, {}}; });
    }
    if (!tracksAcks()) {
        m_tracker.floor = m_tracker.delivered;
        m_settled.acked(seq, wall, taker);
        m_stream.onSettled(seq);
    }
}

std::int64_t Consumer::ackWaitOf(std::uint32_t deliveries) const
{
    if (m_config.backoff.empty())
        return m_config.ackWait;
    const std::size_t step = deliveries == 0 ? 0 : deliveries - 1;
    return m_config.backoff[std::min(step, m_config.backoff.size() - 1)];
}

std::int64_t Consumer::ackDeadline(const PendingMessage& message) const
{
    if (m_config.ackPolicy == AckPolicy::FlowControl)
        return base::TimerQueue::kNever;
    const std::int64_t wait = ackWaitOf(message.deliveries);
    // A delayed nak can set the time of delivery far back, even below zero.
    if (message.sentAt > 0 && wait > base::TimerQueue::kNever - 1 - message.sentAt)
        return base::TimerQueue::kNever - 1;
    return message.sentAt + wait;
}

} // namespace jetglass::consumers
