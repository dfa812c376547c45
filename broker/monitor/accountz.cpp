// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/account_detail.h"
#include "monitor/document.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kAccountLimit = 1024;

double hitRate(const AccountFacts& counts)
{
    return counts.matches == 0
        ? 0.0
        : static_cast<double>(counts.cacheHits) / static_cast<double>(counts.matches);
}

double averageFanout(const AccountFacts& counts)
{
    return counts.cached == 0
        ? 0.0
        : static_cast<double>(counts.totalFanout) / static_cast<double>(counts.cached);
}

Json matcherOf(const AccountFacts& counts)
{
    return {{"num_subscriptions", counts.subscriptions},
        {"num_cache", counts.cached},
        {"num_inserts", counts.inserts},
        {"num_removes", counts.removes},
        {"num_matches", counts.matches},
        {"cache_hit_rate", hitRate(counts)},
        {"max_fanout", counts.maxFanout},
        {"avg_fanout", averageFanout(counts)}};
}

Json subscriptionOf(const SubscriptionFacts& subscription)
{
    Json json;
    json["account"] = subscription.account;
    json["account_tag"] = subscription.account;
    json["subject"] = subscription.subject;
    if (!subscription.queue.empty())
        json["qgroup"] = subscription.queue;
    json["sid"] = subscription.sid;
    json["msgs"] = subscription.delivered;
    if (subscription.max != 0)
        json["max"] = subscription.max;
    json["cid"] = static_cast<std::uint64_t>(subscription.client);
    return json;
}

AccountFacts sumOf(const std::vector<AccountFacts>& accounts)
{
    AccountFacts sum;
    for (const AccountFacts& account : accounts) {
        sum.clients += account.clients;
        sum.subscriptions += account.subscriptions;
        sum.cached += account.cached;
        sum.inserts += account.inserts;
        sum.removes += account.removes;
        sum.matches += account.matches;
        sum.cacheHits += account.cacheHits;
        sum.maxFanout = std::max(sum.maxFanout, account.maxFanout);
        sum.totalFanout += account.totalFanout;
    }
    return sum;
}

Json trafficOf(const Traffic& traffic)
{
    const Json none = {{"msgs", 0}, {"bytes", 0}};
    return {{"msgs", traffic.messages},
        {"bytes", traffic.bytes},
        {"gateways", none},
        {"routes", none},
        {"leafs", none}};
}

} // namespace

nlohmann::ordered_json subsz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    const std::string test = query.text("test");
    const std::string only = query.text("acc");
    const bool list = query.flag("subs") || !test.empty();
    const auto offset = std::max<std::int64_t>(query.number("offset", 0), 0);
    std::int64_t limit = query.number("limit", kAccountLimit);
    if (limit <= 0)
        limit = kAccountLimit;
    if (!test.empty() && !subjects::isValidLiteral(test))
        query.fail("invalid test subject, must be literal subject: " + test);
    std::vector<AccountFacts> accounts = source.accounts();
    if (!only.empty())
        accounts.erase(std::remove_if(accounts.begin(),
                           accounts.end(),
                           [&](const AccountFacts& account) { return account.name != only; }),
            accounts.end());
    Json json = {{"server_id", server.id}, {"now", base::rfc3339(server.now)}};
    json.update(matcherOf(sumOf(accounts)));
    std::int64_t total = 0;
    Json entries = Json::array();
    if (list) {
        for (const AccountFacts& account : accounts) {
            source.forEachSubscription(account.name, [&](const SubscriptionFacts& subscription) {
                if (!test.empty() && !subjects::matches(subscription.subject, test))
                    return;
                if (total >= offset && static_cast<std::int64_t>(entries.size()) < limit)
                    entries.push_back(subscriptionOf(subscription));
                ++total;
            });
        }
    }
    json["total"] = total;
    json["offset"] = offset;
    json["limit"] = limit;
    if (list)
        json["subscriptions_list"] = std::move(entries);
    return json;
}

nlohmann::ordered_json accountz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    Json json = {{"server_id", server.id},
        {"now", base::rfc3339(server.now)},
        {"system_account", source.config().auth.systemAccount}};
    const std::vector<AccountFacts> accounts = source.accounts();
    const std::string name = query.text("acc");
    if (name.empty()) {
        Json names = Json::array();
        for (const AccountFacts& account : accounts)
            names.push_back(account.name);
        json["accounts"] = std::move(names);
        return json;
    }
    const auto found = std::find_if(
        accounts.begin(), accounts.end(), [&](const AccountFacts& a) { return a.name == name; });
    if (found == accounts.end()) {
        query.fail("Account " + name + " does not exist");
        return json;
    }
    Json& detail = json["account_detail"];
    detail = {{"account_name", name}, {"update_time", base::rfc3339(server.configLoaded)}};
    if (name == source.config().auth.systemAccount)
        detail["is_system"] = true;
    detail["expired"] = false;
    detail["complete"] = true;
    detail["jetstream_enabled"] = found->jetstream;
    detail["leafnode_connections"] = 0;
    detail["client_connections"] = found->clients;
    detail["subscriptions"] = found->subscriptions;
    addExchange(detail, source, name);
    detail["name_tag"] = name;
    detail["sublist_stats"] = matcherOf(*found);
    return json;
}

nlohmann::ordered_json accstatz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    const bool unused = query.flag("unused");
    const std::vector<ConnectionFacts> connections = source.openConnections();
    Json entries = Json::array();
    for (const AccountFacts& account : source.accounts()) {
        Traffic in = account.leftIn;
        Traffic out = account.leftOut;
        for (const ConnectionFacts& connection : connections) {
            if (connection.account != account.name)
                continue;
            in.messages += connection.in.messages;
            in.bytes += connection.in.bytes;
            out.messages += connection.out.messages;
            out.bytes += connection.out.bytes;
        }
        if (!unused && account.clients == 0)
            continue;
        entries.push_back({{"acc", account.name},
            {"name", account.name},
            {"conns", account.clients},
            {"leafnodes", 0},
            {"total_conns", account.clients},
            {"num_subscriptions", account.subscriptions},
            {"sent", trafficOf(out)},
            {"received", trafficOf(in)},
            {"slow_consumers", 0}});
    }
    return {{"server_id", server.id},
        {"now", base::rfc3339(server.now)},
        {"account_statz", std::move(entries)}};
}

} // namespace jetglass::monitor
