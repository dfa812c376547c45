// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/message_trace.h"

#include "base/json.h"
#include "base/time_text.h"
#include "server/account.h"
#include "server/client.h"
#include "server/header_values.h"
#include "server/subscription.h"
#include "streams/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace jetglass::server {

namespace {

constexpr std::string_view kDestination = "Nats-Trace-Dest";
constexpr std::string_view kWayOnly = "Nats-Trace-Only";
constexpr int kClient = 0; ///< the kind of all connections

constexpr std::string_view kTraceParent = "traceparent";
constexpr std::string_view kForeign = "Nats-Trace-Origin-Account";
constexpr std::string_view kSwitchedOff = "trace disabled";
bool sameName(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameLetter);
}

/// Every header that has a value; those without one do not count.
HeaderValues valuesOf(std::string_view block)
{
    HeaderValues values = headerValues(block);
    for (auto& entry : values)
        std::erase(entry.second, std::string());
    std::erase_if(values, [](const auto& entry) { return entry.second.empty(); });
    return values;
}

/// The first value of a header.
std::string valueOf(const HeaderValues& values, std::string_view name)
{
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second.front();
}

/// The last of four parts are flags in hexadecimal, eight bits with a sign; the lowest counts.
bool isSampled(std::string_view parent)
{
    const auto last = parent.rfind('-');
    if (last == std::string_view::npos || std::count(parent.begin(), parent.end(), '-') != 3)
        return false;
    const std::string_view flags = parent.substr(last + 1);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(flags.data(), flags.data() + flags.size(), value, 16);
    return flags.size() == 2 && error == std::errc{} && end == flags.data() + flags.size()
        && value < 0x80U && (value & 1U) != 0;
}

bool hasSampledParent(const HeaderValues& values)
{
    return std::any_of(values.begin(), values.end(), [](const auto& entry) {
        return sameName(entry.first, kTraceParent)
            && std::any_of(entry.second.begin(), entry.second.end(), isSampled);
    });
}

bool isOn(std::string_view value)
{
    constexpr std::array<std::string_view, 3> kOn = {"1", "true", "on"};
    return std::any_of(
        kOn.begin(), kOn.end(), [value](std::string_view on) { return sameName(on, value); });
}

} // namespace

bool TraceRequest::mayBeIn(std::string_view block, bool externally)
{
    return block.find(kDestination) != std::string_view::npos
        || (externally
            && std::search(
                   block.begin(), block.end(), kTraceParent.begin(), kTraceParent.end(), sameLetter)
                != block.end());
}

std::optional<TraceRequest> TraceRequest::find(std::string_view block)
{
    HeaderValues values = valuesOf(block);
    TraceRequest request;
    request.destination = valueOf(values, kDestination);
    request.external = request.destination.empty();
    if (request.destination == kSwitchedOff || (request.external && !hasSampledParent(values)))
        return {};
    request.wayOnly = !request.external && isOn(valueOf(values, kWayOnly));
    request.acceptEncoding = valueOf(values, "Accept-Encoding");
    request.foreignAccount = valueOf(values, kForeign);
    request.headers = std::move(values);
    return request;
}

MessageTrace::MessageTrace(const Client& from,
    std::string_view subject,
    TraceRequest request,
    std::size_t size,
    std::int64_t now)
    : m_now(now)
    , m_destination(std::move(request.destination))
    , m_acceptEncoding(std::move(request.acceptEncoding))
    , m_account(from.account()->name())
    , m_request({{"header", std::move(request.headers)}, {"msgsize", size}})
    , m_wayOnly(request.wayOnly)
{
    Json in = event("in");
    in["kind"] = kClient;
    in["cid"] = static_cast<std::uint64_t>(from.id());
    if (!from.options().name.empty())
        in["name"] = from.options().name;
    in["acc"] = m_account;
    in["subj"] = subject;
    m_way.push_back(std::move(in));
}

void MessageTrace::refused(std::string_view error)
{
    m_way.front()["error"] = error;
}

nlohmann::ordered_json MessageTrace::event(std::string_view type) const
{
    return {{"type", type}, {"ts", base::rfc3339(m_now)}};
}

void MessageTrace::reachedStream(
    std::string_view stream, std::string_view subject, bool noInterest, std::string_view error)
{
    m_silent = false;
    Json json = event("js");
    json["stream"] = stream;
    if (!subject.empty())
        json["subject"] = subject;
    if (noInterest)
        json["nointerest"] = true;
    if (!error.empty())
        json["error"] = error;
    put(m_streams, std::move(json));
}

void MessageTrace::reachedClient(
    const Client& client, const Subscription& subscription, std::string_view error)
{
    Json json = event("eg");
    json["kind"] = kClient;
    json["cid"] = static_cast<std::uint64_t>(client.id());
    if (!client.options().name.empty())
        json["name"] = client.options().name;
    if (client.account() != nullptr && client.account()->name() != m_account)
        json["acc"] = client.account()->name();
    json["sub"] = subscription.subject;
    if (!subscription.queue.empty())
        json["queue"] = subscription.queue;
    if (!error.empty())
        json["error"] = error;
    put(m_clients, std::move(json));
}

void MessageTrace::mapped(std::string_view subject)
{
    Json json = event("sm");
    json["to"] = subject;
    m_way.push_back(std::move(json));
}

void MessageTrace::exported(std::string_view account, std::string_view subject, bool followed)
{
    Json json = event("se");
    json["acc"] = account;
    json["to"] = subject;
    if (followed)
        m_export = std::move(json);
    else
        m_clients.push_back(std::move(json));
}

void MessageTrace::put(Json& events, Json event)
{
    if (!m_export.is_null())
        events.push_back(std::exchange(m_export, {}));
    events.push_back(std::move(event));
}

void MessageTrace::requested(std::string_view account, std::string_view from, std::string_view to)
{
    Json json = event("si");
    json["acc"] = account;
    json["from"] = from;
    json["to"] = to;
    m_way.push_back(std::move(json));
}

std::string MessageTrace::text(std::string_view server) const
{
    Json events = m_way;
    for (const Json* more : {&m_streams, &m_clients})
        for (const Json& one : *more)
            events.push_back(one);
    const Json json = {
        {"server", base::parseJson(server)}, {"request", m_request}, {"events", std::move(events)}};
    return streams::encodeJson(json);
}

} // namespace jetglass::server
