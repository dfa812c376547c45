// SPDX-License-Identifier: GPL-3.0-or-later
// What an account tells of messages on their way: to whoever follows one, and to the log.
#include "base/log.h"
#include "server/account.h"
#include "server/account_link.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"
#include "server/protocol_trace.h"
#include "server/subscription.h"

#include <fmt/format.h>

namespace jetglass::server {

/// A message of another account reaches somebody; true if that is all that is to happen.
bool Account::tellExport(const Subscription& subscription, const Routed& message) const
{
    const bool reached = subscription.client != nullptr
        || (subscription.handler != nullptr && message.toHandlers
            && subscription.handler->takesTraces());
    if (!reached)
        return false;
    const bool followed = message.trace != nullptr;
    message.exported->exported(m_name, message.subject, followed);
    return !followed && message.exported->wayOnly();
}

void Account::tellService(const Subscription& subscription, const Routed& message) const
{
    if (this == &m_engine.systemAccount())
        return;
    const std::string asked = subscription.handler->systemSubject(message.subject);
    if (!asked.empty())
        message.trace->requested(m_engine.systemAccount().name(), message.subject, asked);
}

/// Nobody gets the message, but all who would are named.
bool Account::showWay(Subscription& subscription, const Routed& message)
{
    if (subscription.client != nullptr) {
        const std::string_view reason = subscription.client->whyNot(subscription, message);
        message.trace->reachedClient(*subscription.client, subscription, reason);
        return reason.empty();
    }
    if (subscription.link != nullptr)
        return subscription.link->forward(message) > 0;
    if (message.toHandlers)
        tellService(subscription, message);
    if (!message.toHandlers || !subscription.handler->takesTraces())
        return false;
    subscription.handler->onMessage({message.subject,
        message.reply,
        message.headers,
        message.payload,
        &message.from->sender(),
        message.trace});
    return true;
}

void Account::tracePublish(const streams::Outbound& message) const
{
    const LogConfig& config = m_engine.config().log;
    const bool system = this == &m_engine.systemAccount();
    if (system && !config.traceVerbose)
        return;
    const std::string_view who = system ? "SYSTEM" : "JETSTREAM";
    protocol::Operation operation;
    operation.verb = protocol::Verb::Publish;
    operation.withHeaders = !message.headers.empty();
    operation.subject = message.subject;
    operation.reply = message.reply;
    operation.headers = message.headers;
    operation.payload = message.payload;
    base::Log& log = m_engine.context().log;
    log.write(base::LogLevel::Trace, fmt::format("{} - <<- [{}]", who, traceText(operation)));
    if (const auto body = tracePayload(message.headers, message.payload, config))
        log.write(base::LogLevel::Trace, fmt::format("{} - <<- {}", who, *body));
}

} // namespace jetglass::server
