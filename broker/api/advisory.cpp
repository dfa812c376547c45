// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/advisory.h"

#include "base/nuid.h"
#include "base/time_text.h"
#include "streams/json_text.h"

#include <nlohmann/json.hpp>

#include <string>

namespace jetglass::api {

namespace {
using Json = nlohmann::ordered_json;
}

void publishAdvisory(
    streams::Context& context, std::string_view subject, std::string_view type, const Json& members)
{
    if (!context.wanted(subject))
        return;
    Json body = {{"type", "io.nats.jetstream.advisory.v1." + std::string(type)},
        {"id", base::nuid()},
        {"timestamp", base::rfc3339(context.clock.wallTime())}};
    body.update(members);
    if (!context.settings.domain.empty())
        body["domain"] = context.settings.domain;
    const std::string text = streams::encodeJson(body);
    context.bus.publish({subject, {}, {}, text});
}

void publishStreamAction(streams::Context& context,
    std::string_view stream,
    std::string_view event,
    std::string_view action)
{
    const std::string subject =
        "$JS.EVENT.ADVISORY.STREAM." + std::string(event) + "." + std::string(stream);
    publishAdvisory(context, subject, "stream_action", {{"stream", stream}, {"action", action}});
}

Json clientInfo(const streams::Context& context, const streams::Sender& sender)
{
    Json out;
    const auto add = [&out](const char* name, std::string_view value) {
        if (!value.empty())
            out[name] = value;
    };
    if (sender.start != 0)
        out["start"] = base::rfc3339(sender.start);
    add("host", sender.host);
    out["id"] = static_cast<std::uint32_t>(sender.id);
    add("acc", sender.account);
    add("user", sender.user);
    add("name", sender.name);
    add("lang", sender.lang);
    add("ver", sender.version);
    out["rtt"] = sender.rtt;
    add("server", context.serverName);
    out["kind"] = "Client";
    out["client_type"] = "nats";
    return out;
}

} // namespace jetglass::api
