// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/stream_config_json.h"

#include "streams/context.h"
#include "streams/json_decode.h"

#include <string>

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, Retention>, 3> kRetentions{{
    {"limits", Retention::Limits},
    {"interest", Retention::Interest},
    {"workqueue", Retention::WorkQueue},
}};
constexpr std::array<std::pair<std::string_view, Discard>, 2> kDiscards{
    {{"old", Discard::Old}, {"new", Discard::New}}};
constexpr std::array<std::pair<std::string_view, Storage>, 2> kStorages{
    {{"file", Storage::File}, {"memory", Storage::Memory}}};
constexpr std::array<std::pair<std::string_view, Compression>, 2> kCompressions{
    {{"none", Compression::None}, {"s2", Compression::S2}}};
constexpr std::array<std::pair<std::string_view, PersistMode>, 3> kPersistModes{
    {{"default", PersistMode::Default}, {"async", PersistMode::Async}, {"", PersistMode::Default}}};

template<class Enum, std::size_t N>
std::string wordOf(Enum value, const std::array<std::pair<std::string_view, Enum>, N>& words)
{
    for (const auto& [word, meaning] : words)
        if (meaning == value)
            return std::string(word);
    return {};
}

void declareTransform(JsonFields& fields, SubjectTransform& transform)
{
    fields.add("src", transform.src);
    fields.add("dest", transform.dest);
}

void declareSource(JsonFields& fields, StreamSource& source)
{
    fields.add("name", source.name);
    fields.add("opt_start_seq", source.optStartSeq);
    fields.addTime("opt_start_time", source.optStartTime);
    fields.add("filter_subject", source.filterSubject);
    fields.addList(
        "subject_transforms", "SubjectTransformConfig", source.subjectTransforms, declareTransform);
    fields.addObject("external",
        "ExternalStream",
        source.external,
        [](JsonFields& inner, StreamSource::External& to) {
            inner.add("api", to.api);
            inner.add("deliver", to.deliver);
        });
    fields.addObject("consumer",
        "StreamConsumerSource",
        source.consumer,
        [](JsonFields& inner, StreamSource::ConsumerRef& to) {
            inner.add("name", to.name);
            inner.add("deliver_subject", to.deliverSubject);
        });
}

Json transformToJson(const SubjectTransform& transform)
{
    return {{"src", transform.src}, {"dest", transform.dest}};
}

Json sourceToJson(const StreamSource& source)
{
    Json out = {{"name", source.name}};
    if (source.optStartSeq != 0)
        out["opt_start_seq"] = source.optStartSeq;
    if (source.optStartTime)
        out["opt_start_time"] = *source.optStartTime;
    if (!source.filterSubject.empty())
        out["filter_subject"] = source.filterSubject;
    for (const SubjectTransform& transform : source.subjectTransforms)
        out["subject_transforms"].push_back(transformToJson(transform));
    if (source.external)
        out["external"] = {{"api", source.external->api}, {"deliver", source.external->deliver}};
    if (source.consumer)
        out["consumer"] = {
            {"name", source.consumer->name}, {"deliver_subject", source.consumer->deliverSubject}};
    return out;
}

Json placementToJson(const Placement& placement)
{
    Json out = Json::object();
    if (!placement.cluster.empty())
        out["cluster"] = placement.cluster;
    if (!placement.tags.empty())
        out["tags"] = placement.tags;
    if (!placement.preferred.empty())
        out["preferred"] = placement.preferred;
    return out;
}

void addWhere(Json& out, const StreamConfig& config)
{
    if (config.placement)
        out["placement"] = placementToJson(*config.placement);
    if (config.mirror)
        out["mirror"] = sourceToJson(*config.mirror);
    for (const StreamSource& source : config.sources)
        out["sources"].push_back(sourceToJson(source));
    out["compression"] = wordOf(config.compression, kCompressions);
    if (config.firstSeq != 0)
        out["first_seq"] = config.firstSeq;
    if (config.subjectTransform)
        out["subject_transform"] = transformToJson(*config.subjectTransform);
    if (config.republish) {
        Json republish = {{"src", config.republish->src}, {"dest", config.republish->dest}};
        if (config.republish->headersOnly)
            republish["headers_only"] = true;
        out["republish"] = std::move(republish);
    }
}

void addFlags(Json& out, const StreamConfig& config)
{
    const auto whenTrue = [&out](const char* name, bool value) {
        if (value)
            out[name] = true;
    };
    out["allow_direct"] = config.allowDirect;
    out["mirror_direct"] = config.mirrorDirect;
    whenTrue("discard_new_per_subject", config.discardNewPerSubject);
    out["sealed"] = config.sealed;
    out["deny_delete"] = config.denyDelete;
    out["deny_purge"] = config.denyPurge;
    out["allow_rollup_hdrs"] = config.allowRollup;
    Json limits = Json::object();
    if (config.limitInactiveThreshold != 0)
        limits["inactive_threshold"] = config.limitInactiveThreshold;
    if (config.limitMaxAckPending != 0)
        limits["max_ack_pending"] = config.limitMaxAckPending;
    out["consumer_limits"] = std::move(limits);
    out["allow_msg_ttl"] = config.allowMsgTtl;
    if (config.subjectDeleteMarkerTtl != 0)
        out["subject_delete_marker_ttl"] = config.subjectDeleteMarkerTtl;
    whenTrue("allow_msg_counter", config.allowMsgCounter);
    whenTrue("allow_atomic", config.allowAtomic);
    whenTrue("allow_msg_schedules", config.allowMsgSchedules);
    if (config.persistMode == PersistMode::Async)
        out["persist_mode"] = "async";
    whenTrue("allow_batched", config.allowBatched);
}

} // namespace

