// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/restore_api.h"

#include "api/advisory.h"
#include "api/stream_api.h"
#include "api/stream_json.h"
#include "base/nuid.h"
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream.h"
#include "streams/stream_config_json.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {

namespace {

using namespace streams;
using Json = nlohmann::ordered_json;

constexpr std::size_t kRestoreStreamToken = 4;
constexpr std::string_view kRestoreEvents = "$JS.EVENT.ADVISORY.STREAM.RESTORE_";

/// The state that the client sends along is checked and not used: the backup has its own.
struct SentState
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t firstSeq = 0;
    std::uint64_t lastSeq = 0;
    std::optional<std::string> firstTime;
    std::optional<std::string> lastTime;
    std::int64_t subjects = 0;
    std::int64_t deleted = 0;
    std::int64_t consumers = 0;
};

void declareState(JsonFields& fields, SentState& state)
{
    // What the messages themselves tell is only checked for its shape.
    const auto objectOf = [](const char* type) {
        return [type](const Json& value, JsonFields& inner) {
            if (!value.is_object())
                inner.setTypeError(value, type);
        };
    };
    const auto sequences = [](const Json& value, JsonFields& inner) {
        if (!value.is_array())
            return inner.setTypeError(value, "[]uint64");
        for (const Json& item : value)
            if (!item.is_null() && !item.is_number_unsigned())
                return inner.setNumberError(item, "uint64");
    };
    fields.add("messages", state.messages);
    fields.add("bytes", state.bytes);
    fields.add("first_seq", state.firstSeq);
    fields.addTime("first_ts", state.firstTime);
    fields.add("last_seq", state.lastSeq);
    fields.addTime("last_ts", state.lastTime);
    fields.addInt("num_subjects", state.subjects);
    fields.addCustom("subjects", objectOf("map[string]uint64"));
    fields.addInt("num_deleted", state.deleted);
    fields.addCustom("deleted", sequences);
    fields.addCustom("lost", objectOf("server.LostStreamData"));
    fields.addInt("consumer_count", state.consumers);
}

Error restoreFailed(const Error& error)
{
    // An error of the API stands for itself.
    if (error.code == Errc::Api)
        return error;
    return Error::api(500, 10062, "restore failed: " + error.text);
}

Json outcomeToJson(const RestoreSession::Outcome& outcome)
{
    Json body = {{"type", "io.nats.jetstream.api.v1.stream_create_response"}};
    if (outcome.stream) {
        (*outcome.stream)->settle();
        body.update(streamInfoToJson(**outcome.stream, {true, false, false}));
        return body;
    }
    const Error error = restoreFailed(outcome.stream.error());
    body["error"] = {
        {"code", error.apiCode}, {"err_code", error.apiErrCode}, {"description", error.text}};
    return body;
}

} // namespace

RestoreApi::RestoreApi(Context& context, StreamRegistry& registry, const StreamApi& streams)
    : m_context(context)
    , m_registry(registry)
    , m_streams(streams)
{
}

void RestoreApi::addTo(ApiRouter& router)
{
    router.add("$JS.API.STREAM.RESTORE.*",
        "stream_restore",
        R"({"deliver_subject":""})",
        [this](const ApiCallPtr& call) { restore(call); });
}

Result<StreamConfig> RestoreApi::decode(const ApiCall& call) const
{
    StreamConfig config;
    SentState state;
    JsonFields fields(m_context.settings.strict, "JSApiStreamRestoreRequest");
    fields.addObject("config", "StreamConfig", config, [](JsonFields& inner, StreamConfig& to) {
        declareStreamConfig(inner, to);
    });
    fields.addObject("state", "StreamState", state, declareState);
    if (auto decoded = decodeJson(call.payload(), fields); !decoded)
        return decoded.error();
    const std::string_view name = call.token(kRestoreStreamToken);
    if (config.name.empty())
        config.name = name;
    if (config.name != name)
        return errors::nameMismatch();
    if (name.find_first_of("/\\") != std::string_view::npos)
        return errors::pathSeparators();
    if (auto checked = m_streams.checkRestore(config); !checked)
        return checked.error();
    return config;
}

void RestoreApi::restore(const ApiCallPtr& call)
{
    if (call->isEmptyRequest())
        return call->fail(errors::badRequest());
    auto config = decode(*call);
    if (!config)
        return call->fail(config.error());
    const std::string name = config->name;
    if (m_registry.find(name))
        return call->fail(errors::nameInUseByRestore());

    std::erase_if(m_sessions, [](const auto& session) { return session->ended(); });
    const Json client = clientInfo(m_context, call->sender());
    const std::int64_t start = m_context.clock.wallTime();
    publishAdvisory(m_context,
        std::string(kRestoreEvents) + "CREATE." + name,
        "restore_create",
        {{"stream", name}, {"client", client}});
    const std::string subject = "$JS.SNAPSHOT.RESTORE." + name + "." + base::nuid();
    m_sessions.push_back(std::make_unique<RestoreSession>(m_context,
        m_registry,
        std::move(*config),
        subject,
        [this, name, client, start](const RestoreSession::Outcome& outcome) {
            if (outcome.stream)
                publishStreamAction(m_context, name, "CREATED", "create");
            publishAdvisory(m_context,
                std::string(kRestoreEvents) + "COMPLETE." + name,
                "restore_complete",
                {{"stream", name},
                    {"start", base::rfc3339(start)},
                    {"end", base::rfc3339(m_context.clock.wallTime())},
                    {"bytes", outcome.bytes},
                    {"client", client}});
            const std::string what = "stream '" + m_context.account + " > " + name + "'";
            if (outcome.stream)
                m_context.log.info("Completed restore for " + what);
            else
                m_context.log.warn(
                    "Restore for " + what + " failed: " + outcome.stream.error().text);
            if (!outcome.reply.empty())
                m_context.bus.publish({outcome.reply, {}, {}, encodeJson(outcomeToJson(outcome))});
        }));
    m_context.log.info("Starting restore for stream '" + m_context.account + " > " + name + "'");
    m_sessions.back()->start();
    call->respond({{"deliver_subject", subject}});
}

} // namespace jetglass::api
