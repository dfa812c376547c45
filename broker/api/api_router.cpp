// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/api_router.h"

#include "api/advisory.h"
#include "base/json.h"
#include "base/time_text.h"
#include "streams/json_text.h"
#include "streams/publish_headers.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <set>

namespace jetglass::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPrefix = "$JS.API.";
constexpr std::string_view kAuditSubject = "$JS.EVENT.ADVISORY.API";

} // namespace

/// An empty value counts as absent; anything but a number up to the own level asks for too much.
bool levelTooHigh(std::string_view headers)
{
    if (headers.empty())
        return false;
    const std::string_view value = streams::headerValue(headers, "Nats-Required-Api-Level");
    if (value.empty())
        return false;
    int level = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), level);
    return error != std::errc{} || end != value.data() + value.size() || level > streams::kApiLevel;
}

ApiCall::ApiCall(
    streams::Context& context, const streams::Inbound& message, std::string responseType)
    : m_context(context)
    , m_subject(message.subject)
    , m_reply(message.reply)
    , m_payload(message.payload)
    , m_headers(message.headers)
    , m_type("io.nats.jetstream.api.v1." + std::move(responseType) + "_response")
    , m_client(message.sender->id)
    , m_sender(message.sender)
{
    if (context.wanted(kAuditSubject))
        m_clientInfo = streams::encodeJson(clientInfo(context, *message.sender));
}

std::string_view ApiCall::token(std::size_t n) const
{
    return subjects::token(m_subject, n);
}

bool ApiCall::isEmptyRequest() const
{
    if (m_payload.find_first_not_of(" \t\r\n") == std::string::npos)
        return m_payload.empty();
    const Json value = base::parseJson(m_payload);
    return value.is_object() && value.empty();
}

void ApiCall::respond(const Json& members, std::span<const streams::MadeMember> made)
{
    if (m_router)
        ++m_router->m_total;
    send(members, Audit::Yes, made);
}

void ApiCall::respondQuietly(const Json& members)
{
    send(members, Audit::No);
}

void ApiCall::fail(const Error& error)
{
    fail(error,
        m_errorMembers && !m_errorMembers->empty() ? base::parseJson(*m_errorMembers)
                                                   : Json::object());
}

void ApiCall::fail(const Error& error, const Json& members)
{
    if (m_router)
        ++m_router->m_errors;
    sendError(error, members);
}

void ApiCall::failUncounted(const Error& error)
{
    sendError(error, Json::object());
}

void ApiCall::sendError(const Error& error, const Json& members)
{
    if (m_router)
        ++m_router->m_total;
    const bool known = error.code == Errc::Api;
    Json body = {{"error",
        {{"code", known ? error.apiCode : 500},
            {"err_code", known ? error.apiErrCode : 10000},
            {"description", error.text}}}};
    body.update(members);
    send(body, Audit::Yes);
}

void ApiCall::send(const Json& members, Audit audit, std::span<const streams::MadeMember> made)
{
    Json body = {{"type", m_type}};
    body.update(members);
    const std::string text = streams::encodeJson(body, made);
    if (!m_reply.empty())
        m_context.bus.publish({m_reply, {}, {}, text});
    if (audit == Audit::No || m_clientInfo.empty())
        return;
    Json advisory = {{"server", m_context.serverName},
        {"client", base::parseJson(m_clientInfo)},
        {"subject", m_subject}};
    if (!m_payload.empty())
        advisory["request"] = m_payload;
    advisory["response"] = text;
    publishAdvisory(m_context, kAuditSubject, "api_audit", advisory);
}

ApiRouter::ApiRouter(streams::Context& context)
    : m_context(context)
{
}

ApiRouter::~ApiRouter() = default;

void ApiRouter::add(std::string pattern, std::string type, Handler handler)
{
    add(std::move(pattern), std::move(type), {}, std::move(handler));
}

