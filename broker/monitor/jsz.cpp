// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/document.h"
#include "monitor/jetstream_detail.h"
#include "streams/context.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kDetailLimit = 1024;

std::int64_t reserved(const streams::StreamRegistry& registry, Storage storage)
{
    std::int64_t bytes = 0;
    for (const streams::Stream* stream : registry.sorted()) {
        if (stream->config().storage == storage && stream->config().maxBytes > 0)
            bytes += stream->config().maxBytes;
    }
    return bytes;
}

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
        reservedMemory += reserved(*facts.registry, Storage::Memory);
        reservedStorage += reserved(*facts.registry, Storage::File);
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
        {"api",
            {{"level", level},
                {"total", sum.apiTotal},
                {"errors", sum.apiErrors},
                {"inflight", 0}}}};
}

} // namespace

nlohmann::ordered_json jetstreamConfig(const JetStreamConfig& settings)
{
    Json json = {{"max_memory", settings.maxMemory},
        {"max_storage", settings.maxStore},
        {"store_dir", settings.storeDir},
        {"sync_interval", settings.syncInterval}};
    if (settings.syncAlways)
        json["sync_always"] = true;
    if (!settings.domain.empty())
        json["domain"] = settings.domain;
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

nlohmann::ordered_json jsz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    const std::string only = query.text("acc");
    DetailWanted wanted;
    wanted.config = query.flag("config");
    wanted.consumers = query.flag("consumers") || query.flag("consumer");
    wanted.directConsumers = query.flag("direct-consumers");
    wanted.streams = query.flag("streams") || wanted.consumers || wanted.directConsumers;
    wanted.raft = query.flag("raft");
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
    json["config"] = jetstreamConfig(*settings);
    json["limits"] = Json::object();
    json["streams"] = sum.streams;
    json["consumers"] = sum.consumers;
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
            Sum own;
            own.add(facts);
            Json account = {{"name", facts.account}, {"id", facts.account}};
            account.update(statsOf(own, 1, streams::kApiLevel));
            if (wanted.streams)
                account["stream_detail"] = streamDetails(*facts.registry, server.name, wanted);
            accounts.push_back(std::move(account));
        }
        json["account_details"] = std::move(accounts);
    }
    json["total"] = all.size();
    return json;
}

} // namespace jetglass::monitor
