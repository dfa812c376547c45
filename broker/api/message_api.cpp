// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/message_api.h"

#include "api/message_request.h"
#include "api/stream_json.h"
#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream.h"

#include <nlohmann/json.hpp>

namespace jetglass::api {
namespace {

using namespace streams;

constexpr std::size_t kMessageStreamToken = 5;

bool isAmbiguous(const MessageRequest& request)
{
    const bool seq = request.seq > 0;
    const bool last = !request.lastBySubject.empty();
    const bool next = !request.nextBySubject.empty();
    const bool time = request.startTime.has_value();
    return (seq && last) || (!seq && !last && !next && !time) || (seq && time) || (time && last)
        || (last && next) || request.batch > 0 || request.maxBytes > 0;
}

} // namespace

MessageApi::MessageApi(Context& context, StreamRegistry& registry)
    : m_context(context)
    , m_registry(registry)
{
}

void MessageApi::addTo(ApiRouter& router)
{
    router.add("$JS.API.STREAM.MSG.GET.*", "stream_msg_get", [this](const ApiCallPtr& call) {
        get(call);
    });
    router.add("$JS.API.STREAM.MSG.DELETE.*", "stream_msg_delete", [this](const ApiCallPtr& call) {
        remove(call);
    });
}

void MessageApi::get(const ApiCallPtr& call)
{
    if (call->payload().empty())
        return call->fail(errors::badRequest());
    MessageRequest request;
    JsonFields fields(m_context.settings.strict, "JSApiMsgGetRequest");
    request.declare(fields);
    if (auto done = decodeJson(call->payload(), fields); !done)
        return call->fail(done.error());
    if (isAmbiguous(request))
        return call->fail(errors::badRequest());
    Stream* stream = m_registry.find(call->token(kMessageStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    stream->settle();
    store::MessageView message;
    if (!request.find(stream->store(), message))
        return call->fail(errors::noMessageFound());
    call->respondQuietly({{"message", messageToJson(message, !request.noHeaders)}});
}

void MessageApi::remove(const ApiCallPtr& call)
{
    if (call->isEmptyRequest())
        return call->fail(errors::badRequest());
    std::uint64_t seq = 0;
    bool noErase = false;
    JsonFields fields(m_context.settings.strict, "JSApiMsgDeleteRequest");
    fields.add("seq", seq);
    fields.add("no_erase", noErase);
    if (auto done = decodeJson(call->payload(), fields); !done)
        return call->fail(done.error());
    Stream* stream = m_registry.find(call->token(kMessageStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    if (stream->config().sealed)
        return call->fail(errors::streamSealed());
    if (stream->config().denyDelete)
        return call->fail(errors::messageDeleteFailed("message delete not permitted"));
    stream->removeMessage(
        StreamSeq(seq), !noErase, call->client(), [call](const Result<std::uint64_t>& done) {
            if (!done)
                return call->failUncounted(done.error());
            call->respond({{"success", true}});
        });
}

} // namespace jetglass::api
