// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/snapshot_api.h"

#include "api/advisory.h"
#include "api/stream_json.h"
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream_config_json.h"
#include "streams/stream_registry.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {

namespace {

using namespace streams;
using Json = nlohmann::ordered_json;

constexpr std::size_t kSnapshotStreamToken = 4;
constexpr std::string_view kSnapshotEvents = "$JS.EVENT.ADVISORY.STREAM.SNAPSHOT_";

Result<SnapshotRequest> decodeSnapshotRequest(const ApiCall& call, bool strict)
{
    SnapshotRequest request;
    JsonFields fields(strict, "JSApiStreamSnapshotRequest");
    fields.add("deliver_subject", request.deliverSubject);
    fields.add("no_consumers", request.noConsumers);
    fields.addInt("chunk_size", request.chunkSize);
    fields.addInt("window_size", request.windowSize);
    fields.add("jsck", request.check);
    if (auto decoded = decodeJson(call.payload(), fields); !decoded)
        return decoded.error();
    if (!subjects::isValidLiteral(request.deliverSubject))
        return Error::api(400, 10015, "deliver subject not valid");
    return request;
}

} // namespace

SnapshotApi::SnapshotApi(Context& context, StreamRegistry& registry)
    : m_context(context)
    , m_registry(registry)
{
}

void SnapshotApi::addTo(ApiRouter& router)
{
    router.add("$JS.API.STREAM.SNAPSHOT.*", "stream_snapshot", [this](const ApiCallPtr& call) {
        snapshot(call);
    });
}

void SnapshotApi::snapshot(const ApiCallPtr& call)
{
    if (call->isEmptyRequest())
        return call->fail(errors::badRequest());
    Stream* stream = m_registry.find(call->token(kSnapshotStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    auto request = decodeSnapshotRequest(*call, m_context.settings.strict);
    if (!request)
        return call->fail(request.error());

    std::erase_if(m_sessions, [](const auto& session) { return session->ended(); });
    stream->settle();
    const Json state = stateToJson(*stream);
    const Json client = clientInfo(m_context, call->sender());
    const std::int64_t start = m_context.clock.wallTime();
    call->respond({{"config", streamConfigToJson(stream->config(), false)}, {"state", state}});
    publishAdvisory(m_context,
        std::string(kSnapshotEvents) + "CREATE." + stream->name(),
        "snapshot_create",
        {{"stream", stream->name()}, {"state", state}, {"client", client}});
    m_context.log.info(
        "Starting snapshot for stream '" + m_context.account + " > " + stream->name() + "'");

    Json written = state;
    written["consumer_count"] = request->noConsumers ? 0 : stream->consumers().size();
    m_sessions.push_back(std::make_unique<SnapshotSession>(*stream,
        std::move(*request),
        encodeJson(written),
        [this, client, start, name = stream->name()](const std::string& error) {
            Json members = {{"stream", name},
                {"start", base::rfc3339(start)},
                {"end", base::rfc3339(m_context.clock.wallTime())},
                {"client", client}};
            if (!error.empty())
                members["error"] = error;
            publishAdvisory(m_context,
                std::string(kSnapshotEvents) + "COMPLETE." + name,
                "snapshot_complete",
                members);
            const std::string what = "stream '" + m_context.account + " > " + name + "'";
            if (error.empty())
                m_context.log.info("Completed snapshot for " + what);
            else
                m_context.log.warn("Snapshot for " + what + " failed: " + error);
        }));
    m_sessions.back()->start();
}

} // namespace jetglass::api
