// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/stream_registry.h"

#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream.h"
#include "streams/stream_config_json.h"
#include "subjects/subject.h"

#include <set>

namespace jetglass::streams {

struct StreamRegistry::Private
{
    explicit Private(Context& theContext)
        : context(theContext)
    {
    }

    Result<Stream*> open(const StreamConfig& config, std::int64_t created, bool fresh)
    {
        auto store = context.stores.openStream(config);
        if (!store)
            return store.error();
        auto log = context.stores.openConsumerLog(config);
        if (!log)
            return log.error();
        // Also later: a crash before its first write leaves nothing of it on disk.
        if (config.firstSeq > 0)
            (*store)->setFirstSeq(StreamSeq(config.firstSeq));
        auto stream = std::make_unique<Stream>(
            context, config, created, std::move(*store), std::move(*log), fresh);
        Stream* opened = stream.get();
        streams[config.name] = std::move(stream);
        return opened;
    }

    void emit(FlowKind kind, StreamId id)
    {
        if (!context.hub.active())
            return;
        FlowEvent event;
        event.kind = kind;
        event.stream = id;
        context.hub.emit(event);
    }

    void tell(Stream& stream, bool gone)
    {
        if (watcher)
            watcher(stream, gone);
    }

    [[nodiscard]] store::CatalogStream record(
        const StreamConfig& config, std::int64_t created) const
    {
        return {config.name, encodeJson(streamConfigToJson(config, false)), created};
    }

