// SPDX-License-Identifier: GPL-3.0-or-later
// Publishes whose way somebody wants to be told of.
#include "archive/content_encoding.h"
#include "base/log.h"
#include "protocol/headers.h"
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

/// What becomes of a message whose headers ask for its way to be told.
enum class Client::Follow : std::uint8_t
{
    Plain, ///< like all others
    SwitchedOff, ///< nor shall others follow it
    Dropped,
    Told
};

/// Whatever is wrong with the wish, of which only the way is wanted is never delivered.
Client::Follow Client::weigh(TraceRequest& request)
{
    const Follow otherwise = request.wayOnly ? Follow::Dropped : Follow::Plain;
    if (!request.foreignAccount.empty()) {
        log(base::LogLevel::Error,
            fmt::format("Message tracing disabled because of header "
                        "\"Nats-Trace-Origin-Account\" with value=\"{}\"",
                request.foreignAccount));
        return request.wayOnly ? Follow::Dropped : Follow::SwitchedOff;
    }
    if (request.external) {
        request.destination = m_account->traceDestination();
        if (request.destination.empty())
            return Follow::Plain;
        if (!isChosen(m_account->traceSampling()))
            return Follow::SwitchedOff;
    }
    if (!subjects::isValidLiteral(request.destination)) {
        log(base::LogLevel::Error,
            fmt::format("Destination \"{}\" is not valid, won't be able to trace events",
                request.destination));
        return otherwise;
    }
    if (!mayFollowTo(request.destination)) {
        refusePublish(request.destination, nullptr);
        return Follow::Dropped;
    }
    return Follow::Told;
}

/// False: the message is like all others.
bool Client::handleFollowed(const protocol::Operation& operation)
{
    auto request = TraceRequest::find(operation.headers);
    const Follow follow = request ? weigh(*request) : Follow::Plain;
    if (follow == Follow::Plain)
        return false;
    if (follow == Follow::SwitchedOff) {
        protocol::Operation plain = operation;
        const std::string block =
            withLastHeader(operation.headers, "Nats-Trace-Dest", "trace disabled");
        plain.headers = block;
        publish(plain, nullptr);
    }
    if (follow != Follow::Told)
        return true;
    MessageTrace trace(*this,
        operation.subject,
        std::move(*request),
        operation.headers.size() + operation.payload.size(),
        m_engine.realWall());
    publish(operation, &trace);
    if (trace.isTold())
        tell(trace);
    return true;
}

/// It ends here; what has come of its headers may ask for a trace of that.
void Client::followTooLarge(const protocol::Operation& operation)
{
    auto request = m_account == nullptr ? std::nullopt : TraceRequest::find(operation.headers);
    if (!request || weigh(*request) != Follow::Told)
        return;
    MessageTrace trace(*this,
        operation.subject,
        std::move(*request),
        m_parser.announcedSize(),
        m_engine.realWall());
    trace.refused("maximum payload exceeded");
    tell(trace);
}

void Client::tell(const MessageTrace& trace) const
{
    const auto encoding = archive::acceptedEncoding(trace.acceptEncoding());
    const std::string text = archive::encodeContent(trace.text(m_engine.serverCard()), encoding);
    std::string headers;
    if (encoding != archive::ContentEncoding::None)
        protocol::appendHeader(headers, "Content-Encoding", archive::encodingName(encoding));
    m_account->publish({trace.destination(), {}, headers, text});
}

} // namespace jetglass::server
