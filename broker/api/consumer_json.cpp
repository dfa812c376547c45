// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/consumer_json.h"

#include "base/time_text.h"
#include "consumers/consumer.h"
#include "streams/stream.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {

namespace {

using Json = nlohmann::ordered_json;

Json positionToJson(const consumers::Position& position, std::int64_t lastActive)
{
    Json out = {
        {"consumer_seq", position.consumer.value()}, {"stream_seq", position.stream.value()}};
    if (lastActive != 0)
        out["last_active"] = base::rfc3339(lastActive);
    return out;
}

Json groupToJson(const consumers::PriorityGroup& priority)
{
    Json out = {{"group", priority.group()}};
    if (priority.isPinned())
        out["pinned_client_id"] = priority.pinId();
    out["pinned_ts"] =
        priority.isPinned() ? base::rfc3339(priority.pinnedAt()) : std::string(base::kZeroTimeText);
    return out;
}

} // namespace

Json consumerInfoToJson(consumers::Consumer& consumer, consumers::ConfigAudience audience)
{
    const std::size_t waiting = consumer.waitingCount();
    Json out = {{"stream_name", consumer.stream().name()},
        {"name", consumer.name()},
        {"created", base::rfc3339(consumer.birth().created)}};
    out["config"] = consumers::consumerConfigToJson(consumer.config(), audience);
    out["delivered"] = positionToJson(consumer.delivered(), consumer.lastDelivery());
    out["ack_floor"] = positionToJson(consumer.ackFloor(), consumer.lastAck());
    out["num_ack_pending"] = consumer.tracker().size();
    out["num_redelivered"] = consumer.redeliveredCount();
    out["num_waiting"] = waiting;
    out["num_pending"] = consumer.pendingCount();
    if (consumer.isPushBound())
        out["push_bound"] = true;
    if (consumer.isPaused()) {
        out["paused"] = true;
        out["pause_remaining"] = consumer.pauseRemaining();
    }
    out["ts"] = base::rfc3339(consumer.stream().context().clock.wallTime());
    if (!consumer.config().priorityGroups.empty())
        out["priority_groups"] = Json::array({groupToJson(consumer.priority())});
    return out;
}

} // namespace jetglass::api
