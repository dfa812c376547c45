// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/backup_state.h"

#include "base/time_text.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "consumers/consumer_registry.h"
#include "streams/json_decode.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace jetglass::api {

namespace {

using Json = nlohmann::ordered_json;
using archive::ConsumerProgress;
using streams::JsonFields;

Error damaged(std::string text)
{
    return {Errc::Corrupt, std::move(text), 0, 0};
}

/// The decoder's words without what the API puts before them.
std::string reason(const Error& error)
{
    constexpr std::string_view kFront = "invalid JSON: ";
    return error.text.starts_with(kFront) ? error.text.substr(kFront.size()) : error.text;
}

std::uint64_t sequenceOf(const std::string& key)
{
    std::uint64_t seq = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), seq);
    return error == std::errc{} && end == key.data() + key.size() ? seq : 0;
}

void declarePair(
    JsonFields& fields, std::string name, std::uint64_t& consumer, std::uint64_t& stream)
{
    fields.addCustom(std::move(name), [&](const Json& value, JsonFields& outer) {
        JsonFields inner(false);
        inner.add("consumer_seq", consumer);
        inner.add("stream_seq", stream);
        if (!value.is_object())
            return outer.setTypeError(value, "SequencePair");
        inner.read(value);
        if (inner.failed())
            outer.setError(inner.error());
    });
}

void readPending(const Json& value, JsonFields& outer, ConsumerProgress& progress)
{
    if (!value.is_object())
        return outer.setTypeError(value, "map[uint64]*Pending");
    for (const auto& [key, item] : value.items()) {
        ConsumerProgress::Pending pending;
        pending.seq = sequenceOf(key);
        JsonFields inner(false);
        inner.add("Sequence", pending.consumerSeq);
        inner.add("Timestamp", pending.time);
        if (!item.is_object() || pending.seq == 0)
            return outer.setTypeError(item, "Pending");
        inner.read(item);
        if (inner.failed())
            return outer.setError(inner.error());
        progress.pending.push_back(pending);
    }
}

void readRedelivered(const Json& value, JsonFields& outer, ConsumerProgress& progress)
{
    if (!value.is_object())
        return outer.setTypeError(value, "map[uint64]uint64");
    for (const auto& [key, item] : value.items()) {
        const std::uint64_t seq = sequenceOf(key);
        if (seq == 0 || !item.is_number_unsigned())
            return outer.setTypeError(item, "uint64");
        progress.redelivered.push_back({seq, item.get<std::uint64_t>()});
    }
}

void declareProgress(JsonFields& fields, ConsumerProgress& progress)
{
    declarePair(fields, "delivered", progress.deliveredConsumer, progress.deliveredStream);
    declarePair(fields, "ack_floor", progress.floorConsumer, progress.floorStream);
    fields.addCustom("pending",
        [&](const Json& value, JsonFields& outer) { readPending(value, outer, progress); });
    fields.addCustom("redelivered",
        [&](const Json& value, JsonFields& outer) { readRedelivered(value, outer, progress); });
}

Result<void> checkState(const BackupState& state)
{
    constexpr const char* kInconsistent =
        "invalid stream state: inconsistent message count or sequence range";
    if (state.consumers < 0)
        return damaged("invalid stream state: negative consumer count");
    if (state.firstSeq == 0) {
        if (state.lastSeq != 0 || state.messages != 0)
            return damaged(kInconsistent);
    } else if (state.firstSeq > state.lastSeq) {
        if (state.firstSeq - 1 != state.lastSeq || state.messages != 0)
            return damaged(kInconsistent);
    } else if (state.messages > state.lastSeq - state.firstSeq + 1) {
        return damaged("invalid stream state: message count exceeds sequence range");
    }
    return {};
}

} // namespace

