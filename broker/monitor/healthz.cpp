// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/document.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kHealthBadRequest = 400;
constexpr int kHealthNotFound = 404;
constexpr int kUnavailable = 503;

/// The first thing that is wrong, or that the question is.
struct Finding
{
    int status = 200;
    std::string type; ///< ACCOUNT, STREAM, CONSUMER, BAD_REQUEST, JETSTREAM
    std::string text;
};

Finding lookUp(const Source& source,
    const std::string& account,
    const std::string& stream,
    const std::string& consumer)
{
    if (account.empty() && !stream.empty())
        return {kHealthBadRequest,
            "BAD_REQUEST",
            "\"account\" must not be empty when checking stream health"};
    if (stream.empty() && !consumer.empty())
        return {kHealthBadRequest,
            "BAD_REQUEST",
            "\"stream\" must not be empty when checking consumer health"};
    if (account.empty())
        return {};
    const std::vector<JetStreamFacts> all = source.jetstream();
    const auto found = std::find_if(all.begin(), all.end(), [&](const JetStreamFacts& facts) {
        return facts.account == account;
    });
    if (found == all.end())
        return {kHealthNotFound, "ACCOUNT", "JetStream account \"" + account + "\" not found"};
    if (stream.empty())
        return {};
    const streams::Stream* one = found->registry->find(std::string_view(stream));
    if (one == nullptr)
        return {kHealthNotFound,
            "STREAM",
            "JetStream stream \"" + stream + "\" not found on account \"" + account + '"'};
    if (!consumer.empty() && one->consumer(consumer) == nullptr)
        return {kHealthNotFound,
            "CONSUMER",
            "JetStream consumer \"" + consumer + "\" not found for stream \"" + stream
                + "\" on account \"" + account + '"'};
    return {};
}

} // namespace

nlohmann::ordered_json healthz(const Source& source, Query& query, int& status)
{
    const std::string account = query.text("account");
    const std::string stream = query.text("stream");
    const std::string consumer = query.text("consumer");
    const bool details = query.flag("details");
    const bool needsJetStream = query.flag("js-enabled-only") || query.flag("js-enabled");
    (void)query.flag("js-server-only");
    (void)query.flag("js-meta-only");
    Finding finding;
    if (source.server().lameDuck)
        finding = {kUnavailable, "JETSTREAM", "server is in lame duck mode"};
    else if (needsJetStream && source.jetstreamSettings() == nullptr)
        finding = {kUnavailable, "JETSTREAM", "JetStream is not enabled"};
    else
        finding = lookUp(source, account, stream, consumer);
    status = finding.status;
    if (finding.text.empty())
        return {{"status", "ok"}};
    Json json = {{"status", status == kHealthBadRequest ? "error" : "unavailable"}};
    if (!details) {
        json["error"] = finding.text;
        return json;
    }
    Json error = {{"type", finding.type}};
    for (const auto& [key, value] : {std::pair("account", &account),
             std::pair("stream", &stream),
             std::pair("consumer", &consumer)}) {
        if (!value->empty())
            error[key] = *value;
    }
    error["error"] = finding.text;
    json["errors"] = Json::array({std::move(error)});
    return json;
}

} // namespace jetglass::monitor