void declareStreamConfig(JsonFields& fields, StreamConfig& config)
{
    fields.add("name", config.name);
    fields.add("description", config.description);
    fields.add("subjects", config.subjects);
    fields.addEnum("retention", config.retention, kRetentions);
    fields.addInt("max_consumers", config.maxConsumers);
    fields.add("max_msgs", config.maxMsgs);
    fields.add("max_bytes", config.maxBytes);
    fields.addDuration("max_age", config.maxAge);
    fields.add("max_msgs_per_subject", config.maxMsgsPerSubject);
    fields.add("max_msg_size", config.maxMsgSize);
    fields.addEnum("discard", config.discard, kDiscards, {.ignoreCase = true});
    fields.addEnum("storage", config.storage, kStorages);
    fields.addInt("num_replicas", config.replicas);
    fields.add("no_ack", config.noAck);
    fields.addDuration("duplicate_window", config.duplicateWindow);
    fields.addObject(
        "placement", "Placement", config.placement, [](JsonFields& inner, Placement& to) {
            inner.add("cluster", to.cluster);
            inner.add("tags", to.tags);
            inner.add("preferred", to.preferred);
        });
    fields.addObject("mirror", "StreamSource", config.mirror, declareSource);
    fields.addList("sources", "StreamSource", config.sources, declareSource, true);
    fields.addEnum("compression",
        config.compression,
        kCompressions,
        {JsonFields::Unknown::Unsaid, "unknown compression algorithm"});
    fields.add("first_seq", config.firstSeq);
    fields.addObject(
        "subject_transform", "SubjectTransformConfig", config.subjectTransform, declareTransform);
    fields.addObject(
        "republish", "RePublish", config.republish, [](JsonFields& inner, RePublish& to) {
            inner.add("src", to.src);
            inner.add("dest", to.dest);
            inner.add("headers_only", to.headersOnly);
        });
    fields.add("allow_direct", config.allowDirect);
    fields.add("mirror_direct", config.mirrorDirect);
    fields.add("discard_new_per_subject", config.discardNewPerSubject);
    fields.add("sealed", config.sealed);
    fields.add("deny_delete", config.denyDelete);
    fields.add("deny_purge", config.denyPurge);
    fields.add("allow_rollup_hdrs", config.allowRollup);
    fields.addObject(
        "consumer_limits", "StreamConsumerLimits", config, [](JsonFields& inner, StreamConfig& to) {
            inner.addDuration("inactive_threshold", to.limitInactiveThreshold);
            inner.addInt("max_ack_pending", to.limitMaxAckPending);
        });
    fields.add("allow_msg_ttl", config.allowMsgTtl);
    fields.addDuration("subject_delete_marker_ttl", config.subjectDeleteMarkerTtl);
    fields.add("allow_msg_counter", config.allowMsgCounter);
    fields.add("allow_atomic", config.allowAtomic);
    fields.add("allow_msg_schedules", config.allowMsgSchedules);
    fields.addEnum("persist_mode", config.persistMode, kPersistModes);
    fields.add("allow_batched", config.allowBatched);
    fields.add("metadata", config.metadata);
}

nlohmann::ordered_json streamConfigToJson(const StreamConfig& config, bool live)
{
    Json out = {{"name", config.name}};
    if (!config.description.empty())
        out["description"] = config.description;
    if (!config.subjects.empty())
        out["subjects"] = config.subjects;
    out["retention"] = wordOf(config.retention, kRetentions);
    out["max_consumers"] = config.maxConsumers;
    out["max_msgs"] = config.maxMsgs;
    out["max_bytes"] = config.maxBytes;
    out["max_age"] = config.maxAge;
    out["max_msgs_per_subject"] = config.maxMsgsPerSubject;
    out["max_msg_size"] = config.maxMsgSize;
    out["discard"] = wordOf(config.discard, kDiscards);
    out["storage"] = wordOf(config.storage, kStorages);
    out["num_replicas"] = config.replicas;
    if (config.noAck)
        out["no_ack"] = true;
    if (config.duplicateWindow != 0)
        out["duplicate_window"] = config.duplicateWindow;
    addWhere(out, config);
    addFlags(out, config);
    auto metadata = config.metadata;
    if (live) {
        metadata["_nats.level"] = std::to_string(kApiLevel);
        metadata["_nats.ver"] = kNatsVersion;
    }
    if (!metadata.empty())
        out["metadata"] = metadata;
    return out;
}

void stampRequiredLevel(StreamConfig& config)
{
    int level = 0;
    if (config.allowMsgTtl || config.subjectDeleteMarkerTtl > 0)
        level = 1;
    if (config.allowMsgCounter || config.allowAtomic || config.allowMsgSchedules
        || config.persistMode == PersistMode::Async)
        level = 2;
    if (config.allowBatched)
        level = 4;
    config.metadata.erase("_nats.ver");
    config.metadata.erase("_nats.level");
    config.metadata["_nats.req.level"] = std::to_string(level);
}

} // namespace jetglass::streams
