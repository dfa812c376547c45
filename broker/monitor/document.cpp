// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/document.h"

#include "base/json.h"
#include "base/time_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kBadRequest = 400;
constexpr int kNotFound = 404;

Document page(const Json& json)
{
    Document document;
    // Subjects are bytes: what is not UTF-8 must not stop the page.
    document.body = base::indentedJsonText(json);
    return document;
}

Document plain(int status, std::string text)
{
    return {status, "text/plain; charset=utf-8", std::move(text)};
}

Document index()
{
    constexpr std::array<std::array<const char*, 2>, 11> kPages = {{{"varz", "General"},
        {"jsz", "JetStream"},
        {"connz", "Connections"},
        {"accountz", "Accounts"},
        {"accstatz", "Account statistics"},
        {"subsz", "Subscriptions"},
        {"routez", "Routes"},
        {"leafz", "Leaf nodes"},
        {"gatewayz", "Gateways"},
        {"raftz", "Raft groups"},
        {"healthz", "Health"}}};
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Jetglass</title></head><body>\n"
        "<h1>Jetglass " JETGLASS_VERSION "</h1>\n<ul>\n";
    for (const auto& [path, title] : kPages)
        html += std::string("<li><a href=\"./") + path + "\">" + title + "</a></li>\n";
    return {200, "text/html; charset=utf-8", html + "</ul>\n</body></html>\n"};
}

Json header(const Source& source)
{
    const ServerFacts server = source.server();
    return {{"server_id", server.id}, {"now", base::rfc3339(server.now)}};
}

/// What one server without the feature answers.
Document emptyForm(const std::string& path, const Source& source)
{
    Json json = header(source);
    if (path == "/routez") {
        json = {{"server_id", json["server_id"]},
            {"server_name", source.server().name},
            {"now", json["now"]},
            {"num_routes", 0},
            {"routes", Json::array()}};
    } else if (path == "/gatewayz") {
        json["outbound_gateways"] = Json::object();
        json["inbound_gateways"] = Json::object();
    } else if (path == "/leafz") {
        json["leafnodes"] = 0;
        json["leafs"] = Json::array();
    } else {
        json = Json::object();
    }
    return page(json);
}

template<class Make>
Document queried(Make make, Query& query)
{
    const Json json = make();
    return query.error().empty() ? page(json) : plain(kBadRequest, query.error());
}

} // namespace

std::string uptimeText(std::int64_t ns)
{
    const std::int64_t seconds = ns > 0 ? ns / 1'000'000'000 : 0;
    const std::int64_t minutes = seconds / 60;
    const std::int64_t hours = minutes / 60;
    const std::int64_t days = hours / 24;
    const std::int64_t years = days / 365;
    std::string text;
    if (years > 0)
        text += std::to_string(years) + 'y';
    if (days > 0)
        text += std::to_string(days % 365) + 'd';
    if (hours > 0)
        text += std::to_string(hours % 24) + 'h';
    if (minutes > 0)
        text += std::to_string(minutes % 60) + 'm';
    return text + std::to_string(seconds % 60) + 's';
}

Document answer(const std::string& path, Query query, const Source& source)
{
    if (path.empty() || path == "/")
        return index();
    if (path == "/varz")
        return page(varz(source));
    if (path == "/connz")
        return queried([&] { return connz(source, query); }, query);
    if (path == "/subsz" || path == "/subscriptionsz")
        return queried([&] { return subsz(source, query); }, query);
    if (path == "/jsz")
        return queried([&] { return jsz(source, query); }, query);
    if (path == "/accountz")
        return queried([&] { return accountz(source, query); }, query);
    if (path == "/accstatz")
        return queried([&] { return accstatz(source, query); }, query);
    if (path == "/ipqueuesz")
        return queried([&] { return ipqueuesz(source, query); }, query);
    if (path == "/healthz") {
        int status = 200;
        const Json json = healthz(source, query, status);
        if (!query.error().empty())
            return plain(kBadRequest, query.error());
        return {status, "application/json", base::jsonText(json)};
    }
    for (const char* form :
        {"/routez", "/gatewayz", "/leafz", "/raftz", "/debug/vars", "/stacksz"}) {
        if (path == form)
            return emptyForm(path, source);
    }
    return plain(kNotFound, "404 page not found\n");
}

} // namespace jetglass::monitor
