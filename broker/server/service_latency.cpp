// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/service_latency.h"

#include "base/nuid.h"
#include "base/time_text.h"
#include "server/client.h"
#include "server/header_values.h"
#include "server/random.h"
#include "server/request_info.h"
#include "streams/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>
#include <vector>

namespace jetglass::server {

namespace {

constexpr std::string_view kLatencyType = "io.nats.server.metric.v1.service_latency";
constexpr std::string_view kUber = "Uber-Trace-Id";
constexpr std::string_view kUberContext = "Uberctx-";
constexpr std::string_view kSampled = "X-B3-Sampled";
constexpr std::string_view kTraceId = "X-B3-Traceid";
constexpr std::string_view kSingle = "B3";
constexpr std::string_view kParentHeader = "Traceparent";

std::string inUsualCapitals(std::string_view name)
{
    std::string out(name);
    bool first = true;
    for (char& c : out) {
        if (first && c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 32);
        else if (!first && c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
        first = c == '-';
    }
    return out;
}

/// By name in its usual capitals: "X-B3-Traceid".
HeaderValues sampleHeaders(std::string_view block)
{
    HeaderValues found;
    for (auto& [name, values] : headerValues(block)) {
        auto& all = found[inUsualCapitals(name)];
        all.insert(all.end(), values.begin(), values.end());
    }
    return found;
}

std::vector<std::string_view> partsOf(std::string_view text, char at)
{
    std::vector<std::string_view> parts;
    for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

/// Flags in hexadecimal of which the lowest says that it is sampled.
bool isFlagged(std::string_view text)
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc{} && end == text.data() + text.size() && (value & 1U) != 0;
}

nlohmann::ordered_json chosen(
    const HeaderValues& headers, std::initializer_list<std::string_view> names)
{
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    std::vector<std::string_view> sorted(names);
    std::sort(sorted.begin(), sorted.end());
    for (const std::string_view name : sorted)
        if (const auto found = headers.find(name); found != headers.end())
            out[std::string(name)] = found->second;
    return out;
}

std::optional<nlohmann::ordered_json> byUber(const HeaderValues& headers, const std::string& value)
{
    const auto parts = partsOf(value, ':');
    if (parts.size() != 4 || parts[3].empty() || parts[3].size() > 2 || !isFlagged(parts[3]))
        return {};
    nlohmann::ordered_json out = chosen(headers, {kUber});
    for (const auto& [name, values] : headers)
        if (name.starts_with(kUberContext))
            out[name] = values;
    return out;
}

std::optional<nlohmann::ordered_json> bySingle(
    const HeaderValues& headers, const std::string& value)
{
    const auto parts = partsOf(value, '-');
    const bool denied =
        (parts.size() > 2 && parts[2] == "0") || (parts.size() == 1 && parts[0] == "0");
    return denied ? std::nullopt : std::optional(chosen(headers, {kSingle}));
}

std::optional<nlohmann::ordered_json> byParent(
    const HeaderValues& headers, const std::string& value)
{
    const auto parts = partsOf(value, '-');
    constexpr char kHighest = '7'; // eight bits with a sign
    if (parts.size() != 4 || parts[3].size() != 2 || parts[3][0] > kHighest || !isFlagged(parts[3]))
        return {};
    return chosen(headers, {kParentHeader, "Tracestate"});
}

std::optional<nlohmann::ordered_json> byHeaders(const HeaderValues& headers)
{
    const auto value = [&](std::string_view name) {
        const auto found = headers.find(name);
        return found == headers.end() ? nullptr : &found->second.front();
    };
    if (const auto* uber = value(kUber))
        return byUber(headers, *uber);
    const auto* sampled = value(kSampled);
    if (sampled != nullptr && *sampled == "0")
        return {};
    if ((sampled != nullptr && *sampled == "1") || value(kTraceId) != nullptr)
        return chosen(headers, {kSampled, kTraceId, "X-B3-Parentspanid", "X-B3-Spanid"});
    if (const auto* single = value(kSingle))
        return bySingle(headers, *single);
    if (const auto* parent = value(kParentHeader))
        return byParent(headers, *parent);
    return {};
}

} // namespace

std::optional<SampleHeaders> sampleOf(const ExportConfig& offered, std::string_view headers)
{
    constexpr int kAll = 100;
    if (offered.latencySubject.empty())
        return {};
    const int percent = offered.latencySampling;
    if (percent >= kAll || (percent > 0 && static_cast<int>(randomBelow(kAll)) <= percent))
        return SampleHeaders::object();
    return headers.empty() ? std::nullopt : byHeaders(sampleHeaders(headers));
}

ServiceLatency::ServiceLatency(
    SampleHeaders headers, const Client* requestor, bool share, std::string server)
    : m_headers(std::move(headers))
    , m_server(std::move(server))
{
    if (requestor == nullptr)
        return;
    m_requestor = partyInfo(*requestor, share, m_server);
    m_requestorRtt = requestor->sender().rtt;
}

std::string ServiceLatency::badRequest(std::int64_t now)
{
    return text(400, "Bad Request", nullptr, {now - m_requestorRtt, 0, 0}, now);
}

std::string ServiceLatency::answered(const Client* responder, std::int64_t sent, std::int64_t now)
{
    const nlohmann::ordered_json party =
        responder != nullptr ? partyInfo(*responder, true, m_server) : nlohmann::ordered_json();
    const std::int64_t rtt = responder != nullptr ? responder->sender().rtt : 0;
    const std::int64_t took = now - sent;
    return text(200,
        {},
        responder != nullptr ? &party : nullptr,
        {sent - m_requestorRtt, std::max<std::int64_t>(0, took - rtt), m_requestorRtt + took},
        now);
}

std::string ServiceLatency::failed(
    int status, std::string_view why, std::int64_t sent, std::int64_t now)
{
    return text(status, why, nullptr, {sent - m_requestorRtt, 0, 0}, now);
}

std::string ServiceLatency::text(int status,
    std::string_view why,
    const nlohmann::ordered_json* responder,
    const Times& times,
    std::int64_t now) const
{
    nlohmann::ordered_json out = {{"type", kLatencyType},
        {"id", base::nuid()},
        {"timestamp", base::rfc3339(now)},
        {"status", status}};
    if (!why.empty())
        out["description"] = why;
    if (!m_requestor.is_null())
        out["requestor"] = m_requestor;
    if (responder != nullptr)
        out["responder"] = *responder;
    if (!m_headers.empty())
        out["header"] = m_headers;
    out["start"] = base::rfc3339(times.start);
    out["service"] = times.service;
    out["system"] = 0; // within one server
    out["total"] = times.total;
    return streams::encodeJson(out);
}

} // namespace jetglass::server
