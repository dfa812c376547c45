// SPDX-License-Identifier: GPL-3.0-or-later
// What the log says of a connection: its life, and with tracing on each operation of the protocol.
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/protocol_trace.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <string_view>

namespace jetglass::server {

void Client::log(base::LogLevel level, std::string_view text) const
{
    base::Log& log = m_engine.context().log;
    if (log.wants(level))
        log.write(level, fmt::format("{} - {}", m_label, text));
}

void Client::trace(std::string_view text) const
{
    m_engine.context().log.write(base::LogLevel::Trace, fmt::format("{} - {}", m_label, text));
}

void Client::traceIn(const protocol::Operation& operation) const
{
    const std::string text = traceText(operation);
    if (text.empty())
        return;
    trace(fmt::format("<<- [{}]", text));
    if (operation.verb != protocol::Verb::Publish)
        return;
    const auto body = tracePayload(operation.headers, operation.payload, m_engine.config().log);
    if (body)
        trace("<<- " + *body);
}

void Client::traceDelivery(const Subscription& subscription,
    const Routed& message,
    std::string_view headers,
    bool withHeaders) const
{
    std::string line(message.head->before(withHeaders));
    line.append(subscription.sid).append(message.head->after(withHeaders));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.pop_back();
    trace(fmt::format("->> [{}]", line));
    if (const auto body = tracePayload(headers, message.payload, m_engine.config().log))
        trace("->> " + *body);
}

void Client::makeLabel()
{
    m_label = fmt::format("{}:{} - {}:{}",
        m_host,
        m_port,
        std::string_view(linkFacts().kind) == "websocket" ? "wid" : "cid",
        static_cast<std::uint32_t>(m_id));
}

/// Once a client has said who it is, its lines say so too.
void Client::completeLabel()
{
    if (m_connectSeen)
        return;
    std::string program = m_options.version.empty() ? std::string() : 'v' + m_options.version;
    for (const std::string& word : {m_options.lang, m_options.name}) {
        if (!word.empty())
            program.append(program.empty() ? "" : ":").append(word);
    }
    if (!program.empty())
        m_label.append(" - ").append(quotedText(program));
    const std::string who = !m_options.nkey.empty() ? "nkey:" + m_options.nkey
        : !m_options.user.empty()                   ? "user:" + m_options.user
        : !m_options.token.empty()                  ? std::string("token")
                                                    : std::string();
    if (!who.empty())
        m_label.append(" - ").append(quotedText(m_account->name() + '/' + who));
}

void Client::emitFlow(FlowKind kind, std::string_view subject, std::uint64_t second) const
{
    flow::FlowHub& hub = m_engine.context().hub;
    if (!hub.active())
        return;
    FlowEvent event;
    event.kind = kind;
    event.client = m_id;
    event.second = second;
    event.subjectHash = subject.empty() ? 0 : subjects::hash(subject);
    hub.emit(event, {.subject = subject, .headers = {}, .payload = {}, .detail = {}});
}

} // namespace jetglass::server
