// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/request_info.h"

#include "base/time_text.h"
#include "server/account.h"
#include "server/client.h"
#include "streams/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace jetglass::server {

namespace {

constexpr std::string_view kRequestInfo = "Nats-Request-Info";
constexpr std::string_view kVersionLine = "NATS/1.0\r\n";

void putWords(nlohmann::ordered_json& info, const Client& from)
{
    const auto& options = from.options();
    for (const auto& [key, value] : {std::pair("user", &from.identity().user),
             std::pair("name", &options.name),
             std::pair("lang", &options.lang),
             std::pair("ver", &options.version)}) {
        if (!value->empty())
            info[key] = *value;
    }
}

} // namespace

std::string requestInfo(
    const Account& importer, const Client* from, bool share, const std::string& serverName)
{
    const nlohmann::ordered_json info = from != nullptr
        ? partyInfo(*from, share, serverName)
        : nlohmann::ordered_json{{"acc", importer.name()}};
    return streams::encodeJson(info);
}

std::string withLastHeader(std::string_view headers, std::string_view name, std::string_view value)
{
    std::string out(kVersionLine);
    std::string_view rest = headers;
    if (const auto first = rest.find("\r\n"); first != std::string_view::npos) {
        out = rest.substr(0, first + 2);
        rest.remove_prefix(first + 2);
    }
    while (!rest.empty()) {
        const auto end = std::min(rest.find("\r\n"), rest.size());
        const std::string_view line = rest.substr(0, end);
        if (!line.empty() && !(line.starts_with(name) && line.substr(name.size()).starts_with(':')))
            out.append(line).append("\r\n");
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return out.append(name).append(": ").append(value).append("\r\n\r\n");
}

std::string withRequestInfo(std::string_view headers, const std::string& info)
{
    return withLastHeader(headers, kRequestInfo, info);
}

nlohmann::ordered_json partyInfo(const Client& client, bool detailed, const std::string& serverName)
{
    nlohmann::ordered_json info = nlohmann::ordered_json::object();
    if (detailed) {
        info["start"] = base::rfc3339(client.sender().start);
        info["host"] = client.peerHost();
        info["id"] = static_cast<std::uint64_t>(client.id());
    }
    info["acc"] = client.account()->name();
    if (detailed)
        putWords(info, client);
    if (client.sender().rtt != 0)
        info["rtt"] = client.sender().rtt;
    if (detailed) {
        info["server"] = serverName;
        info["kind"] = "Client";
        info["client_type"] = client.linkFacts().kind;
    }
    return info;
}

} // namespace jetglass::server
