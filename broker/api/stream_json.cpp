// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/stream_json.h"

#include "base/base64.h"
#include "base/time_text.h"
#include "streams/stream_config_json.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {

namespace {
using Json = nlohmann::ordered_json;
}

std::string timeText(std::int64_t wallTime)
{
    return wallTime == 0 ? std::string(base::kZeroTimeText) : base::rfc3339(wallTime);
}

Json stateToJson(const streams::Stream& stream)
{
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    Json out = {{"messages", state.messages},
        {"bytes", state.bytes},
        {"first_seq", state.first.value()},
        {"first_ts", timeText(state.firstTime)},
        {"last_seq", state.last.value()},
        {"last_ts", timeText(state.lastTime)}};
    if (state.subjects > 0)
        out["num_subjects"] = state.subjects;
    if (const std::uint64_t deleted = store.deletedCount(); deleted > 0)
        out["num_deleted"] = deleted;
    std::size_t visible = 0;
    for (const streams::ConsumerPort* consumer : stream.consumers())
        visible += consumer->config().direct ? 0U : 1U;
    out["consumer_count"] = visible;
    return out;
}

Json streamInfoToJson(const streams::Stream& stream, StreamInfoParts parts)
{
    const streams::Context& context = stream.context();
    Json out = {{"config", streams::streamConfigToJson(stream.config(), parts.liveMetadata)},
        {"created", base::rfc3339(stream.created())},
        {"state", stateToJson(stream)}};
    if (parts.domain && !context.settings.domain.empty())
        out["domain"] = context.settings.domain;
    if (parts.cluster)
        out["cluster"] = {{"leader", context.serverName}};
    const std::vector<streams::UpstreamInfo> upstreams = stream.upstreams();
    if (stream.config().mirror && !upstreams.empty())
        out["mirror"] = streams::upstreamToJson(upstreams.front());
    else
        for (const streams::UpstreamInfo& upstream : upstreams)
            out["sources"].push_back(streams::upstreamToJson(upstream));
    out["ts"] = base::rfc3339(context.clock.wallTime());
    return out;
}

Json messageToJson(const store::MessageView& message, bool headers)
{
    Json out = {{"subject", message.subject}, {"seq", message.seq.value()}};
    if (headers && !message.headers.empty())
        out["hdrs"] = base::base64(message.headers);
    if (!message.payload.empty())
        out["data"] = base::base64(message.payload);
    out["time"] = base::rfc3339(message.time);
    return out;
}

} // namespace jetglass::api
