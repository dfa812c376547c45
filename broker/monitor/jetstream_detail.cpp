// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/jetstream_detail.h"

#include "base/time_text.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "streams/stream.h"
#include "streams/stream_config_json.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

Json stateOf(const streams::Stream& stream)
{
    const store::StoreState state = stream.store().state();
    const auto stamp = [](std::int64_t time) {
        return time == 0 ? std::string(base::kZeroTimeText) : base::rfc3339(time);
    };
    Json json = {{"messages", state.messages},
        {"bytes", state.bytes},
        {"first_seq", state.first.value()},
        {"first_ts", stamp(state.firstTime)},
        {"last_seq", state.last.value()},
        {"last_ts", stamp(state.lastTime)},
        {"num_subjects", state.subjects}};
    const std::uint64_t deleted = stream.store().deletedCount();
    if (deleted != 0)
        json["num_deleted"] = deleted;
    json["consumer_count"] = stream.consumers().size();
    return json;
}

Json positionOf(const consumers::Position& position, std::int64_t lastActive)
{
    Json json = {
        {"consumer_seq", position.consumer.value()}, {"stream_seq", position.stream.value()}};
    if (lastActive != 0)
        json["last_active"] = base::rfc3339(lastActive);
    return json;
}

Json consumerOf(consumers::Consumer& consumer, const streams::Stream& stream, bool config)
{
    Json json = {{"stream_name", stream.name()},
        {"name", consumer.name()},
        {"created", base::rfc3339(consumer.birth().created)}};
    if (config)
        json["config"] =
            consumers::consumerConfigToJson(consumer.config(), consumers::ConfigAudience::List);
    json["delivered"] = positionOf(consumer.delivered(), consumer.lastDelivery());
    json["ack_floor"] = positionOf(consumer.ackFloor(), consumer.lastAck());
    const ConsumerCounts counts = consumer.counts();
    json["num_ack_pending"] = counts.ackPending;
    json["num_redelivered"] = consumer.redeliveredCount();
    json["num_waiting"] = consumer.waitingCount();
    json["num_pending"] = consumer.pendingCount();
    if (consumer.isPushBound())
        json["push_bound"] = true;
    if (consumer.isPaused()) {
        json["paused"] = true;
        json["pause_remaining"] = consumer.pauseRemaining();
    }
    json["ts"] = base::rfc3339(stream.context().clock.wallTime());
    return json;
}

void addUpstreams(Json& json, const streams::Stream& stream)
{
    const std::vector<streams::UpstreamInfo> upstreams = stream.upstreams();
    for (const streams::UpstreamInfo& upstream : upstreams) {
        if (stream.config().mirror)
            json["mirror"] = streams::upstreamToJson(upstream);
        else
            json["sources"].push_back(streams::upstreamToJson(upstream));
    }
}

} // namespace

nlohmann::ordered_json streamDetails(const streams::StreamRegistry& registry,
    const std::string& serverName,
    const DetailWanted& wanted)
{
    Json details = Json::array();
    for (const streams::Stream* stream : registry.sorted()) {
        Json json = {{"name", stream->name()},
            {"created", base::rfc3339(stream->created())},
            {"cluster", {{"leader", serverName}}}};
        if (wanted.config)
            json["config"] = streams::streamConfigToJson(stream->config(), false);
        json["state"] = stateOf(*stream);
        Json all = Json::array();
        Json direct = Json::array();
        for (streams::ConsumerPort* port : stream->consumers()) {
            auto* consumer = dynamic_cast<consumers::Consumer*>(port);
            if (consumer == nullptr)
                continue;
            Json& list = consumer->config().direct ? direct : all;
            list.push_back(consumerOf(*consumer, *stream, wanted.config));
        }
        if (wanted.consumers && !all.empty())
            json["consumer_detail"] = std::move(all);
        if (wanted.directConsumers && !direct.empty())
            json["direct_consumer_detail"] = std::move(direct);
        addUpstreams(json, *stream);
        details.push_back(std::move(json));
    }
    return details;
}

} // namespace jetglass::monitor
