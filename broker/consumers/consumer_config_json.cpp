// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer_config_json.h"

#include "base/time_text.h"
#include "streams/context.h"
#include "streams/json_decode.h"

#include <array>
#include <string>
#include <string_view>

namespace jetglass::consumers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, DeliverPolicy>, 7> kDeliverPolicies{{
    {"all", DeliverPolicy::All},
    {"last", DeliverPolicy::Last},
    {"last_per_subject", DeliverPolicy::LastPerSubject},
    {"new", DeliverPolicy::New},
    {"by_start_sequence", DeliverPolicy::ByStartSequence},
    {"by_start_time", DeliverPolicy::ByStartTime},
    {"undefined", DeliverPolicy::All},
}};
constexpr std::array<std::pair<std::string_view, AckPolicy>, 4> kAckPolicies{{
    {"none", AckPolicy::None},
    {"all", AckPolicy::All},
    {"explicit", AckPolicy::Explicit},
    {"flow_control", AckPolicy::FlowControl},
}};
constexpr std::array<std::pair<std::string_view, ReplayPolicy>, 2> kReplayPolicies{
    {{"instant", ReplayPolicy::Instant}, {"original", ReplayPolicy::Original}}};
constexpr std::array<std::pair<std::string_view, PriorityPolicy>, 4> kPriorityPolicies{{
    {"none", PriorityPolicy::None},
    {"overflow", PriorityPolicy::Overflow},
    {"pinned_client", PriorityPolicy::PinnedClient},
    {"prioritized", PriorityPolicy::Prioritized},
}};

template<class Enum, std::size_t N>
std::string wordOf(Enum value, const std::array<std::pair<std::string_view, Enum>, N>& words)
{
    for (const auto& [word, meaning] : words)
        if (meaning == value)
            return std::string(word);
    return {};
}

constexpr std::string_view kVersionKey = "_nats.ver";
constexpr std::string_view kLevelKey = "_nats.level";
constexpr std::string_view kRequiredKey = "_nats.req.level";

void put(Json& out, const char* name, const std::string& value)
{
    if (!value.empty())
        out[name] = value;
}

template<class Number>
void putNumber(Json& out, const char* name, Number value)
{
    if (value != 0)
        out[name] = value;
}

void putFlag(Json& out, const char* name, bool value)
{
    if (value)
        out[name] = true;
}

} // namespace

void declareConsumerConfig(streams::JsonFields& fields, ConsumerConfig& config)
{
    fields.add("durable_name", config.durableName);
    fields.add("name", config.name);
    fields.add("description", config.description);
    fields.addEnum("deliver_policy", config.deliverPolicy, kDeliverPolicies);
    fields.add("opt_start_seq", config.optStartSeq);
    fields.addTime("opt_start_time", config.optStartTime);
    fields.addEnum("ack_policy", config.ackPolicy, kAckPolicies);
    fields.addDuration("ack_wait", config.ackWait);
    fields.addInt("max_deliver", config.maxDeliver);
    fields.addDurations("backoff", config.backoff);
    fields.add("filter_subject", config.filterSubject);
    fields.add("filter_subjects", config.filterSubjects);
    fields.addEnum("replay_policy", config.replayPolicy, kReplayPolicies);
    fields.add("rate_limit_bps", config.rateLimitBps);
    fields.add("sample_freq", config.sampleFreq);
    fields.addInt("max_waiting", config.maxWaiting);
    fields.addInt("max_ack_pending", config.maxAckPending);
    fields.add("flow_control", config.flowControl);
    fields.add("headers_only", config.headersOnly);
    fields.addInt("max_batch", config.maxBatch);
    fields.addDuration("max_expires", config.maxExpires);
    fields.addInt("max_bytes", config.maxBytes);
    fields.add("deliver_subject", config.deliverSubject);
    fields.add("deliver_group", config.deliverGroup);
    fields.addDuration("idle_heartbeat", config.idleHeartbeat);
    fields.addDuration("inactive_threshold", config.inactiveThreshold);
    fields.addInt("num_replicas", config.replicas);
    fields.add("mem_storage", config.memStorage);
    fields.add("direct", config.direct);
    fields.add("sourcing", config.sourcing);
    fields.add("metadata", config.metadata);
    fields.addTime("pause_until", config.pauseUntil);
    fields.add("priority_groups", config.priorityGroups);
    fields.addEnum("priority_policy",
        config.priorityPolicy,
        kPriorityPolicies,
        {streams::JsonFields::Unknown::Shown, "unknown priority policy: "});
    fields.addDuration("priority_timeout", config.priorityTimeout);
}