Result<BackupState> decodeBackupState(std::string_view text)
{
    BackupState state;
    JsonFields fields(false);
    fields.add("messages", state.messages);
    fields.add("bytes", state.bytes);
    fields.add("first_seq", state.firstSeq);
    fields.add("last_seq", state.lastSeq);
    fields.add("consumer_count", state.consumers);
    if (auto decoded = streams::decodeJson(text, fields); !decoded)
        return damaged("error in state.json: " + reason(decoded.error()));
    if (text.empty())
        return damaged("error in state.json: EOF");
    if (auto checked = checkState(state); !checked)
        return checked.error();
    return state;
}

Result<BackupConsumer> decodeBackupConsumer(std::string_view name, std::string_view text)
{
    BackupConsumer consumer;
    consumer.name = name;
    bool hasConfig = false;
    bool hasState = false;
    JsonFields fields(false);
    const auto nested = [](const Json& value, JsonFields& outer, bool& has, const auto& declare) {
        if (!value.is_object())
            return outer.setTypeError(value, "object");
        has = true;
        JsonFields inner(false);
        declare(inner);
        inner.read(value);
        if (inner.failed())
            outer.setError(inner.error());
    };
    fields.addCustom("config", [&](const Json& value, JsonFields& outer) {
        nested(value, outer, hasConfig, [&](JsonFields& inner) {
            consumers::declareConsumerConfig(inner, consumer.config);
        });
    });
    fields.addCustom("state", [&](const Json& value, JsonFields& outer) {
        nested(value, outer, hasState, [&](JsonFields& inner) {
            declareProgress(inner, consumer.progress);
        });
    });
    const std::string quoted = "\"" + consumer.name + "\"";
    if (auto decoded = streams::decodeJson(text, fields); !decoded)
        return damaged(
            "failed to decode consumer " + quoted + " state: " + reason(decoded.error()));
    if (!hasConfig)
        return damaged("consumer " + quoted + " is missing config");
    if (!hasState)
        return damaged("consumer " + quoted + " is missing state");
    auto& pending = consumer.progress.pending;
    std::sort(
        pending.begin(), pending.end(), [](const auto& a, const auto& b) { return a.seq < b.seq; });
    return consumer;
}

std::string encodeBackupConsumer(const consumers::Consumer& consumer, StreamSeq last)
{
    ConsumerConfig config = consumer.config();
    config.name = consumer.name();
    const ConsumerProgress progress = consumers::progressOf(consumer, last);
    Json state = {{"delivered",
                      {{"consumer_seq", progress.deliveredConsumer},
                          {"stream_seq", progress.deliveredStream}}},
        {"ack_floor",
            {{"consumer_seq", progress.floorConsumer}, {"stream_seq", progress.floorStream}}}};
    // Appended, not looked up: a member for each message would take a search each.
    Json::object_t pending;
    for (const auto& item : progress.pending)
        pending.emplace_back(std::to_string(item.seq),
            Json{{"Sequence", item.consumerSeq}, {"Timestamp", item.time}});
    if (!pending.empty())
        state["pending"] = std::move(pending);
    Json::object_t redelivered;
    for (const auto& item : progress.redelivered)
        redelivered.emplace_back(std::to_string(item.seq), item.count);
    if (!redelivered.empty())
        state["redelivered"] = std::move(redelivered);
    const Json entry = {
        {"config", consumers::consumerConfigToJson(config, consumers::ConfigAudience::Catalog)},
        {"state", std::move(state)}};
    return streams::encodeJson(entry);
}

Result<BackupConsumer> decodeConsumerMeta(
    std::string_view name, std::string_view text, std::int64_t& created)
{
    BackupConsumer consumer;
    consumer.name = name;
    std::optional<std::string> time;
    JsonFields fields(false);
    consumers::declareConsumerConfig(fields, consumer.config);
    fields.addTime("Created", time);
    if (auto decoded = streams::decodeJson(text, fields); !decoded)
        return damaged(reason(decoded.error()));
    if (time)
        created = base::parseRfc3339(*time).value_or(created);
    return consumer;
}

} // namespace jetglass::api
