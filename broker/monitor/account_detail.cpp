// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/account_detail.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

std::string_view textOf(ExportConfig::Response response)
{
    switch (response) {
    case ExportConfig::Response::Stream:
        return "Streamed";
    case ExportConfig::Response::Chunked:
        return "Chunked";
    case ExportConfig::Response::Singleton:
        break;
    }
    return "Singleton";
}

const AccountConfig* configOf(const Source& source, const std::string& account)
{
    const auto& all = source.config().accounts;
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const AccountConfig& one) { return one.name == account; });
    return found == all.end() ? nullptr : &*found;
}

Json mappingsOf(const std::vector<MappingConfig>& mappings)
{
    Json json = Json::object();
    for (const MappingConfig& mapping : mappings) {
        Json destinations = Json::array();
        // Each weight with those before it, as the die is cast for them.
        int upTo = 0;
        for (const MappingConfig::Destination& destination : mapping.destinations) {
            upTo += destination.weight;
            destinations.push_back({{"subject", destination.subject}, {"weight", upTo}});
        }
        json[mapping.source] = std::move(destinations);
    }
    return json;
}

Json serviceExport(std::string_view subject, ExportConfig::Response response)
{
    return {{"subject", subject}, {"type", "service"}, {"response_type", textOf(response)}};
}

void addExports(Json& list, const AccountConfig& config, bool services)
{
    for (const ExportConfig& offered : config.exports) {
        if (offered.service != services)
            continue;
        Json json = services ? serviceExport(offered.subject, offered.response)
                             : Json{{"subject", offered.subject}, {"type", "stream"}};
        if (offered.accounts && !offered.accounts->empty())
            json["approved_accounts"] = *offered.accounts;
        list.push_back(std::move(json));
    }
}

/// What the system account offers to all.
void addSystemExports(Json& list, bool jetstream)
{
    using Response = ExportConfig::Response;
    list.push_back(serviceExport("$SYS.REQ.ACCOUNT.*.CONNZ", Response::Stream));
    list.push_back(serviceExport("$SYS.REQ.ACCOUNT.*.STATZ", Response::Stream));
    list.push_back(serviceExport("$SYS.DEBUG.SUBSCRIBERS", Response::Singleton));
    list.push_back(serviceExport("$SYS.REQ.USER.*.INFO", Response::Singleton));
    if (jetstream)
        list.push_back(serviceExport("$JS.API.>", Response::Singleton));
}

Json serviceImport(
    const std::string& account, const std::string& subject, const std::string& to, bool share)
{
    return {{"subject", subject},
        {"account", account},
        {"to", to},
        {"local_subject", to},
        {"type", "service"},
        {"invalid", false},
        {"share", share},
        {"tracking", false}};
}

Json importOf(const ImportConfig& import)
{
    const std::string& local = import.to.empty() ? import.subject : import.to;
    if (import.service)
        return serviceImport(import.account, import.subject, local, import.share);
    return {{"subject", import.subject},
        {"account", import.account},
        {"local_subject", local},
        {"type", "stream"},
        {"invalid", false},
        {"share", false},
        {"tracking", false}};
}

/// What every account has of the system account: each speaks there of itself alone.
void addSystemImports(Json& list, const Source& source, const std::string& account)
{
    const std::string& system = source.config().auth.systemAccount;
    list.push_back(
        serviceImport(system, "$SYS.REQ.USER." + account + ".INFO", "$SYS.REQ.USER.INFO", true));
    if (account == system)
        return;
    const std::string prefix = "$SYS.REQ.ACCOUNT." + account;
    for (const char* to : {"$SYS.REQ.ACCOUNT.PING.CONNZ", "$SYS.REQ.SERVER.PING.CONNZ"})
        list.push_back(serviceImport(system, prefix + ".CONNZ", to, false));
    list.push_back(serviceImport(system, prefix + ".STATZ", "$SYS.REQ.ACCOUNT.PING.STATZ", false));
    if (source.jetstreamSettings() != nullptr)
        list.push_back(serviceImport(system, "$JS.API.>", "$JS.API.>", true));
}

} // namespace

void addExchange(Json& json, const Source& source, const std::string& account)
{
    const BrokerConfig& config = source.config();
    const AccountConfig* own = configOf(source, account);
    Json mappings = own != nullptr ? mappingsOf(own->mappings)
        : account == "$G"          ? mappingsOf(config.mappings)
                                   : Json::object();
    Json exports = Json::array();
    Json imports = Json::array();
    if (own != nullptr) {
        addExports(exports, *own, true);
        addExports(exports, *own, false);
        for (const ImportConfig& import : own->imports)
            imports.push_back(importOf(import));
    }
    if (!config.noSystemAccount) {
        if (account == config.auth.systemAccount)
            addSystemExports(exports, source.jetstreamSettings() != nullptr);
        addSystemImports(imports, source, account);
    }
    for (auto& [name, value] : {std::pair<const char*, Json*>("mappings", &mappings),
             std::pair<const char*, Json*>("exports", &exports),
             std::pair<const char*, Json*>("imports", &imports)}) {
        if (!value->empty())
            json[name] = std::move(*value);
    }
}

} // namespace jetglass::monitor
