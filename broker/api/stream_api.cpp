// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/stream_api.h"

#include "api/account_room.h"
#include "api/advisory.h"
#include "api/stream_details.h"
#include "api/stream_json.h"
#include "broker/config_rules.h"
#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/source_rules.h"
#include "streams/stream.h"
#include "streams/stream_config_json.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::api {
namespace {

using namespace streams;
using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesPage = 1024;
constexpr std::size_t kListPage = 256;
constexpr std::size_t kNamedStreamToken = 4;

ConfigLimits limitsOf(const Context& context)
{
    return {context.settings.maxDuplicateWindow,
        context.settings.maxAckPending,
        context.limits.maxAckPending,
        context.settings.maxRequestBatch,
        [&context](std::string_view name) -> const StreamConfig* {
            const Stream* stream = context.findStream(name);
            return stream ? &stream->config() : nullptr;
        },
        context.limits.maxStreamBytesRequired,
        context.limits.memoryMaxStreamBytes,
        context.limits.storeMaxStreamBytes};
}

Result<void> decodeConfig(
    const ApiCall& call, const Context& context, StreamConfig& config, bool& pedantic)
{
    JsonFields fields(context.settings.strict, "StreamConfigRequest");
    fields.embed("StreamConfig");
    declareStreamConfig(fields, config);
    fields.embed({});
    fields.add("pedantic", pedantic);
    return decodeJson(call.payload(), fields);
}

/// Bytes are asked for at once in the storage that a request names; when it names none, only after
/// the rules have filled it in.
bool namesStorage(const ApiCall& call)
{
    std::string storage;
    JsonFields fields(false);
    fields.add("storage", storage);
    return decodeJson(call.payload(), fields) && !storage.empty();
}

/// Equal but for what the server itself writes into the metadata.
bool sameConfig(const StreamConfig& stored, StreamConfig asked)
{
    const auto level = stored.metadata.find("_nats.req.level");
    if (level != stored.metadata.end())
        asked.metadata["_nats.req.level"] = level->second;
    return stored == asked;
}

std::int64_t clampedOffset(std::int64_t offset, std::size_t count)
{
    return std::clamp<std::int64_t>(offset, 0, static_cast<std::int64_t>(count));
}

struct PageRequest
{
    std::int64_t offset = 0;
    std::string subject;
};

Result<void> decodePage(
    const ApiCall& call, const Context& context, const char* type, PageRequest& page)
{
    JsonFields fields(context.settings.strict, type);
    fields.embed("ApiPagedRequest");
    fields.addInt("offset", page.offset);
    fields.embed({});
    fields.add("subject", page.subject);
    return decodeOptionalJson(call.payload(), fields);
}

} // namespace

StreamApi::StreamApi(Context& context, StreamRegistry& registry)
    : m_context(context)
    , m_registry(registry)
{
}

void StreamApi::addTo(ApiRouter& router)
{
    const std::string prefix = "$JS.API.STREAM.";
    const std::string paging = R"({"total":0,"offset":0,"limit":0})";
    router.add(
        prefix + "CREATE.*", "stream_create", [this](const ApiCallPtr& call) { create(call); });
    router.add(
        prefix + "UPDATE.*", "stream_update", [this](const ApiCallPtr& call) { update(call); });
    router.add(prefix + "NAMES",
        "stream_names",
        R"({"total":0,"offset":0,"limit":0,"streams":null})",
        [this](const ApiCallPtr& call) { names(call); });
    router.add(prefix + "LIST",
        "stream_list",
        R"({"total":0,"offset":0,"limit":0,"streams":[]})",
        [this](const ApiCallPtr& call) { list(call); });
    router.add(
        prefix + "INFO.*", "stream_info", paging, [this](const ApiCallPtr& call) { info(call); });
    router.add(
        prefix + "DELETE.*", "stream_delete", [this](const ApiCallPtr& call) { remove(call); });
    router.add(
        prefix + "PURGE.*", "stream_purge", R"({"purged":0})", [this](const ApiCallPtr& call) {
            purge(call);
        });
    const auto clusterOnly = [](const ApiCallPtr& call) {
        call->fail(Error::api(503, 10010, "JetStream clustering support required"));
    };
    router.addUnchecked(prefix + "LEADER.STEPDOWN.*", "stream_leader_stepdown", clusterOnly);
    router.addUnchecked(
        "$JS.API.CONSUMER.LEADER.STEPDOWN.*.*", "consumer_leader_stepdown", clusterOnly);
    router.addUnchecked(prefix + "PEER.REMOVE.*", "stream_remove_peer", clusterOnly);
    router.addUnchecked(prefix + "PEER.EVACUATE.*", "stream_evacuate_peer", clusterOnly);
    router.addUnchecked(prefix + "CANCEL_MOVE.*", "stream_cancel_move", clusterOnly);
}

