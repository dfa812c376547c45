// SPDX-License-Identifier: GPL-3.0-or-later
// Acknowledgements and what happens without one (consumers.md 6).
#include "base/random.h"
#include "base/time_text.h"
#include "consumers/advisories.h"
#include "consumers/consumer.h"
#include "consumers/request_headers.h"
#include "streams/json_decode.h"
#include "streams/stream.h"

#include <algorithm>
#include <random>

namespace jetglass::consumers {

namespace {

constexpr std::string_view kNext = "+NXT";
constexpr std::string_view kNak = "-NAK";
constexpr std::string_view kTerm = "+TERM";

/// The delay behind "-NAK": JSON or a Go duration. Nothing if there is none or it cannot be read.
std::optional<std::int64_t> nakDelay(std::string_view rest)
{
    if (rest.empty())
        return std::nullopt;
    if (rest.front() != '{')
        return base::parseGoDuration(rest);
    std::int64_t delay = 0;
    streams::JsonFields fields(false);
    fields.add("delay", delay);
    if (!streams::decodeJson(rest, fields))
        return std::nullopt;
    return delay;
}

} // namespace

void Consumer::onAck(const streams::Inbound& message)
{
    if (m_context.gates.active()) {
        AckReference reference;
        (void)parseAckSubject(message.subject, reference);
        const flow::GateSubject subject{GatePlace::AckIn,
            m_stream.name(),
            m_birth.name,
            message.subject,
            reference.seq,
            message.sender->id};
        const flow::GateDecision decision = m_context.gates.decide(subject);
        if (decision.verb != GateVerb::Pass && decision.verb != GateVerb::Hold) {
            m_context.gates.act(decision,
                subject,
                [this,
                    alive = std::weak_ptr<int>(m_alive),
                    ackSubject = std::string(message.subject),
                    reply = std::string(message.reply),
                    payload = std::string(message.payload),
                    id = message.sender->id] {
                    if (!alive.expired())
                        takeAck(ackSubject, reply, payload, id);
                });
            return;
        }
    }
    takeAck(message.subject, message.reply, message.payload, message.sender->id);
}

void Consumer::takeAck(
    std::string_view subject, std::string_view reply, std::string_view payload, ClientId client)
{
    if (m_closed)
        return;
    AckReference reference;
    if (!parseAckSubject(subject, reference))
        return;
    active();
    // A pending message may have put the end of an idle consumer off: look again.
    if (m_config.inactiveThreshold > 0 && (m_config.isPush() ? !m_interest : m_putOff))
        armInactive();
    bool answer = true;
    if (payload.empty() || payload == "+ACK" || payload == "+OK") {
        answer = ack(reference, client);
    } else if (payload.starts_with(kNext)) {
        (void)ack(reference, client);
        openPull(payload.substr(kNext.size()), reply, {}, client);
        answer = false;
    } else if (payload.starts_with(kNak)) {
        nak(reference, trimmed(payload.substr(kNak.size())), client);
    } else if (payload == "+WPI") {
        inProgress(reference, client);
    } else if (payload.starts_with(kTerm)) {
        answer = terminate(reference, trimmed(payload.substr(kTerm.size())), client);
    }
    if (answer && !reply.empty())
        confirm(reply);
}

void Consumer::confirm(std::string_view reply)
{
    if (m_persistent)
        m_keeper->confirmWhenWritten(reply);
    else
        m_context.bus.publish({reply, {}, {}, {}});
}

bool Consumer::ack(const AckReference& reference, ClientId client)
{
    if (reference.seq > m_tracker.delivered.stream)
        return false;
    m_lastAck = m_context.clock.wallTime();
    if (m_config.ackPolicy == AckPolicy::Explicit)
        settleOne(reference.seq, reference.consumerSeq, client, false, {});
    else
        settleAll(reference.seq, reference.consumerSeq, client, false);
    return true;
}

bool Consumer::terminate(const AckReference& reference, std::string_view reason, ClientId client)
{
    bool answer = false;
    if (reference.seq <= m_tracker.delivered.stream) {
        answer = true;
        m_lastAck = m_context.clock.wallTime();
        if (m_config.ackPolicy == AckPolicy::Explicit)
            settleOne(reference.seq, reference.consumerSeq, client, true, reason);
        else
            settleAll(reference.seq, reference.consumerSeq, client, true);
    }
    publishTerminated(m_context,
        {m_stream.name(), m_birth.name},
        {reference.seq, reference.consumerSeq, reference.deliveries},
        reason);
    return answer;
}

void Consumer::settleOne(StreamSeq seq,
    ConsumerSeq consumerSeq,
    ClientId client,
    bool terminated,
    std::string_view reason)
{
    const Position before = m_tracker.floor;
    PendingMessage* pending = m_tracker.find(seq);
    const auto kind =
        terminated ? store::ConsumerRecord::Kind::Terminated : store::ConsumerRecord::Kind::Acked;
    const std::int64_t wall = m_context.clock.wallTime();
    const DeliveryState state = terminated ? DeliveryState::Terminated : DeliveryState::Acked;
    if (!pending) {
        const std::uint32_t deliveries = m_tracker.givenUp(seq);
        if (!m_tracker.forgetGivenUp(seq))
            return;
        stage(kind, seq, consumerSeq);
        rememberOutcome(seq, {state, deliveries, wall, client});
    } else {
        if (!terminated && m_samplePercent > 0)
            sample({seq, consumerSeq, pending->deliveries}, *pending);
        if (terminated || pending->deliveries > 1)
            rememberOutcome(seq, {state, pending->deliveries, wall, client});
        else
            m_settled.acked(seq, wall, client);
        m_redelivery.drop(*pending, PendingMessage::State::Delivered);
        m_tracker.settle(seq);
        stage(kind, seq, consumerSeq);
    }
    if (observed()) {
        FlowEvent& event = beginEvent(terminated ? FlowKind::Terminated : FlowKind::Acked, seq);
        event.second = consumerSeq.value();
        event.client = client;
        m_context.hub.end([reason] { return FlowText{{}, {}, {}, reason}; });
    }
    floorMaybeMoved(before);
    afterSettle();
    m_stream.onSettled(seq);
}

void Consumer::settleAll(StreamSeq seq, ConsumerSeq consumerSeq, ClientId client, bool terminated)
{
    // As the real server: an ack of an earlier delivery than the floor's is confirmed and counts
    // for nothing, so its message comes again.
    if (seq <= m_tracker.floor.stream || consumerSeq <= m_tracker.floor.consumer)
        return;
    const std::int64_t wall = m_context.clock.wallTime();
    const DeliveryState state = terminated ? DeliveryState::Terminated : DeliveryState::Acked;
    m_tracker.forEach([&](const PendingMessage& pending) {
        if (pending.seq > seq)
            return;
        if (terminated || pending.deliveries > 1)
            rememberOutcome(pending.seq, {state, pending.deliveries, wall, client});
        else
            m_settled.acked(pending.seq, wall, client);
        if (pending.state == PendingMessage::State::Queued)
            m_redelivery.drop(*m_tracker.find(pending.seq), PendingMessage::State::Delivered);
    });
    const Position before = m_tracker.floor;
    const std::vector<StreamSeq> settled = m_tracker.settleUpTo(seq, consumerSeq);
    stage(store::ConsumerRecord::Kind::AckedUpTo, seq, consumerSeq);
    if (observed())
        emit({.seq = seq, .second = settled.size(), .client = client, .kind = FlowKind::AckedUpTo});
    floorMaybeMoved(before);
    afterSettle();
    for (const StreamSeq s : settled)
        m_stream.onSettled(s);
    std::vector<StreamSeq> revived;
    for (const auto& [number, deliveries] : m_tracker.givenUpAll())
        if (number <= seq.value())
            revived.emplace_back(number);
    for (const StreamSeq s : revived) {
        m_tracker.forgetGivenUp(s);
        m_stream.onSettled(s);
    }
}

/// Nothing is sent: the copy reads the stream itself, and this consumer says how far it is.
void Consumer::onCopied(StreamSeq upTo)
{
    Candidate candidate;
    while (!m_closed && m_cursor.peek(m_stream.store(), candidate.message)
        && candidate.message.seq <= std::min(upTo, m_visible))
        recordDelivery(candidate, ClientId{}, 0);
    if (m_closed || m_tracker.empty())
        return;
    m_lastAck = m_context.clock.wallTime();
    settleAll(m_tracker.delivered.stream, m_tracker.delivered.consumer, ClientId{}, false);
}

void Consumer::nak(const AckReference& reference, std::string_view rest, ClientId client)
{
    if (reference.consumerSeq <= m_tracker.floor.consumer
        || reference.consumerSeq > m_tracker.delivered.consumer + 1)
        return;
    PendingMessage* pending = m_tracker.find(reference.seq);
    if (!pending)
        return;
    publishNaked(m_context,
        {m_stream.name(), m_birth.name},
        {reference.seq, reference.consumerSeq, reference.deliveries});
    const std::int64_t now = m_context.clock.now();
    pending = m_tracker.find(reference.seq);
    std::int64_t again = 0;
    if (const auto delay = nakDelay(rest)) {
        pending->sentAt = now + *delay - m_config.ackWait;
        pending->client = client;
        m_redelivery.drop(*pending, PendingMessage::State::Naked);
        m_tracker.setDeadline(*pending, std::max(ackDeadline(*pending), now));
        m_ackTimer.armNoLaterThan(pending->deadline);
        again = toWall(pending->deadline);
        m_lastDelivery = m_context.clock.wallTime();
        stage(store::ConsumerRecord::Kind::Naked,
            reference.seq,
            reference.consumerSeq,
            toWall(pending->sentAt));
    } else {
        m_redelivery.push(*pending);
        wake();
    }
    if (observed())
        emit({.seq = reference.seq,
            .second = reference.consumerSeq.value(),
            .deadline = again,
            .client = client,
            .deliveries = pending->deliveries,
            .kind = FlowKind::Naked});
}

void Consumer::inProgress(const AckReference& reference, ClientId client)
{
    PendingMessage* pending = m_tracker.find(reference.seq);
    if (!pending)
        return;
    m_lastDelivery = m_context.clock.wallTime();
    pending->sentAt = m_context.clock.now();
    if (pending->state != PendingMessage::State::Queued) {
        pending->state = PendingMessage::State::InProgress;
        m_tracker.setDeadline(*pending, ackDeadline(*pending));
        if (pending->deadline != base::TimerQueue::kNever)
            m_ackTimer.armNoLaterThan(pending->deadline);
    }
    stage(store::ConsumerRecord::Kind::InProgress,
        reference.seq,
        reference.consumerSeq,
        m_lastDelivery);
    if (observed())
        emit({.seq = reference.seq,
            .deadline =
                pending->deadline == base::TimerQueue::kNever ? 0 : toWall(pending->deadline),
            .client = client,
            .kind = FlowKind::InProgress});
}

void Consumer::ackTimerFired()
{
    const std::int64_t now = m_context.clock.now();
    for (const StreamSeq seq : m_tracker.takeDue(now)) {
        PendingMessage* pending = m_tracker.find(seq);
        if (!pending)
            continue;
        if (observed())
            emit({.seq = seq,
                .client = pending->client,
                .deliveries = pending->deliveries,
                .kind = FlowKind::TimedOut});
        if (m_config.maxDeliver == 1 && pending->deliveries >= 1)
            giveUp(seq, pending->deliveries);
        else
            m_redelivery.push(*pending);
    }
    armAckTimer();
    wake();
}

void Consumer::armAckTimer()
{
    const std::int64_t next = m_tracker.nextDeadline();
    if (next == base::TimerQueue::kNever)
        m_ackTimer.disarm();
    else
        m_ackTimer.arm(next);
}

void Consumer::sample(const AckReference& reference, const PendingMessage& message)
{
    static constexpr double kAlways = 100;
    if (m_samplePercent < kAlways) {
        if (std::uniform_real_distribution<double>(0, kAlways)(base::randomEngine())
            >= m_samplePercent)
            return;
    }
    publishAckMetric(m_context,
        {m_stream.name(), m_birth.name},
        {reference.seq, reference.consumerSeq, reference.deliveries},
        m_context.clock.now() - message.sentAt);
}

void Consumer::afterSettle()
{
    if (m_stalled == 1 || m_config.ackPolicy == AckPolicy::FlowControl)
        wake();
}

/// An ack-all of an earlier message would not count below the floor. The reference server takes
/// what has gone for acknowledged, with all before it; here those stay pending and the floor stays
/// too.
bool Consumer::settleGone(StreamSeq seq)
{
    const bool first = m_tracker.empty() || m_tracker.firstFrom(StreamSeq())->seq >= seq;
    if (m_config.ackPolicy != AckPolicy::All || first)
        return m_tracker.settle(seq);
    const bool pending = m_tracker.find(seq) != nullptr;
    m_tracker.remove(seq);
    return pending;
}

void Consumer::dropPending(StreamSeq seq, DeliveryState how, ClientId client)
{
    PendingMessage* pending = m_tracker.find(seq);
    if (!pending)
        return;
    rememberOutcome(seq, {how, pending->deliveries, m_context.clock.wallTime(), client});
    m_redelivery.drop(*pending, PendingMessage::State::Delivered);
    settleGone(seq);
    m_lastAck = m_context.clock.wallTime();
    if (observed())
        emit({.seq = seq, .client = client, .kind = FlowKind::Terminated},
            {{}, {}, {}, kMessageDeleted});
}

void Consumer::floorMaybeMoved(const Position& before)
{
    if (!observed() || m_tracker.floor.stream == before.stream)
        return;
    FlowEvent& event = beginEvent(FlowKind::FloorMoved, m_tracker.floor.stream);
    event.second = m_tracker.floor.consumer.value();
    m_context.hub.end();
}

} // namespace jetglass::consumers
