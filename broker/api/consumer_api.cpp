// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/consumer_api.h"

#include "api/consumer_json.h"
#include "base/time_text.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "consumers/consumer_registry.h"
#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace jetglass::api {

namespace {

using namespace streams;
using consumers::ConfigAudience;
using consumers::Consumer;
using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesPage = 1024;
constexpr std::size_t kListPage = 256;
constexpr std::size_t kStreamToken = 4;
constexpr std::size_t kConsumerToken = 5;
constexpr std::size_t kFilterToken = 6;
constexpr std::size_t kMaxGroupName = 16;

constexpr std::array<std::pair<std::string_view, consumers::Action>, 3> kActions{{
    {"create", consumers::Action::Create},
    {"update", consumers::Action::Update},
    {"", consumers::Action::CreateOrUpdate},
}};

Error consumerNotFound()
{
    return Error::api(404, 10014, "consumer not found");
}

/// What follows the n-th token of the subject.
std::string_view restFrom(std::string_view subject, std::size_t n)
{
    for (; n > 0; --n) {
        const std::size_t dot = subject.find('.');
        if (dot == std::string_view::npos)
            return {};
        subject.remove_prefix(dot + 1);
    }
    return subject;
}

bool isGroupName(std::string_view name)
{
    static constexpr std::string_view kOthers = "/_=-";
    return name.size() <= kMaxGroupName && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || kOthers.find(c) != std::string_view::npos;
    });
}

Json pauseToJson(const Consumer& consumer)
{
    Json out = {{"paused", consumer.isPaused()},
        {"pause_until", consumer.config().pauseUntil.value_or(std::string(base::kZeroTimeText))}};
    if (consumer.isPaused())
        out["pause_remaining"] = consumer.pauseRemaining();
    return out;
}

Result<std::int64_t> decodeOffset(const ApiCall& call, const Context& context)
{
    std::int64_t offset = 0;
    JsonFields fields(context.settings.strict, "JSApiConsumersRequest");
    fields.embed("ApiPagedRequest");
    fields.addInt("offset", offset);
    if (auto done = decodeOptionalJson(call.payload(), fields); !done)
        return done.error();
    return offset;
}