Result<void> StreamApi::checkCreate(const StreamConfig& config) const
{
    if (config.name.find_first_of("/\\") != std::string::npos)
        return errors::pathSeparators();
    if (config.sealed)
        return errors::invalidConfig("stream configuration for create can not be sealed");
    if (config.mirrorDirect && !config.mirror)
        return errors::invalidConfig("stream has no mirror but does have mirror direct");
    return checkCounts(m_context, m_registry, config);
}

Result<void> StreamApi::checkRestore(StreamConfig& config) const
{
    if (auto done = normalizeStreamConfig(config, false, limitsOf(m_context)); !done)
        return done;
    if (auto done = checkCounts(m_context, m_registry, config); !done)
        return done;
    // A restored stream keeps the level that its backup names, or none; the other two are made up
    // when it is asked for.
    config.metadata.erase("_nats.ver");
    config.metadata.erase("_nats.level");
    return checkNewBytes(m_context, m_registry, config);
}

void StreamApi::create(const ApiCallPtr& call)
{
    StreamConfig config;
    bool pedantic = false;
    if (auto done = decodeConfig(*call, m_context, config, pedantic); !done)
        return call->fail(done.error());
    if (config.name != call->token(kNamedStreamToken))
        return call->fail(errors::nameMismatch());
    if (auto done = checkCreate(config); !done)
        return call->fail(done.error());
    if (auto done = checkNewBytes(m_context, m_registry, config); !done && namesStorage(*call))
        return call->fail(done.error());
    if (auto done = normalizeStreamConfig(config, pedantic, limitsOf(m_context)); !done)
        return call->fail(done.error());
    stampRequiredLevel(config);
    const auto answer = [call](const Stream& stream, bool fresh) {
        Json body = streamInfoToJson(stream, {true, false, false});
        body["did_create"] = true;
        // A mirror is answered before it has begun.
        if (fresh && body.contains("mirror"))
            body["mirror"].erase("filter_subject");
        call->respond(body);
    };
    if (const Stream* existing = m_registry.find(config.name)) {
        if (!sameConfig(existing->config(), config))
            return call->fail(errors::nameInUse());
        return answer(*existing, false);
    }
    if (auto done = checkNewBytes(m_context, m_registry, config); !done)
        return call->fail(done.error());
    if (auto done = checkSourceFilters(config); !done)
        return call->fail(done.error());
    if (m_registry.overlaps(config.subjects, config.name))
        return call->fail(errors::subjectsOverlap());
    m_registry.create(config, [this, call, answer](Result<Stream*> made) {
        if (!made)
            return call->fail(made.error());
        publishStreamAction(m_context, (*made)->name(), "CREATED", "create");
        answer(**made, true);
    });
}

Result<void> StreamApi::checkConsumers(const Stream& stream, const StreamConfig& config) const
{
    std::string violating;
    for (const ConsumerPort* consumer : stream.consumers()) {
        const ConsumerConfig& theirs = consumer->config();
        const bool pending =
            config.limitMaxAckPending > 0 && theirs.maxAckPending > config.limitMaxAckPending;
        const bool inactive = config.limitInactiveThreshold > 0
            && theirs.inactiveThreshold > config.limitInactiveThreshold;
        if (!pending && !inactive)
            continue;
        if (!violating.empty())
            violating += ", ";
        violating += consumer->name();
    }
    if (!violating.empty())
        return errors::updateFailed("change to limits violates consumers: " + violating);
    return {};
}

void StreamApi::update(const ApiCallPtr& call)
{
    StreamConfig config;
    bool pedantic = false;
    if (auto done = decodeConfig(*call, m_context, config, pedantic); !done)
        return call->fail(done.error());
    if (auto done = normalizeStreamConfig(config, pedantic, limitsOf(m_context)); !done)
        return call->fail(done.error());
    if (config.name != call->token(kNamedStreamToken))
        return call->fail(errors::nameMismatch());
    Stream* stream = m_registry.find(config.name);
    if (!stream)
        return call->fail(errors::streamNotFound());
    // A second time, as the server does: what the first has filled in is checked as if it had been
    // asked for (marker TTLs switch message TTLs on, which a counter stream refuses).
    if (auto done = normalizeStreamConfig(config, pedantic, limitsOf(m_context)); !done)
        return call->fail(done.error());
    if (auto done = checkStreamUpdate(stream->config(), config); !done)
        return call->fail(done.error());
    const StreamConfig before = stream->config();
    if (auto done = checkChangedStream(m_context, m_registry, before, config); !done)
        return call->fail(done.error());
    if (m_registry.overlaps(config.subjects, config.name))
        return call->fail(errors::subjectsOverlap());
    if (auto done = checkConsumers(*stream, config); !done)
        return call->fail(done.error());
    stampRequiredLevel(config);
    m_registry.update(*stream, config, [this, call, name = config.name](const Result<void>& done) {
        const Stream* changed = m_registry.find(name);
        if (!done)
            return call->fail(done.error());
        if (!changed)
            return call->fail(errors::streamNotFound());
        publishStreamAction(m_context, name, "UPDATED", "modify");
        call->respond(streamInfoToJson(*changed, {true, true, false}));
    });
}

