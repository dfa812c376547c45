// SPDX-License-Identifier: GPL-3.0-or-later
// Publishes whose way somebody wants to be told of.
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"
#include "server/random.h"
#include "server/request_info.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <utility>

namespace jetglass::server {

namespace {

/// Of messages with a trace parent only part are followed.
bool isChosen(int percent)
{
    constexpr int kAll = 100;
    return percent <= 0 || percent >= kAll || static_cast<int>(randomBelow(kAll)) <= percent;
}

} // namespace

/// A right of the connection's own: permits to answer are not used up by it.
bool Client::mayFollowTo(std::string_view subject) const
{
    if (subject.starts_with("_GR_.")
        || (subject.starts_with("$NRG.") && m_account != &m_engine.systemAccount()))
        return false;
    return m_permissions.unrestricted() || m_permissions.mayPublish(subject);
}

/// False: the message is like all others. Whatever is wrong with the wish, of which only the way is
/// wanted is never delivered.
bool Client::handleFollowed(const protocol::Operation& operation)
{
    auto request = TraceRequest::find(operation.headers);
    if (!request)
        return false;
    const auto publishSwitchedOff = [&] {
        protocol::Operation plain = operation;
        const std::string block =
            withLastHeader(operation.headers, "Nats-Trace-Dest", "trace disabled");
        plain.headers = block;
        publish(plain, nullptr);
        return true;
    };
    if (!request->foreignAccount.empty()) {
        log(fmt::format("Message tracing disabled because of header "
                        "\"Nats-Trace-Origin-Account\" with value=\"{}\"",
                request->foreignAccount),
            true);
        return request->wayOnly || publishSwitchedOff();
    }
    if (request->external) {
        request->destination = m_account->traceDestination();
        if (request->destination.empty())
            return false;
        if (!isChosen(m_account->traceSampling()))
            return publishSwitchedOff();
    }
    const std::string destination = request->destination;
    if (!subjects::isValidLiteral(destination)) {
        log(fmt::format(
                "Destination \"{}\" is not valid, won't be able to trace events", destination),
            true);
        return request->wayOnly;
    }
    if (!mayFollowTo(destination)) {
        refusePublish(destination, nullptr);
        return true;
    }
    MessageTrace trace(*this,
        operation.subject,
        std::move(*request),
        operation.headers.size() + operation.payload.size(),
        m_engine.realWall());
    publish(operation, &trace);
    if (trace.isTold()) {
        const std::string text = trace.text(m_engine.serverCard());
        m_account->publish({destination, {}, {}, text});
    }
    return true;
}

} // namespace jetglass::server
