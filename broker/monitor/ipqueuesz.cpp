// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "monitor/document.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

#include <string>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

/// All is done at once by the thread that reads it: the queues that tools know by name are empty.
const Json& empty()
{
    static const Json json = {{"pending", 0}};
    return json;
}

void addStream(Json& json, const std::string& account, const streams::Stream& stream)
{
    const std::string prefix = "[ACC:" + account + "] ";
    for (const char* queue : {"direct gets", "messages", "obs", "sendQ"})
        json[prefix + "stream '" + stream.name() + "' " + queue] = empty();
    for (const streams::ConsumerPort* consumer : stream.consumers()) {
        const std::string name =
            prefix + "consumer '" + consumer->name() + "' on stream '" + stream.name() + "' ";
        json[name + "ackMsgs"] = empty();
        if (consumer->config().deliverSubject.empty())
            json[name + "pull requests"] = empty();
    }
}

} // namespace

nlohmann::ordered_json ipqueuesz(const Source& source, Query& query)
{
    Json json = Json::object();
    if (!query.flag("all"))
        return json;
    for (const char* queue : {"SendQ", "System recvQ", "System recvQ Pings", "System sendQ"})
        json[queue] = empty();
    if (source.jetstreamSettings() == nullptr)
        return json;
    for (const char* queue :
        {"JetStream API queue", "JetStream API info queue", "delayed API responses"})
        json[queue] = empty();
    for (const JetStreamFacts& facts : source.jetstream()) {
        for (const streams::Stream* stream : facts.registry->sorted())
            addStream(json, facts.account, *stream);
    }
    return json;
}

} // namespace jetglass::monitor
