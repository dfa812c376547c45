// SPDX-License-Identifier: GPL-3.0-or-later
// What a client gets: messages, answers, and what happens when it does not take them fast enough.
#include "base/log.h"
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace jetglass::server {

namespace {

/// With so much queued in one turn, the rest of the turn does not wait for the turn's end to be
/// sent.
constexpr std::uint64_t kEagerFlush = 1U << 20U;

char* put(char* to, std::string_view bytes)
{
    if (!bytes.empty()) // an empty view may be null
        std::memcpy(to, bytes.data(), bytes.size());
    return to + bytes.size();
}

} // namespace

bool Client::deliver(Subscription& subscription, const Routed& message)
{
    const std::string_view reason = whyNot(subscription, message);
    if (message.trace != nullptr)
        message.trace->reachedClient(*this, subscription, reason);
    if (!reason.empty())
        return false;
    const bool withHeaders = m_options.headers && !message.headers.empty();
    const auto before = message.head->before(withHeaders);
    // A peer that takes no headers gets the payload alone, with the plain size.
    const auto after = message.head->after(withHeaders);
    const std::string_view headers = withHeaders ? message.headers : std::string_view();
    const std::size_t size = before.size() + subscription.sid.size() + after.size() + headers.size()
        + message.payload.size() + 2;
    if (char* to = m_outbox.room(size)) {
        to = put(to, before);
        to = put(to, subscription.sid);
        to = put(to, after);
        to = put(to, headers);
        to = put(to, message.payload);
        put(to, "\r\n");
        m_outbox.took(size);
    } else {
        for (const auto part :
            {before, std::string_view(subscription.sid), after, headers, message.payload})
            m_outbox.append(part);
        m_outbox.append("\r\n");
    }

    if (m_trace)
        traceDelivery(subscription, message, headers, withHeaders);
    m_moved = true;
    ++m_out.messages;
    m_out.bytes += headers.size() + message.payload.size();
    m_engine.countOut(headers.size() + message.payload.size());
    if (message.origin != nullptr)
        m_account->sentFor(*message.origin, headers.size() + message.payload.size());
    if (m_replyPermits.active() && !message.reply.empty())
        m_replyPermits.note(message.reply, realNow());
    ++subscription.delivered;
    if (subscription.max != 0 && subscription.delivered >= subscription.max)
        end(subscription);
    queued();
    if (message.from != nullptr && isCongested())
        message.from->stall();
    return true;
}

std::string_view Client::whyNot(const Subscription& subscription, const Routed& message) const
{
    if (m_closed)
        return "Not delivered because client is closed";
    if (!m_options.echo && message.from == this)
        return "Not delivered because of no echo";
    if (m_engine.config().noFastProducerStall && message.from != nullptr && isCongested())
        return "Not delivered because fast producer not stalled and consumer is slow";
    if (subscription.filtered && !m_permissions.mayReceive(message.wireSubject))
        return "Not delivered because subscription denies this subject";
    return {};
}

bool Client::isCongested() const
{
    return m_outbox.size() > static_cast<std::uint64_t>(m_engine.config().maxPending) / 4 * 3;
}

void Client::queued()
{
    if (m_closed)
        return;
    if (!m_inFlushList) {
        m_inFlushList = true;
        m_engine.needsFlush(*this);
    }
    if (m_outbox.size() < kEagerFlush)
        return;
    m_link->flush(m_outbox);
    if (m_closed || !isCongested())
        return;
    if (m_outbox.size() <= static_cast<std::uint64_t>(m_engine.config().maxPending)) {
        stall(); // what it asks for only adds to what it does not take
        return;
    }
    m_engine.noteSlowConsumer();
    emitFlow(FlowKind::ClientSlow);
    log(base::LogLevel::Info,
        fmt::format(
            "Slow Consumer Detected: MaxPending of {} Exceeded", m_engine.config().maxPending));
    close(CloseReason::SlowConsumerPendingBytes, CloseMode::Drop);
}

/// Messages and subscriptions count as activity; what keeps the connection alive does not.
void Client::noteMoved()
{
    if (std::exchange(m_moved, false))
        m_lastActivity = m_engine.realWall();
}

void Client::flush()
{
    m_inFlushList = false;
    noteMoved();
    if (!m_closed && !m_outbox.isEmpty())
        m_link->flush(m_outbox);
}

void Client::send(std::string_view bytes)
{
    if (m_closed)
        return;
    m_outbox.append(bytes);
    queued();
}

void Client::sendError(std::string_view text)
{
    if (m_trace)
        trace(fmt::format("->> [-ERR {}]", text));
    send(fmt::format("-ERR '{}'\r\n", text));
}

void Client::ok()
{
    if (!m_options.verbose)
        return;
    if (m_trace)
        trace("->> [OK]");
    send("+OK\r\n");
}

void Client::sendInfo(std::string_view json)
{
    send(fmt::format("INFO {} \r\n", json));
}

} // namespace jetglass::server
