// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/document.h"
#include "monitor/jetstream_detail.h"
#include "streams/context.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kDetailLimit = 1024;
constexpr int kDefaultMaxConsumers = 1000; ///< of a stream that does not name its own

/// Counts over some accounts' JetStreams.
struct Sum
{
    std::uint64_t memory = 0;
    std::uint64_t storage = 0;
    std::int64_t reservedMemory = 0;
    std::int64_t reservedStorage = 0;
    std::uint64_t apiTotal = 0;
    std::uint64_t apiErrors = 0;
    std::uint64_t streams = 0;
    std::uint64_t consumers = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;

    void add(const JetStreamFacts& facts)
    {
        apiTotal += facts.apiTotal;
        apiErrors += facts.apiErrors;
        memory += facts.registry->memoryBytes();
        storage += facts.registry->fileBytes();
        reservedMemory += facts.registry->reservedBytes(Storage::Memory);
        reservedStorage += facts.registry->reservedBytes(Storage::File);
        for (const streams::Stream* stream : facts.registry->sorted()) {
            const store::StoreState state = stream->store().state();
            ++streams;
            consumers += stream->consumers().size();
            messages += state.messages;
            bytes += state.bytes;
        }
    }
};

Json statsOf(const Sum& sum, std::size_t accounts, int level)
{
    return {{"memory", sum.memory},
        {"storage", sum.storage},
        {"reserved_memory", sum.reservedMemory},
        {"reserved_storage", sum.reservedStorage},
        {"accounts", accounts},
        {"ha_assets", 0},
        {"api", {{"level", level}, {"total", sum.apiTotal}, {"errors", sum.apiErrors}}}};
}

DetailWanted detailOf(Query& query)
{
    DetailWanted wanted;
    wanted.config = query.flag("config");
    wanted.consumers = query.flag("consumers") || query.flag("consumer");
    wanted.directConsumers = query.flag("direct-consumers");
    wanted.streams = query.flag("streams") || wanted.consumers || wanted.directConsumers;
    wanted.raft = query.flag("raft");
    return wanted;
}

/// As the reference shows it: reserved is what the account may use, -1 without a sign if that is
/// not limited.
Json accountOf(
    const JetStreamFacts& facts, const std::string& serverName, const DetailWanted& wanted)
{
    Sum own;
    own.add(facts);
    Json account = {{"name", facts.account}, {"id", facts.account}};
    account.update(statsOf(own, 0, 0));
    account["reserved_memory"] = static_cast<std::uint64_t>(facts.limits.maxMemory);
    account["reserved_storage"] = static_cast<std::uint64_t>(facts.limits.maxStore);
    if (wanted.streams && !facts.registry->sorted().empty())
        account["stream_detail"] = streamDetails(*facts.registry, serverName, wanted);
    return account;
}

} // namespace

nlohmann::ordered_json jetstreamConfig(const Source& source)
{
    const JetStreamConfig& settings = *source.jetstreamSettings();
    const JetStreamConfig& wanted = source.config().jetstream;
    Json json = {{"max_memory", settings.maxMemory},
        {"max_storage", settings.maxStore},
        {"store_dir", settings.storeDir},
        {"sync_interval", settings.syncInterval}};
    if (settings.syncAlways)
        json["sync_always"] = true;
    if (!settings.domain.empty())
        json["domain"] = settings.domain;
    // The reference says so only where its configuration sets both limits.
    if (wanted.maxMemory > 0 && wanted.maxStore > 0)
        json["compress_ok"] = true;
    json["strict"] = settings.strict;
    return json;
}

nlohmann::ordered_json jetstreamStats(const Source& source)
{
    Sum sum;
    const std::vector<JetStreamFacts> all = source.jetstream();
    for (const JetStreamFacts& facts : all)
        sum.add(facts);
    return statsOf(sum, all.size(), streams::kApiLevel);
}

nlohmann::ordered_json jetstreamLimits(const JetStreamConfig& settings)
{
    Json json = Json::object();
    for (const auto& [name, value] : {std::pair("max_request_batch", settings.maxRequestBatch),
             std::pair("max_ack_pending", settings.maxAckPending),
             std::pair("max_duplicate_window", settings.maxDuplicateWindow),
             std::pair("max_batch_inflight_per_stream", settings.maxBatchInflightPerStream),
             std::pair("max_batch_inflight_total", settings.maxBatchInflightTotal),
             std::pair("max_batch_size", settings.maxBatchSize),
             std::pair("max_batch_timeout", settings.maxBatchTimeout)}) {
        if (value != 0)
            json[name] = value;
    }
    json["default_max_consumers"] = kDefaultMaxConsumers;
    return json;
}

nlohmann::ordered_json featureFlags()
{
    return {{"js_ack_fc_v2", false},
        {"js_api_reply_v2", false},
        {"js_raft_delete_range", true},
        {"js_snapshot_sources", false}};
}

nlohmann::ordered_json jetstreamAccount(
    const Source& source, const std::string& account, Query& query)
{
    for (const JetStreamFacts& facts : source.jetstream()) {
        if (facts.account == account)
            return accountOf(facts, source.server().name, detailOf(query));
    }
    const std::vector<AccountFacts> accounts = source.accounts();
    const bool known = std::any_of(
        accounts.begin(), accounts.end(), [&](const auto& one) { return one.name == account; });
    query.fail("account \"" + account + (known ? "\" not jetstream enabled" : "\" not found"));
    return nullptr;
}

nlohmann::ordered_json jsz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    const std::string only = query.text("acc");
    const DetailWanted wanted = detailOf(query);
    const bool details = query.flag("accounts") || wanted.streams || !only.empty();
    (void)query.flag("leader-only");
    (void)query.flag("stream-leader-only");
    const auto offset = std::max<std::int64_t>(query.number("offset", 0), 0);
    std::int64_t limit = query.number("limit", kDetailLimit);
    if (limit <= 0)
        limit = kDetailLimit;

    Json json = Json::object();
    const JetStreamConfig* settings = source.jetstreamSettings();
    if (settings != nullptr)
        json = jetstreamStats(source);
    json["server_id"] = server.id;
    json["now"] = base::rfc3339(server.now);
    if (settings == nullptr) {
        json["disabled"] = true;
        json["config"] = {{"max_memory", 0}, {"max_storage", 0}};
        json["limits"] = Json::object();
        return json;
    }
    const std::vector<JetStreamFacts> all = source.jetstream();
    Sum sum;
    for (const JetStreamFacts& facts : all)
        sum.add(facts);
    json["config"] = jetstreamConfig(source);
    json["limits"] = jetstreamLimits(*settings);
    json["streams"] = sum.streams;
    json["consumers"] = sum.consumers;
    // One server leads all that there is, and says so when it is asked for groups.
    if (wanted.raft && sum.streams > 0)
        json["streams_leader"] = sum.streams;
    if (wanted.raft && sum.consumers > 0)
        json["consumers_leader"] = sum.consumers;
    json["messages"] = sum.messages;
    json["bytes"] = sum.bytes;
    if (details) {
        Json accounts = Json::array();
        std::int64_t place = 0;
        for (const JetStreamFacts& facts : all) {
            if (!only.empty() && facts.account != only)
                continue;
            if (place++ < offset || static_cast<std::int64_t>(accounts.size()) >= limit)
                continue;
            accounts.push_back(accountOf(facts, server.name, wanted));
        }
        if (!accounts.empty())
            json["account_details"] = std::move(accounts);
    }
    json["total"] = all.size();
    return json;
}

} // namespace jetglass::monitor
