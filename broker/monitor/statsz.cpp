// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/document.h"
#include "monitor/process_usage.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::monitor {

namespace {

nlohmann::ordered_json countsOf(const Traffic& traffic)
{
    return {{"msgs", traffic.messages}, {"bytes", traffic.bytes}};
}

} // namespace

nlohmann::ordered_json statsz(const Source& source)
{
    const ServerFacts server = source.server();
    const ProcessUsage usage = processUsage();
    const std::vector<AccountFacts> accounts = source.accounts();
    nlohmann::ordered_json json = {{"start", base::rfc3339(server.start)},
        {"mem", usage.memory},
        {"cores", usage.cores},
        {"cpu", usage.cpu},
        {"connections", server.connections},
        {"total_connections", server.totalConnections},
        {"active_accounts",
            std::count_if(accounts.begin(),
                accounts.end(),
                [](const AccountFacts& account) { return account.clients > 0; })},
        {"subscriptions", server.subscriptions},
        {"sent", countsOf(server.out)},
        {"sent_to_clients", countsOf(server.out)},
        {"received", countsOf(server.in)},
        {"received_from_clients", countsOf(server.in)},
        {"slow_consumers", server.slowConsumers},
        {"active_servers", 1}};
    if (const JetStreamConfig* settings = source.jetstreamSettings()) {
        nlohmann::ordered_json config = jetstreamConfig(source);
        config.erase("store_dir"); // it is nobody's business but of those who ask this server
        json["jetstream"] = {{"config", std::move(config)},
            {"stats", jetstreamStats(source)},
            {"limits", jetstreamLimits(*settings)}};
    }
    json["gomaxprocs"] = usage.cores;
    return json;
}

} // namespace jetglass::monitor
