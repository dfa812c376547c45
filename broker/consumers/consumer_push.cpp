// SPDX-License-Identifier: GPL-3.0-or-later
// Push delivery: interest, idle heartbeats, flow control (consumers.md 5.4 to 5.6).
#include "base/nuid.h"
#include "consumers/consumer.h"
#include "consumers/request_headers.h"
#include "streams/stream.h"

#include <charconv>

namespace jetglass::consumers {

Consumer::Step Consumer::deliverPush(const Candidate& candidate,
    std::string_view ack,
    std::string_view headers,
    std::string_view payload)
{
    const store::MessageView& message = candidate.message;
    const std::string& subject = m_config.deliverSubject;
    ClientId taker{};
    if (!sendOut(subject, {message.subject, ack, headers, payload}, message.seq, &taker)) {
        // The subscriber has gone and its end has not been told yet: not a delivery.
        m_interest = false;
        armInactive();
        return Step::Stop;
    }
    const std::uint64_t size = subject.size() + ack.size() + headers.size() + payload.size();
    recordDelivery(candidate, taker, size);
    pushSent(size);
    return Step::Again;
}

void Consumer::pushSent(std::uint64_t bytes)
{
    m_lastSent = m_context.clock.now();
    if (!m_config.flowControl)
        return;
    m_flow.sent(bytes);
    if (m_flow.wantsRequest())
        sendFlowRequest();
}

void Consumer::sendFlowRequest()
{
    std::string subject = "$JS.FC.";
    subject.append(m_stream.name()).append(".").append(m_birth.name).append(".");
    subject.append(base::randomName(4));
    m_flow.opened(subject);
    sendStatus(m_config.deliverSubject, "100 FlowControl Request", {}, subject);
    if (observed())
        emit({.seq = {}, .second = m_flow.out(), .kind = FlowKind::FlowControlSent});
}

void Consumer::onFlowAnswer(const streams::Inbound& message)
{
    if (m_closed)
        return;
    const bool newest = m_flow.answered(message.subject);
    if (m_config.ackPolicy == AckPolicy::FlowControl && !message.headers.empty()) {
        const auto stream = headerNumber(message.headers, "Nats-Last-Stream");
        const auto consumer = headerNumber(message.headers, "Nats-Last-Consumer");
        if (stream && consumer && StreamSeq(*stream) <= m_tracker.delivered.stream) {
            m_lastAck = m_context.clock.wallTime();
            settleAll(StreamSeq(*stream), ConsumerSeq(*consumer), message.sender->id, false);
        }
    }
    if (newest)
        wake();
}

std::string Consumer::heartbeatHeaders() const
{
    // How far it has looked, over messages that it does not want.
    const StreamSeq seen = std::max(m_cursor.next() - 1, m_scanned);
    return "Nats-Last-Consumer: " + std::to_string(m_tracker.delivered.consumer.value())
        + "\r\nNats-Last-Stream: " + std::to_string(seen.value()) + "\r\n";
}

void Consumer::sendHeartbeat()
{
    const std::int64_t now = m_context.clock.now();
    if (!m_interest || m_config.idleHeartbeat <= 0)
        return;
    const std::int64_t due = m_lastSent + m_config.idleHeartbeat;
    if (due > now) {
        m_heartbeatTimer.arm(due);
        return;
    }
    std::string headers = heartbeatHeaders();
    if (!m_flow.request().empty())
        headers.append("Nats-Consumer-Stalled: ").append(m_flow.request()).append("\r\n");
    sendStatus(m_config.deliverSubject, "100 Idle Heartbeat", headers);
    if (observed())
        emit({.seq = {}, .kind = FlowKind::HeartbeatSent});
    if (m_config.ackPolicy == AckPolicy::FlowControl && !m_tracker.empty()
        && m_flow.request().empty())
        sendFlowRequest();
    m_lastSent = now;
    m_heartbeatTimer.arm(now + m_config.idleHeartbeat);
    wake();
}

bool Consumer::isPushBound() const
{
    if (!m_config.isPush())
        return false;
    // Whoever asks while the creation is being written must not take the consumer for a free one.
    return m_started ? m_interest
                     : m_context.bus.hasExactInterest(m_config.deliverSubject, m_flowGroup);
}

void Consumer::interestChanged()
{
    if (!m_config.isPush() || m_closed)
        return;
    const bool interest = m_context.bus.hasExactInterest(m_config.deliverSubject, m_flowGroup);
    if (interest == m_interest)
        return;
    m_interest = interest;
    if (interest) {
        m_inactiveTimer.disarm();
        m_lastSent = m_context.clock.now();
        if (m_config.idleHeartbeat > 0)
            m_heartbeatTimer.arm(m_lastSent + m_config.idleHeartbeat);
        wake();
    } else {
        m_heartbeatTimer.disarm();
        armInactive();
    }
}

} // namespace jetglass::consumers