void StreamApi::info(const ApiCallPtr& call)
{
    std::int64_t offset = 0;
    bool deletedDetails = false;
    std::string filter;
    JsonFields fields(m_context.settings.strict, "JSApiStreamInfoRequest");
    fields.embed("ApiPagedRequest");
    fields.addInt("offset", offset);
    fields.embed({});
    fields.add("deleted_details", deletedDetails);
    fields.add("subjects_filter", filter);
    if (auto done = decodeOptionalJson(call->payload(), fields); !done)
        return call->fail(done.error());
    Stream* stream = m_registry.find(call->token(kNamedStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    stream->settle();
    Json body = {{"total", 0}, {"offset", 0}, {"limit", 0}};
    body.update(streamInfoToJson(*stream, {true, true, true}));
    if (!deletedDetails && filter.empty())
        return call->respond(body);
    // Millions of subjects or deleted messages are looked through in slices, and the stream waits.
    auto details = std::make_shared<StreamDetails>(
        stream->store(), deletedDetails, filter.empty() ? nullptr : &filter, offset);
    stream->startWork([call, details, body = std::move(body)](const base::Slice& slice) mutable {
        if (!details->advance(slice))
            return streams::WorkLine::Progress::More;
        call->respond(body, details->addTo(body));
        return streams::WorkLine::Progress::Done;
    });
}

std::vector<Stream*> StreamApi::withSubject(const std::string& subject) const
{
    std::vector<Stream*> out = m_registry.sorted();
    if (subject.empty())
        return out;
    std::erase_if(out, [&subject](const Stream* stream) {
        const auto& theirs = stream->config().subjects;
        return !subjects::isValidStreamSubject(subject)
            || std::none_of(theirs.begin(), theirs.end(), [&subject](const std::string& own) {
                   return subjects::collide(own, subject);
               });
    });
    return out;
}

void StreamApi::names(const ApiCallPtr& call)
{
    PageRequest page;
    if (auto done = decodePage(*call, m_context, "JSApiStreamNamesRequest", page); !done)
        return call->fail(done.error());
    const std::vector<Stream*> found = withSubject(page.subject);
    const std::int64_t offset = clampedOffset(page.offset, found.size());
    Json body = {
        {"total", found.size()}, {"offset", offset}, {"limit", kNamesPage}, {"streams", nullptr}};
    const auto from = static_cast<std::size_t>(offset);
    for (std::size_t i = from; i < std::min(found.size(), from + kNamesPage); ++i)
        body["streams"].push_back(found[i]->name());
    call->respond(body);
}

void StreamApi::list(const ApiCallPtr& call)
{
    PageRequest page;
    if (auto done = decodePage(*call, m_context, "JSApiStreamListRequest", page); !done)
        return call->fail(done.error());
    const std::vector<Stream*> found = withSubject(page.subject);
    const std::int64_t offset = clampedOffset(page.offset, found.size());
    Json body = {{"total", found.size()},
        {"offset", offset},
        {"limit", kListPage},
        {"streams", Json::array()}};
    const auto from = static_cast<std::size_t>(offset);
    for (std::size_t i = from; i < std::min(found.size(), from + kListPage); ++i) {
        found[i]->settle();
        body["streams"].push_back(streamInfoToJson(*found[i], {false, true, false}));
    }
    call->respond(body);
}

void StreamApi::remove(const ApiCallPtr& call)
{
    if (!call->isEmptyRequest())
        return call->fail(errors::notEmptyRequest());
    Stream* stream = m_registry.find(call->token(kNamedStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    const std::string name = stream->name();
    m_registry.remove(*stream, [this, call, name](const Result<void>& done) {
        if (!done)
            return call->fail(Error::api(500, 10050, done.error().text));
        publishStreamAction(m_context, name, "DELETED", "delete");
        call->respond({{"success", true}});
    });
}

void StreamApi::purge(const ApiCallPtr& call)
{
    std::uint64_t below = 0;
    std::uint64_t keep = 0;
    std::string filter;
    JsonFields fields(m_context.settings.strict, "JSApiStreamPurgeRequest");
    fields.add("seq", below);
    fields.add("keep", keep);
    fields.add("filter", filter);
    if (auto done = decodeOptionalJson(call->payload(), fields); !done)
        return call->fail(done.error());
    if (below > 0 && keep > 0)
        return call->fail(errors::badRequest());
    Stream* stream = m_registry.find(call->token(kNamedStreamToken));
    if (!stream)
        return call->fail(errors::streamNotFound());
    if (stream->config().sealed)
        return call->fail(errors::streamSealed());
    if (stream->config().denyPurge)
        return call->fail(errors::purgeFailed("stream purge not permitted"));
    stream->purge(below, keep, filter, call->client(), [call](Result<std::uint64_t> done) {
        if (!done)
            return call->failUncounted(done.error());
        call->respond({{"success", true}, {"purged", *done}});
    });
}

} // namespace jetglass::api
