// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/no_jetstream.h"

#include "base/json.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>

namespace jetglass::host {

namespace {

using Json = nlohmann::ordered_json;

/// An endpoint and what stands beside its error.
struct RefusedEndpoint
{
    std::string_view pattern;
    std::string_view type;
    std::string_view members = "{}";
};

constexpr std::string_view kPage = R"({"total":0,"offset":0,"limit":0})";
constexpr std::string_view kNoStreams = R"({"total":0,"offset":0,"limit":0,"streams":[]})";
constexpr std::string_view kNoConsumers = R"({"total":0,"offset":0,"limit":0,"consumers":[]})";

constexpr std::array<RefusedEndpoint, 21> kRefusedEndpoints = {{
    {"$JS.API.INFO", "account_info"},
    {"$JS.API.STREAM.CREATE.*", "stream_create"},
    {"$JS.API.STREAM.UPDATE.*", "stream_update"},
    {"$JS.API.STREAM.NAMES", "stream_names", R"({"total":0,"offset":0,"limit":0,"streams":null})"},
    {"$JS.API.STREAM.LIST", "stream_list", kNoStreams},
    {"$JS.API.STREAM.INFO.*", "stream_info", kPage},
    {"$JS.API.STREAM.DELETE.*", "stream_delete"},
    {"$JS.API.STREAM.PURGE.*", "stream_purge", R"({"purged":0})"},
    {"$JS.API.STREAM.MSG.DELETE.*", "stream_msg_delete"},
    {"$JS.API.STREAM.MSG.GET.*", "stream_msg_get"},
    {"$JS.API.STREAM.SNAPSHOT.*", "stream_snapshot"},
    {"$JS.API.STREAM.RESTORE.*", "stream_restore", R"({"deliver_subject":""})"},
    {"$JS.API.CONSUMER.CREATE.>", "consumer_create"},
    {"$JS.API.CONSUMER.DURABLE.CREATE.*.*", "consumer_create"},
    {"$JS.API.CONSUMER.NAMES.*", "consumer_names", kNoConsumers},
    {"$JS.API.CONSUMER.LIST.*", "consumer_list", kNoConsumers},
    {"$JS.API.CONSUMER.INFO.*.*", "consumer_info"},
    {"$JS.API.CONSUMER.DELETE.*.*", "consumer_delete"},
    {"$JS.API.CONSUMER.PAUSE.*.*",
        "consumer_pause",
        R"({"paused":false,"pause_until":"0001-01-01T00:00:00Z"})"},
    {"$JS.API.CONSUMER.UNPIN.*.*", "consumer_unpin"},
    {"$JS.API.CONSUMER.RESET.*.*", "consumer_reset"},
}};

/// All of the API but what only a consumer or a stream of its own would take: there nobody answers.
constexpr std::array<std::string_view, 15> kTaken = {"$JS.API.*",
    "$JS.API.STREAM.>",
    "$JS.API.META.>",
    "$JS.API.SERVER.>",
    "$JS.API.ACCOUNT.>",
    "$JS.API.CONSUMER.CREATE.>",
    "$JS.API.CONSUMER.DURABLE.>",
    "$JS.API.CONSUMER.NAMES.>",
    "$JS.API.CONSUMER.LIST.>",
    "$JS.API.CONSUMER.INFO.>",
    "$JS.API.CONSUMER.DELETE.>",
    "$JS.API.CONSUMER.PAUSE.>",
    "$JS.API.CONSUMER.UNPIN.>",
    "$JS.API.CONSUMER.RESET.>",
    "$JS.API.CONSUMER.LEADER.>"};

void refuse(streams::Bus& bus, const streams::Inbound& message)
{
    if (message.reply.empty())
        return;
    for (const RefusedEndpoint& endpoint : kRefusedEndpoints) {
        if (!subjects::matches(endpoint.pattern, message.subject))
            continue;
        Json answer;
        answer["type"] = "io.nats.jetstream.api.v1." + std::string(endpoint.type) + "_response";
        answer["error"] = {{"code", 503},
            {"err_code", 10039},
            {"description", "JetStream not enabled for account"}};
        answer.update(base::parseJson(endpoint.members));
        const std::string body = base::jsonText(answer);
        bus.publish({message.reply, {}, {}, body});
        return;
    }
}

} // namespace

void refuseJetStream(BusHandlers& handlers, streams::Bus& bus)
{
    for (const std::string_view pattern : kTaken)
        handlers.add(
            bus, pattern, [&bus](const streams::Inbound& message) { refuse(bus, message); });
}

} // namespace jetglass::host
