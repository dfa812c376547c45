// SPDX-License-Identifier: GPL-3.0-or-later
// What a client asks for: publish, subscribe, unsubscribe, ping.
#include "base/log.h"
#include "protocol/headers.h"
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jetglass::server {

// --- publish (order of checks: core.md 1.6)

void Client::handlePublish(const protocol::Operation& operation)
{
    const std::uint64_t bytes = operation.headers.size() + operation.payload.size();
    ++m_in.messages;
    m_in.bytes += bytes;
    m_engine.countIn(bytes);
    const bool externally = !m_account->traceDestination().empty();
    if (!operation.headers.empty() && TraceRequest::mayBeIn(operation.headers, externally)
        && handleFollowed(operation))
        return;
    publish(operation, nullptr);
}

void Client::publish(const protocol::Operation& operation, MessageTrace* trace)
{
    if (!checkPublish(operation, trace))
        return;
    ok();
    Routed message;
    message.subject = operation.subject;
    message.wireSubject = operation.subject;
    message.reply = operation.reply;
    message.headers = operation.headers;
    message.payload = operation.payload;
    message.from = this;
    message.trace = trace;
    std::optional<std::string> mapped;
    if (!m_account->mappings().isEmpty()) {
        mapped = m_account->mappings().apply(operation.subject);
        if (mapped)
            message.subject = message.wireSubject = *mapped;
        if (mapped && trace != nullptr)
            trace->mapped(*mapped);
    }
    const std::size_t taken = message.subject.empty() ? 0 : m_account->route(message);
    if (taken == 0 && m_options.noResponders && !operation.reply.empty())
        answerNoResponders(operation);
}

bool Client::mayPublish(std::string_view subject)
{
    if (m_permissions.unrestricted() || m_permissions.mayPublish(subject))
        return true;
    return m_replyPermits.active() && m_replyPermits.use(subject, realNow());
}

void Client::refusePublish(std::string_view subject, MessageTrace* trace)
{
    const std::string text = fmt::format("Permissions Violation for Publish to \"{}\"", subject);
    if (trace != nullptr)
        trace->refused(text);
    sendError(text);
    log(base::LogLevel::Error, fmt::format("Publish Violation - Subject \"{}\"", subject));
}

bool Client::checkPublish(const protocol::Operation& operation, MessageTrace* trace)
{
    const auto subject = operation.subject;
    const auto reply = operation.reply;
    const bool reserved = subject.starts_with("_GR_.")
        || (subject.starts_with("$NRG.") && m_account != &m_engine.systemAccount());
    if (reserved || !mayPublish(subject)) {
        refusePublish(subject, trace);
        return false;
    }
    if (reply.starts_with("_R_.") || reply.starts_with("$JS.ACK.") || reply.starts_with("_GR_.")) {
        const std::string text =
            fmt::format("Permissions Violation for Publish with Reply of \"{}\"", reply);
        if (trace != nullptr)
            trace->refused(text);
        sendError(text);
        log(base::LogLevel::Error, fmt::format("Publish Violation - Reply \"{}\"", reply));
        return false;
    }
    return true;
}

void Client::answerNoResponders(const protocol::Operation& operation)
{
    const auto own =
        std::find_if(m_subscriptions.begin(), m_subscriptions.end(), [&](const auto& e) {
            const Subscription& s = *e.second;
            return !s.ended && s.queue.empty() && subjects::matches(s.subject, operation.reply);
        });
    if (own == m_subscriptions.end())
        return;
    const std::string block =
        protocol::statusBlock(503, {}, fmt::format("Nats-Subject: {}\r\n", operation.subject));
    protocol::MessageHead head;
    head.set(operation.reply, {}, block.size(), 0);
    m_outbox.append(head.before(true));
    m_outbox.append(own->second->sid);
    m_outbox.append(head.after(true));
    m_outbox.append(block);
    m_outbox.append("\r\n");
    // Not counted as a message sent: neither the connection's figures nor the server's show it.
    queued();
}

// --- subscribe

bool Client::checkSubscribe(const protocol::Operation& operation)
{
    const auto refuse = [&](std::string_view queue, std::string_view tail) {
        std::string text =
            fmt::format("Permissions Violation for Subscription to \"{}\"", operation.subject);
        if (!queue.empty())
            text += fmt::format(" using queue \"{}\"", queue);
        sendError(text.append(tail));
        log(base::LogLevel::Error,
            fmt::format("Subscription Violation - Subject \"{}\", SID {}",
                operation.subject,
                operation.sid));
        return false;
    };
    const auto maxTokens = m_engine.config().maxSubTokens;
    if (maxTokens > 0
        && subjects::tokenCount(operation.subject) > static_cast<std::size_t>(maxTokens))
        return refuse({}, ", too many tokens");
    if (operation.queue == "_sys_")
        return refuse(operation.queue, {});
    if (!m_permissions.maySubscribe(operation.subject, operation.queue))
        return refuse(operation.queue, {});
    const auto reached = [this](std::int64_t limit) {
        return m_subscriptions.size() >= static_cast<std::size_t>(limit);
    };
    const std::int64_t ofServer = m_engine.config().maxSubscriptions;
    const std::int64_t ofAccount = m_account == nullptr ? -1 : m_account->maxSubscriptions();
    if ((ofServer > 0 && reached(ofServer)) || (ofAccount >= 0 && reached(ofAccount))) {
        sendError("maximum subscriptions exceeded");
        return false;
    }
    if (!subjects::isValidSubscription(operation.subject)) {
        sendError("Invalid Subject");
        return false;
    }
    return true;
}

void Client::handleSubscribe(const protocol::Operation& operation)
{
    if (!checkSubscribe(operation))
        return;
    ok();
    if (m_subscriptions.contains(operation.sid))
        return;
    auto subscription = std::make_unique<Subscription>();
    subscription->subject = operation.subject;
    subscription->queue = operation.queue;
    subscription->sid = operation.sid;
    subscription->client = this;
    subscription->filtered =
        !m_permissions.unrestricted() && m_permissions.needsDeliveryFilter(operation.subject);
    Subscription& placed = *subscription;
    m_subscriptions.emplace(std::string_view(placed.sid), std::move(subscription));
    m_account->insert(placed);
    m_engine.countSubscriptions(1);
    emitFlow(FlowKind::ClientSubscribed, placed.subject, subjects::hash(placed.sid));
}

void Client::handleUnsubscribe(const protocol::Operation& operation)
{
    const auto it = m_subscriptions.find(operation.sid);
    if (it != m_subscriptions.end()) {
        Subscription& subscription = *it->second;
        subscription.max = static_cast<std::uint64_t>(operation.max);
        if (subscription.delivered >= subscription.max)
            end(subscription);
    }
    ok();
}

void Client::end(Subscription& subscription)
{
    const auto it = m_subscriptions.find(std::string_view(subscription.sid));
    std::unique_ptr<Subscription> owned = std::move(it->second);
    m_subscriptions.erase(it);
    const std::string subject = owned->subject;
    if (release(std::move(owned)))
        m_engine.interestLost(*m_account, subject);
}

/// False if it has ended before: detachAll() keeps only the sids of those.
bool Client::release(std::unique_ptr<Subscription> subscription)
{
    if (subscription->ended)
        return false;
    if (m_trace)
        trace(fmt::format("<-> [DELSUB {}]", subscription->sid));
    m_engine.countSubscriptions(-1);
    m_account->remove(std::move(subscription));
    return true;
}

bool Client::endSome(std::size_t limit)
{
    for (; limit > 0 && !m_subscriptions.empty(); --limit) {
        const auto it = m_subscriptions.begin();
        std::unique_ptr<Subscription> owned = std::move(it->second);
        m_subscriptions.erase(it);
        release(std::move(owned));
    }
    return !m_subscriptions.empty();
}

bool Subscription::isOver() const
{
    return ended || (client != nullptr && client->isClosed());
}

void Client::endAll()
{
    while (endSome(m_subscriptions.size())) { }
}

void Client::detachAll()
{
    decltype(m_subscriptions) placeholders;
    for (auto& entry : m_subscriptions) {
        auto placeholder = std::make_unique<Subscription>();
        placeholder->subject = entry.second->subject;
        placeholder->queue = entry.second->queue;
        placeholder->sid = entry.second->sid;
        placeholder->client = this;
        placeholder->ended = true;
        const std::string_view sid = placeholder->sid;
        placeholders.emplace(sid, std::move(placeholder));
    }
    endAll();
    m_subscriptions = std::move(placeholders);
}

void Client::recheckSubscriptions()
{
    std::vector<Subscription*> lost;
    for (const auto& entry : m_subscriptions) {
        Subscription& s = *entry.second;
        if (m_permissions.maySubscribe(s.subject, s.queue))
            s.filtered = m_permissions.needsDeliveryFilter(s.subject);
        else
            lost.push_back(&s);
    }
    std::sort(
        lost.begin(), lost.end(), [](const auto* a, const auto* b) { return a->sid < b->sid; });
    for (Subscription* s : lost) {
        std::string text =
            fmt::format("Permissions Violation for Subscription to \"{}\"", s->subject);
        if (!s->queue.empty())
            text += fmt::format(" using queue \"{}\"", s->queue);
        sendError(text + fmt::format(" (sid \"{}\")", s->sid));
        end(*s);
    }
}

// --- ping

void Client::handlePing()
{
    if (m_trace)
        trace("->> [PONG]");
    send("PONG\r\n");
    if (m_firstPongSent)
        return;
    m_firstPongSent = true;
    if (m_options.protocol >= 1 && m_connectSeen)
        sendInfo(m_engine.infoJson(this));
}

void Client::applyLimits()
{
    m_parser.setMaxControlLine(m_engine.config().maxControlLine);
    applyAccountLimits();
    m_trace = m_engine.tracing();
}

void Client::applyAccountLimits()
{
    const auto lower = [](std::int64_t own, std::int64_t server) {
        return own >= 0 ? std::min(own, server) : server;
    };
    const std::int64_t server = m_engine.config().maxPayload;
    m_parser.setMaxPayload(m_account == nullptr ? server : lower(m_account->maxPayload(), server));
}

} // namespace jetglass::server
