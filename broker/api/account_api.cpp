// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/account_api.h"

#include "streams/stream.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {
namespace {

using Json = nlohmann::ordered_json;

Json accountInfo(const ApiRouter& router,
    const streams::Context& context,
    const streams::StreamRegistry& registry)
{
    const AccountLimits& limits = context.limits;
    std::size_t consumers = 0;
    const auto streams = registry.sorted();
    for (const streams::Stream* stream : streams) {
        // What reads a stream for another one counts as a consumer that nobody sees.
        consumers += stream->consumers().size() + stream->followerCount();
    }
    Json out = {{"memory", registry.memoryBytes()},
        {"storage", registry.fileBytes()},
        {"reserved_memory", registry.reservedBytes(Storage::Memory)},
        {"reserved_storage", registry.reservedBytes(Storage::File)},
        {"streams", streams.size()},
        {"consumers", consumers},
        {"limits",
            {{"max_memory", limits.maxMemory},
                {"max_storage", limits.maxStore},
                {"max_streams", limits.maxStreams},
                {"max_consumers", limits.maxConsumers},
                {"max_ack_pending", limits.maxAckPending},
                {"memory_max_stream_bytes", limits.memoryMaxStreamBytes},
                {"storage_max_stream_bytes", limits.storeMaxStreamBytes},
                {"max_bytes_required", limits.maxStreamBytesRequired}}}};
    if (!context.settings.domain.empty())
        out["domain"] = context.settings.domain;
    out["api"] = {
        {"level", streams::kApiLevel}, {"total", router.total()}, {"errors", router.errors()}};
    return out;
}

} // namespace

void addAccountApi(ApiRouter& router, streams::Context& context, streams::StreamRegistry& registry)
{
    router.add(
        "$JS.API.INFO", "account_info", [&router, &context, &registry](const ApiCallPtr& call) {
            for (streams::Stream* stream : registry.sorted())
                stream->settle();
            call->respond(accountInfo(router, context, registry));
        });
}

} // namespace jetglass::api