Json consumerConfigToJson(const ConsumerConfig& config, ConfigAudience audience)
{
    Json out = Json::object();
    put(out, "durable_name", config.durableName);
    put(out, "name", config.name);
    put(out, "description", config.description);
    out["deliver_policy"] = wordOf(config.deliverPolicy, kDeliverPolicies);
    putNumber(out, "opt_start_seq", config.optStartSeq);
    if (config.optStartTime)
        out["opt_start_time"] = *config.optStartTime;
    out["ack_policy"] = wordOf(config.ackPolicy, kAckPolicies);
    putNumber(out, "ack_wait", config.ackWait);
    putNumber(out, "max_deliver", config.maxDeliver);
    if (!config.backoff.empty())
        out["backoff"] = config.backoff;
    put(out, "filter_subject", config.filterSubject);
    if (config.filterSubjects && !config.filterSubjects->empty())
        out["filter_subjects"] = *config.filterSubjects;
    out["replay_policy"] = wordOf(config.replayPolicy, kReplayPolicies);
    putNumber(out, "rate_limit_bps", config.rateLimitBps);
    put(out, "sample_freq", config.sampleFreq);
    putNumber(out, "max_waiting", config.maxWaiting);
    putNumber(out, "max_ack_pending", config.maxAckPending);
    putFlag(out, "flow_control", config.flowControl);
    putFlag(out, "headers_only", config.headersOnly);
    putNumber(out, "max_batch", config.maxBatch);
    putNumber(out, "max_expires", config.maxExpires);
    putNumber(out, "max_bytes", config.maxBytes);
    put(out, "deliver_subject", config.deliverSubject);
    put(out, "deliver_group", config.deliverGroup);
    putNumber(out, "idle_heartbeat", config.idleHeartbeat);
    putNumber(out, "inactive_threshold", config.inactiveThreshold);
    out["num_replicas"] = config.replicas;
    putFlag(out, "mem_storage", config.memStorage);
    putFlag(out, "direct", config.direct);
    putFlag(out, "sourcing", config.sourcing);
    std::map<std::string, std::string> metadata = config.metadata;
    if (audience == ConfigAudience::Info) {
        metadata[std::string(kVersionKey)] = streams::kNatsVersion;
        metadata[std::string(kLevelKey)] = std::to_string(streams::kApiLevel);
    }
    if (!metadata.empty())
        out["metadata"] = metadata;
    if (config.pauseUntil)
        out["pause_until"] = *config.pauseUntil;
    if (!config.priorityGroups.empty())
        out["priority_groups"] = config.priorityGroups;
    if (config.priorityPolicy != PriorityPolicy::None)
        out["priority_policy"] = wordOf(config.priorityPolicy, kPriorityPolicies);
    putNumber(out, "priority_timeout", config.priorityTimeout);
    return out;
}

void stampRequiredLevel(ConsumerConfig& config)
{
    config.metadata.erase(std::string(kVersionKey));
    config.metadata.erase(std::string(kLevelKey));
    const bool paused = config.pauseUntil && *config.pauseUntil != base::kZeroTimeText;
    const char* level = "0";
    if (paused || config.priorityPolicy != PriorityPolicy::None || !config.priorityGroups.empty()
        || config.priorityTimeout != 0)
        level = "1";
    if (config.ackPolicy == AckPolicy::FlowControl)
        level = "4";
    config.metadata[std::string(kRequiredKey)] = level;
}

} // namespace jetglass::consumers