void ApiRouter::add(
    std::string pattern, std::string type, std::string errorMembers, Handler handler)
{
    m_endpoints.push_back(
        {std::move(pattern), std::move(type), std::move(errorMembers), std::move(handler), true});
}

void ApiRouter::addUnchecked(std::string pattern, std::string type, Handler handler)
{
    m_endpoints.push_back({std::move(pattern), std::move(type), {}, std::move(handler), false});
}

void ApiRouter::count(bool failed)
{
    ++m_total;
    if (failed)
        ++m_errors;
}

/// Everything under $JS.API has a responder, so that an unknown call waits in vain, but for
/// DIRECT.GET and CONSUMER.MSG.NEXT: there the client hears at once that nobody is there. With a
/// domain only known calls are mapped.
void ApiRouter::start()
{
    std::set<std::string> patterns{
        "$JS.API.*", "$JS.API.STREAM.>", "$JS.API.ACCOUNT.>", "$JS.API.META.>", "$JS.API.SERVER.>"};
    const std::string& domain = m_context.settings.domain;
    for (const Endpoint& endpoint : m_endpoints) {
        if (endpoint.pattern.starts_with("$JS.API.CONSUMER."))
            patterns.insert(
                "$JS.API.CONSUMER." + std::string(subjects::token(endpoint.pattern, 3)) + ".>");
        if (!domain.empty())
            patterns.insert("$JS." + domain + ".API." + endpoint.pattern.substr(kPrefix.size()));
    }
    for (const std::string& pattern : patterns)
        m_registrations.push_back(m_context.bus.subscribe(pattern, {}, *this));
}

void ApiRouter::onMessage(const streams::Inbound& message)
{
    if (message.subject.starts_with(kPrefix))
        return dispatch(message.subject, message);
    const std::string prefix = "$JS." + m_context.settings.domain + ".API.";
    if (message.subject.starts_with(prefix))
        dispatch(
            std::string(kPrefix) + std::string(message.subject.substr(prefix.size())), message);
}

std::string ApiRouter::systemSubject(std::string_view subject) const
{
    return subject.starts_with("$JS.API.CONSUMER.MSG.NEXT.") ? std::string() : std::string(subject);
}

void ApiRouter::dispatch(std::string_view subject, const streams::Inbound& message)
{
    for (const Endpoint& endpoint : m_endpoints) {
        if (!subjects::matches(endpoint.pattern, subject))
            continue;
        streams::Inbound mapped = message;
        mapped.subject = subject;
        auto call = std::make_shared<ApiCall>(m_context, mapped, endpoint.type);
        call->m_router = this;
        call->m_errorMembers = &endpoint.errorMembers;
        if (endpoint.checked && levelTooHigh(message.headers))
            return call->fail(Error::api(412, 10185, "JetStream minimum api level required"));
        handle(endpoint, call);
        return;
    }
}

/// A request about a stream that is at long work waits in the stream's order.
void ApiRouter::handle(const Endpoint& endpoint, const ApiCallPtr& call)
{
    std::size_t named = 0;
    const std::size_t tokens = subjects::tokenCount(endpoint.pattern);
    while (named < tokens && subjects::token(endpoint.pattern, named) != "*")
        ++named;
    streams::Stream* stream =
        named < tokens && m_context.findStream ? m_context.findStream(call->token(named)) : nullptr;
    if (!stream || !stream->busy())
        return endpoint.handler(call);
    const streams::Sender& from = call->sender();
    stream->inOrder([&endpoint,
                        call,
                        account = std::string(from.account),
                        user = std::string(from.user),
                        name = std::string(from.name),
                        lang = std::string(from.lang),
                        version = std::string(from.version),
                        host = std::string(from.host),
                        sender = from]() mutable {
        sender.account = account;
        sender.user = user;
        sender.name = name;
        sender.lang = lang;
        sender.version = version;
        sender.host = host;
        call->m_sender = &sender;
        endpoint.handler(call);
        call->m_sender = nullptr;
    });
}

} // namespace jetglass::api
