// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/message_trace.h"

#include "base/time_text.h"
#include "server/account.h"
#include "server/client.h"
#include "server/subscription.h"
#include "streams/publish_headers.h"
#include "subjects/subject.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace jetglass::server {

namespace {

constexpr std::string_view kDestination = "Nats-Trace-Dest";
constexpr std::string_view kWayOnly = "Nats-Trace-Only";
constexpr int kClient = 0; ///< the kind of all connections

/// Every header with its values, by name.
nlohmann::ordered_json headersOf(std::string_view block)
{
    std::map<std::string, std::vector<std::string>> found;
    block.remove_prefix(std::min(block.find("\r\n"), block.size()));
    while (block.size() > 2) {
        block.remove_prefix(2);
        const auto end = std::min(block.find("\r\n"), block.size());
        const std::string_view line = block.substr(0, end);
        block.remove_prefix(end);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
        found[std::string(line.substr(0, colon))].emplace_back(value);
    }
    return found;
}

bool isOn(std::string_view value)
{
    constexpr std::array<std::string_view, 3> kOn = {"1", "true", "on"};
    return std::find(kOn.begin(), kOn.end(), value) != kOn.end();
}

} // namespace

std::string_view MessageTrace::destination(std::string_view headers)
{
    if (headers.find(kDestination) == std::string_view::npos)
        return {};
    const std::string_view subject = streams::headerValue(headers, kDestination);
    // Text with a blank in it switches the trace off.
    const bool usable = !subject.empty() && subject.find_first_of(" \t") == std::string_view::npos
        && subjects::isValidLiteral(subject);
    return usable ? subject : std::string_view();
}

MessageTrace::MessageTrace(const Client& from,
    std::string_view subject,
    std::string_view headers,
    std::size_t size,
    std::int64_t now)
    : m_now(now)
    , m_request({{"header", headersOf(headers)}, {"msgsize", size}})
    , m_wayOnly(isOn(streams::headerValue(headers, kWayOnly)))
{
    Json in = event("in");
    in["kind"] = kClient;
    in["cid"] = static_cast<std::uint64_t>(from.id());
    if (!from.options().name.empty())
        in["name"] = from.options().name;
    in["acc"] = from.account()->name();
    in["subj"] = subject;
    m_way.push_back(std::move(in));
}

nlohmann::ordered_json MessageTrace::event(std::string_view type) const
{
    return {{"type", type}, {"ts", base::rfc3339(m_now)}};
}

void MessageTrace::reachedStream(
    std::string_view stream, std::string_view subject, bool noInterest, std::string_view error)
{
    Json json = event("js");
    json["stream"] = stream;
    if (!subject.empty())
        json["subject"] = subject;
    if (noInterest)
        json["nointerest"] = true;
    if (!error.empty())
        json["error"] = error;
    m_streams.push_back(std::move(json));
}

void MessageTrace::reachedClient(
    const Client& client, const Subscription& subscription, std::string_view error)
{
    Json json = event("eg");
    json["kind"] = kClient;
    json["cid"] = static_cast<std::uint64_t>(client.id());
    if (!client.options().name.empty())
        json["name"] = client.options().name;
    json["sub"] = subscription.subject;
    if (!subscription.queue.empty())
        json["queue"] = subscription.queue;
    if (!error.empty())
        json["error"] = error;
    m_clients.push_back(std::move(json));
}

void MessageTrace::mapped(std::string_view subject)
{
    Json json = event("sm");
    json["to"] = subject;
    m_way.push_back(std::move(json));
}

void MessageTrace::exported(std::string_view account, std::string_view subject)
{
    Json json = event("se");
    json["acc"] = account;
    json["to"] = subject;
    m_way.push_back(std::move(json));
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
        {"server", Json::parse(server)}, {"request", m_request}, {"events", std::move(events)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace jetglass::server
