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
    std::int64_t reservedMemory = 0;
    std::int64_t reservedStorage = 0;
    std::size_t consumers = 0;
    const auto streams = registry.sorted();
    for (const streams::Stream* stream : streams) {
        const StreamConfig& config = stream->config();
        if (config.maxBytes > 0)
            (config.storage == Storage::Memory ? reservedMemory : reservedStorage) +=
                config.maxBytes;
        // What reads a stream for another one counts as a consumer that nobody sees.
        consumers += stream->consumers().size() + stream->followerCount();
    }
    Json out = {{"memory", registry.memoryBytes()},
        {"storage", registry.fileBytes()},
        {"reserved_memory", reservedMemory},
        {"reserved_storage", reservedStorage},
        {"streams", streams.size()},
        {"consumers", consumers},
        {"limits",
            {{"max_memory", -1},
                {"max_storage", -1},
                {"max_streams", -1},
                {"max_consumers", -1},
                {"max_ack_pending", -1},
                {"memory_max_stream_bytes", -1},
                {"storage_max_stream_bytes", -1},
                {"max_bytes_required", false}}}};
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