/// The consumers that NAMES and LIST show, from the page's first on.
std::vector<Consumer*> page(
    Stream& stream, std::int64_t& offset, std::size_t limit, std::size_t& total)
{
    stream.settle();
    std::vector<Consumer*> all;
    for (ConsumerPort* port : stream.consumers())
        if (!port->config().direct)
            all.push_back(static_cast<Consumer*>(port));
    total = all.size();
    offset = std::clamp<std::int64_t>(offset, 0, static_cast<std::int64_t>(total));
    const auto begin = all.begin() + offset;
    const std::size_t count = std::min(limit, total - static_cast<std::size_t>(offset));
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

struct ConsumerApi::CreateRequest
{
    std::string streamName;
    ConsumerConfig config;
    consumers::Action action = consumers::Action::CreateOrUpdate;
    bool pedantic = false;
    std::string_view stream; ///< of the subject
};

ConsumerApi::ConsumerApi(Context& context, StreamRegistry& registry)
    : m_context(context)
    , m_registry(registry)
{
}

void ConsumerApi::addTo(ApiRouter& router)
{
    const std::string prefix = "$JS.API.CONSUMER.";
    const std::string paging = R"({"total":0,"offset":0,"limit":0,"consumers":[]})";
    const auto creating = [this](const ApiCallPtr& call) { create(call); };
    router.add(prefix + "CREATE.*", "consumer_create", creating);
    router.add(prefix + "CREATE.*.>", "consumer_create", creating);
    router.add(prefix + "DURABLE.CREATE.*.*", "consumer_create", [this](const ApiCallPtr& call) {
        createDurable(call);
    });
    router.add(prefix + "NAMES.*", "consumer_names", paging, [this](const ApiCallPtr& call) {
        names(call);
    });
    router.add(
        prefix + "LIST.*", "consumer_list", paging, [this](const ApiCallPtr& call) { list(call); });
    router.add(
        prefix + "INFO.*.*", "consumer_info", [this](const ApiCallPtr& call) { info(call); });
    router.add(
        prefix + "DELETE.*.*", "consumer_delete", [this](const ApiCallPtr& call) { remove(call); });
    router.add(prefix + "PAUSE.*.*",
        "consumer_pause",
        R"({"paused":false,"pause_until":"0001-01-01T00:00:00Z"})",
        [this](const ApiCallPtr& call) { pause(call); });
    router.add(
        prefix + "UNPIN.*.*", "consumer_unpin", [this](const ApiCallPtr& call) { unpin(call); });
    router.add(prefix + "RESET.*.*",
        "consumer_reset",
        R"({"reset_seq":0})",
        [this](const ApiCallPtr& call) { reset(call); });
}

Result<ConsumerApi::CreateRequest> ConsumerApi::decodeCreate(const ApiCall& call) const
{
    CreateRequest request;
    JsonFields fields(m_context.settings.strict, "CreateConsumerRequest");
    fields.add("stream_name", request.streamName);
    fields.addObject("config", "ConsumerConfig", request.config, consumers::declareConsumerConfig);
    fields.addEnum("action",
        request.action,
        kActions,
        {JsonFields::Unknown::Shown, "unknown consumer action: "});
    fields.add("pedantic", request.pedantic);
    if (auto done = decodeJson(call.payload(), fields); !done)
        return done.error();
    return request;
}

/// $JS.API.CONSUMER.CREATE.<stream> and ....<stream>.<consumer>[.<filter>].
void ConsumerApi::create(const ApiCallPtr& call)
{
    auto request = decodeCreate(*call);
    if (!request)
        return call->fail(request.error());
    ConsumerConfig& config = request->config;
    request->stream = call->token(kStreamToken);
    if (request->stream != request->streamName)
        return call->fail(errors::nameMismatch());
    const std::string_view name = call->token(kConsumerToken);
    const std::string_view checked = name.empty() ? std::string_view(config.name) : name;
    if (checked.find_first_of("/\\") != std::string_view::npos)
        return call->fail(Error::api(400, 10127, "Consumer name can not contain path separators"));
    if (name.empty()) {
        if (config.isDurable())
            return call->fail(Error::api(400,
                10020,
                "consumer expected to be ephemeral but a durable name was set in request"));
        return create(call, *request);
    }
    if (config.isDurable() && config.durableName != name)
        return call->fail(Error::api(
            400, 10017, "consumer name in subject does not match durable name in request"));
    config.name = name;
    const std::string_view filter = restFrom(call->subject(), kFilterToken);
    if (!filter.empty()) {
        if (config.filterSubjects && !config.filterSubjects->empty())
            return call->fail(Error::api(
                400, 10137, "consumer with multiple subject filters cannot use subject based API"));
        if (config.filterSubject != filter)
            return call->fail(Error::api(400,
                10131,
                "Consumer create request did not match filtered subject from create subject"));
    }
    create(call, *request);
}

/// $JS.API.CONSUMER.DURABLE.CREATE.<stream>.<consumer>.
void ConsumerApi::createDurable(const ApiCallPtr& call)
{
    auto request = decodeCreate(*call);
    if (!request)
        return call->fail(request.error());
    ConsumerConfig& config = request->config;
    request->stream = call->token(kStreamToken + 1);
    if (request->stream != request->streamName)
        return call->fail(errors::nameMismatch());
    const std::string_view name = call->token(kConsumerToken + 1);
    if (name.find_first_of("/\\") != std::string_view::npos)
        return call->fail(Error::api(400, 10127, "Consumer name can not contain path separators"));
    if (!config.isDurable())
        return call->fail(Error::api(
            400, 10018, "consumer expected to be durable but a durable name was not set"));
    if (config.durableName != name)
        return call->fail(Error::api(
            400, 10017, "consumer name in subject does not match durable name in request"));
    config.name = name;
    create(call, *request);
}

void ConsumerApi::create(const ApiCallPtr& call, CreateRequest& request)
{
    if (request.config.replicas > 1)
        return call->fail(
            Error::api(500, 10074, "replicas > 1 not supported in non-clustered mode"));
    Stream* stream = m_registry.find(request.stream);
    if (!stream)
        return call->fail(errors::streamNotFound());
    stream->settle();
    consumers::createConsumer(*stream,
        std::move(request.config),
        request.action,
        request.pedantic,
        [this, call, streamName = stream->name()](Result<consumers::Outcome> outcome) {
            if (!outcome)
                return call->fail(outcome.error());
            // What is ahead of it in a large stream may still be counted.
            streams::Stream* where = m_registry.find(streamName);
            if (!where || !where->busy())
                return call->respond(consumerInfoToJson(*outcome->consumer, ConfigAudience::Info));
            where->inOrder([this, call, streamName, name = outcome->consumer->name()] {
                streams::Stream* found = m_registry.find(streamName);
                Consumer* made = found ? consumers::findConsumer(*found, name) : nullptr;
                if (!made)
                    return call->fail(consumerNotFound());
                call->respond(consumerInfoToJson(*made, ConfigAudience::Info));
            });
        });
}

Result<Consumer*> ConsumerApi::find(const ApiCall& call) const
{
    Stream* stream = m_registry.find(call.token(kStreamToken));
    if (!stream)
        return errors::streamNotFound();
    stream->settle(); // the answer counts what the turn has published so far
    Consumer* consumer = consumers::findConsumer(*stream, call.token(kConsumerToken));
    if (!consumer)
        return consumerNotFound();
    return consumer;
}

void ConsumerApi::info(const ApiCallPtr& call)
{
    if (!call->isEmptyRequest())
        return call->fail(errors::notEmptyRequest());
    const auto consumer = find(*call);
    if (!consumer)
        return call->fail(consumer.error());
    call->respond(consumerInfoToJson(**consumer, ConfigAudience::Info));
}

void ConsumerApi::names(const ApiCallPtr& call)
{
    auto offset = decodeOffset(*call, m_context);
    if (!offset)
        return call->fail(offset.error());
    Stream* stream = m_registry.find(call->token(kStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    std::size_t total = 0;
    Json names = Json::array();
    for (const Consumer* consumer : page(*stream, *offset, kNamesPage, total))
        names.push_back(consumer->name());
    call->respond(
        {{"total", total}, {"offset", *offset}, {"limit", kNamesPage}, {"consumers", names}});
}

void ConsumerApi::list(const ApiCallPtr& call)
{
    auto offset = decodeOffset(*call, m_context);
    if (!offset)
        return call->fail(offset.error());
    Stream* stream = m_registry.find(call->token(kStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    std::size_t total = 0;
    Json infos = Json::array();
    for (Consumer* consumer : page(*stream, *offset, kListPage, total))
        infos.push_back(consumerInfoToJson(*consumer, ConfigAudience::List));
    call->respond(
        {{"total", total}, {"offset", *offset}, {"limit", kListPage}, {"consumers", infos}});
}

void ConsumerApi::remove(const ApiCallPtr& call)
{
    if (!call->isEmptyRequest())
        return call->fail(errors::notEmptyRequest());
    const auto consumer = find(*call);
    if (!consumer)
        return call->fail(consumer.error());
    const std::string name = (*consumer)->name();
    consumers::deleteConsumer((*consumer)->stream(), name, [call](const Result<void>& done) {
        if (!done)
            return call->fail(done.error());
        call->respond({{"success", true}});
    });
}

void ConsumerApi::pause(const ApiCallPtr& call)
{
    std::optional<std::string> until;
    JsonFields fields(m_context.settings.strict, "JSApiConsumerPauseRequest");
    fields.addTime("pause_until", until);
    if (auto done = decodeOptionalJson(call->payload(), fields); !done)
        return call->fail(done.error());
    if (until && base::parseRfc3339(*until) == base::kZeroTime)
        until.reset();
    const auto consumer = find(*call);
    if (!consumer)
        return call->fail(consumer.error());
    consumers::pauseConsumer(**consumer, std::move(until), [call](Result<Consumer*> done) {
        if (!done)
            return call->fail(done.error());
        call->respond(pauseToJson(**done));
    });
}

void ConsumerApi::unpin(const ApiCallPtr& call)
{
    std::string group;
    JsonFields fields(false, "JSApiConsumerUnpinRequest");
    fields.add("group", group);
    if (auto done = decodeWholeJson(call->payload(), fields); !done)
        return call->fail(done.error());
    if (group.empty())
        return call->fail(Error::api(400, 10025, "invalid JSON: consumer group not specified"));
    if (!isGroupName(group))
        return call->fail(Error::api(400,
            10162,
            "Valid priority group name must match A-Z, a-z, 0-9, -_/=)+ and may not exceed 16 "
            "characters"));
    const auto consumer = find(*call);
    if (!consumer)
        return call->fail(consumer.error());
    const auto& groups = (*consumer)->config().priorityGroups;
    if (std::find(groups.begin(), groups.end(), group) == groups.end())
        return call->fail(
            Error::api(400, 10160, "Provided priority group does not exist for this consumer"));
    (*consumer)->unpin();
    call->respond(Json::object());
}

namespace {

/// May this consumer be set to the sequence? The error is NATS's.
Result<void> checkReset(Consumer& consumer, std::uint64_t seq)
{
    const auto refuse = [](const char* text) {
        return Result<void>(Error::api(400, 10204, std::string("invalid reset: ") + text));
    };
    if (seq == 0)
        return {};
    const ConsumerConfig& config = consumer.config();
    switch (config.deliverPolicy) {
    case DeliverPolicy::All:
        return {};
    case DeliverPolicy::ByStartSequence:
        return seq < config.optStartSeq ? refuse("below start seq") : Result<void>();
    case DeliverPolicy::ByStartTime: {
        const auto time = base::parseRfc3339(config.optStartTime.value_or(std::string()));
        const StreamSeq first = consumer.stream().store().seqAtTime(time.value_or(0));
        return StreamSeq(seq) < first ? refuse("below start time") : Result<void>();
    }
    default:
        return refuse("not allowed");
    }
}

void answerReset(const ApiCallPtr& call, const Error& error)
{
    call->respondQuietly({{"error",
                              {{"code", error.apiCode},
                                  {"err_code", error.apiErrCode},
                                  {"description", error.text}}},
        {"reset_seq", 0}});
}

} // namespace

/// In the reference server each consumer listens for its own resets: nobody answers for a missing
/// one, and there is no audit.
void ConsumerApi::reset(const ApiCallPtr& call)
{
    const auto consumer = find(*call);
    if (!consumer)
        return;
    std::uint64_t seq = 0;
    JsonFields fields(false, "JSApiConsumerResetRequest");
    fields.add("seq", seq);
    if (!call->payload().empty())
        if (auto done = decodeWholeJson(call->payload(), fields); !done)
            return answerReset(call, done.error());
    if (auto done = checkReset(**consumer, seq); !done)
        return answerReset(call, done.error());
    const auto to = (*consumer)->reset(seq);
    if (!to)
        return answerReset(call, consumers::storeError(to.error()));
    Json members = consumerInfoToJson(**consumer, ConfigAudience::Info);
    members["reset_seq"] = to->value();
    consumers::whenDurable(
        **consumer, [call, members = std::move(members)](const Result<void>& done) {
            if (done)
                call->respondQuietly(members);
            else
                answerReset(call, consumers::storeError(done.error()));
        });
}

} // namespace jetglass::api