    Context& context;
    std::map<std::string, std::unique_ptr<Stream>, std::less<>> streams;
    std::function<void(Stream&, bool)> watcher;
    std::set<std::string, std::less<>> unborn; ///< names of streams that are being restored
    std::set<std::string, std::less<>> leftOut; ///< names of streams that could not be opened
};

StreamRegistry::StreamRegistry(Context& context)
    : m(std::make_unique<Private>(context))
{
    context.findStream = [this](std::string_view name) { return find(name); };
    context.isCaptured = [this](std::string_view subject) {
        for (const auto& [name, stream] : m->streams)
            for (const std::string& pattern : stream->config().subjects)
                if (subjects::matches(pattern, subject))
                    return true;
        return false;
    };
    context.findExternal = [this](const StreamSource::External& external, std::string_view name) {
        const std::string& domain = m->context.settings.domain;
        if (!domain.empty() && external.api == "$JS." + domain + ".API")
            return ExternalOrigin{false, find(name), false};
        return m->context.findAcross ? m->context.findAcross(external, name) : ExternalOrigin{};
    };
    context.streamChanged = [this](Stream& stream) { m->tell(stream, false); };
}

StreamRegistry::~StreamRegistry()
{
    m->context.findStream = nullptr;
    m->context.isCaptured = nullptr;
    m->context.findExternal = nullptr;
    m->context.streamChanged = nullptr;
}

Result<void> StreamRegistry::recover()
{
    auto records = m->context.stores.catalog().loadStreams();
    if (!records)
        return records.error();
    for (const store::CatalogStream& record : *records) {
        StreamConfig config;
        JsonFields fields(false);
        declareStreamConfig(fields, config);
        Result<void> opened = decodeJson(record.config, fields);
        if (opened && config.storage == Storage::Memory) {
            // A memory stream ends with the broker, its consumers with it.
            m->context.stores.catalog().removeStream(record.name, [](const Result<void>&) {});
            continue;
        }
        if (opened)
            if (auto stream = m->open(config, record.created, false); !stream)
                opened = stream.error();
        if (!opened)
            m->leftOut.insert(record.name);
        if (!opened)
            m->context.log.error("stream '" + record.name
                + "' can not be opened and is left out: " + opened.error().text);
        else
            m->tell(*find(record.name), false);
    }
    return {};
}

void StreamRegistry::shutdown()
{
    for (const auto& [name, stream] : m->streams) {
        for (ConsumerPort* consumer : stream->consumers())
            consumer->onShutdown();
        stream->settle();
        stream->commit();
        stream->store().rememberEnd();
        stream->rememberSources();
        stream->writeHistory();
    }
    m->context.stores.catalog().flush();
}

void StreamRegistry::create(const StreamConfig& config, Created done)
{
    if (m->unborn.contains(config.name))
        return done(errors::nameInUse());
    if (overlaps(config.subjects, config.name))
        return done(errors::subjectsOverlap());
    const std::int64_t created = m->context.clock.wallTime();
    auto stream = m->open(config, created, true);
    if (!stream) {
        m->context.log.error("stream '" + config.name + "': " + stream.error().text);
        return done(
            errors::createFailed("error creating store for stream: " + stream.error().text));
    }
    m->emit(FlowKind::StreamCreated, (*stream)->id());
    m->tell(**stream, false);
    m->context.stores.catalog().saveStream(m->record(config, created),
        [this, name = config.name, done = std::move(done)](const Result<void>& saved) {
            Stream* made = find(name);
            if (!saved) {
                // Refused is refused: nothing may catch messages under that name.
                if (made)
                    remove(*made, [](const Result<void>&) {});
                return done(errors::createFailed(saved.error().text));
            }
            if (!made)
                return done(errors::streamNotFound());
            done(made);
        });
}

Result<StreamRegistry::Unborn> StreamRegistry::beginRestore(const StreamConfig& config)
{
    // The files of a stream that was left out are somebody's messages still.
    if (find(config.name) || m->unborn.contains(config.name) || m->leftOut.contains(config.name))
        return errors::nameInUseByRestore();
    if (overlaps(config.subjects, config.name))
        return errors::subjectsOverlap();
    if (auto begun = m->context.stores.beginStream(config); !begun)
        return begun.error();
    Unborn unborn;
    auto store = m->context.stores.openStream(config);
    auto log = store ? m->context.stores.openConsumerLog(config)
                     : Result<std::unique_ptr<store::ConsumerLog>>(store.error());
    if (!log) {
        static_cast<void>(m->context.stores.removeStream(config).ok());
        return log.error();
    }
    unborn.store = std::move(*store);
    unborn.log = std::move(*log);
    m->unborn.insert(config.name);
    return unborn;
}

void StreamRegistry::abandonRestore(const StreamConfig& config, Unborn unborn)
{
    unborn.store.reset();
    unborn.log.reset();
    m->unborn.erase(config.name);
    if (auto removed = m->context.stores.removeStream(config); !removed)
        m->context.log.error("stream '" + config.name + "': " + removed.error().text);
}

/// The stream is made without the limits that would remove messages before its consumers are
/// there; they hold from the moment when it is whole.
void StreamRegistry::finishRestore(const StreamConfig& config,
    std::int64_t created,
    Unborn unborn,
    const AddConsumers& addConsumers,
    Created done)
{
    m->unborn.erase(config.name);
    StreamConfig roomy = config;
    roomy.maxMsgsPerSubject = -1;
    auto owned = std::make_unique<Stream>(
        m->context, roomy, created, std::move(unborn.store), std::move(unborn.log));
    Stream& stream = *owned;
    m->streams[config.name] = std::move(owned);
    auto consumers = addConsumers(stream);
    if (!consumers) {
        m->streams.erase(config.name);
        abandonRestore(config, {});
        return done(consumers.error());
    }
    stream.applyConfig(config);
    m->emit(FlowKind::StreamCreated, stream.id());
    m->tell(stream, false);
    m->context.stores.catalog().saveRestored(m->record(config, created),
        std::move(*consumers),
        [this, config, done = std::move(done)](const Result<void>& saved) {
            Stream* made = find(config.name);
            if (!made)
                return done(errors::streamNotFound());
            if (!saved) {
                remove(*made, [](const Result<void>&) {});
                return done(saved.error());
            }
            m->context.stores.keepStream(config);
            // The answer counts what the limits have left.
            made->inOrder([this, name = config.name, done] {
                Stream* ready = find(name);
                ready ? done(ready) : done(errors::streamNotFound());
            });
        });
}

void StreamRegistry::update(Stream& stream, StreamConfig config, Done done)
{
    StreamConfig before = stream.config();
    const store::CatalogStream record = m->record(config, stream.created());
    stream.applyConfig(std::move(config));
    m->emit(FlowKind::StreamChanged, stream.id());
    m->tell(stream, false);
    m->context.stores.catalog().saveStream(record,
        [this, before = std::move(before), done = std::move(done)](const Result<void>& saved) {
            if (saved) {
                // The answer comes when what a lower limit takes is gone.
                if (Stream* changed = find(before.name))
                    return changed->inOrder([done] { done({}); });
                return done({});
            }
            // What the next start would bring back is what holds.
            if (Stream* changed = find(before.name)) {
                changed->applyConfig(before);
                m->tell(*changed, false);
            }
            done(errors::updateFailed(saved.error().text));
        });
}

void StreamRegistry::remove(Stream& stream, Done done)
{
    if (stream.defer([this, &stream, done] { remove(stream, done); }))
        return;
    // Whoever waits for this turn's write of the stream gets the answer before it goes.
    stream.settle();
    stream.leave();
    const StreamConfig config = stream.config();
    const StreamId id = stream.id();
    std::vector<std::string> consumers;
    for (const ConsumerPort* consumer : stream.consumers())
        consumers.push_back(consumer->name());
    for (const std::string& name : consumers)
        stream.removeConsumer(name);
    m->tell(stream, true);
    m->streams.erase(config.name);
    m->emit(FlowKind::StreamDeleted, id);
    if (auto removed = m->context.stores.removeStream(config); !removed)
        m->context.log.error("stream '" + config.name + "': " + removed.error().text);
    m->context.stores.catalog().removeStream(config.name, std::move(done));
}

void StreamRegistry::setWatcher(std::function<void(Stream&, bool)> watcher)
{
    m->watcher = std::move(watcher);
}

bool StreamRegistry::overlaps(
    const std::vector<std::string>& patterns, std::string_view except) const
{
    for (const auto& [name, stream] : m->streams) {
        if (name == except)
            continue;
        for (const std::string& theirs : stream->config().subjects)
            for (const std::string& ours : patterns)
                if (subjects::collide(theirs, ours))
                    return true;
    }
    return false;
}

Stream* StreamRegistry::find(std::string_view name) const
{
    const auto found = m->streams.find(name);
    return found == m->streams.end() ? nullptr : found->second.get();
}

Stream* StreamRegistry::find(StreamId id) const
{
    for (const auto& [name, stream] : m->streams)
        if (stream->id() == id)
            return stream.get();
    return nullptr;
}

std::vector<Stream*> StreamRegistry::sorted() const
{
    std::vector<Stream*> out;
    for (const auto& [name, stream] : m->streams)
        out.push_back(stream.get());
    return out;
}

std::uint64_t StreamRegistry::memoryBytes() const
{
    return m->context.memoryUsed;
}
std::uint64_t StreamRegistry::fileBytes() const
{
    return m->context.fileUsed;
}
std::int64_t StreamRegistry::reservedBytes(Storage storage, std::string_view except) const
{
    std::int64_t sum = 0;
    for (const auto& [name, stream] : m->streams) {
        const StreamConfig& config = stream->config();
        if (config.storage == storage && config.maxBytes > 0 && name != except)
            sum += config.maxBytes;
    }
    return sum;
}

} // namespace jetglass::streams
