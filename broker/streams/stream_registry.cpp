// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/stream_registry.h"

#include "streams/api_error.h"
#include "streams/json_decode.h"
#include "streams/stream.h"
#include "streams/stream_config_json.h"
#include "subjects/subject.h"

#include <algorithm>
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

    void leaveOut(const std::string& name, const Error& error)
    {
        leftOut.insert(name);
        context.log.error("stream '" + name + "' can not be opened and is left out: " + error.text);
    }

    /// The catalog does not have it (any more).
    void drop(Stream& stream, bool files)
    {
        // Whoever waits for this turn's write of the stream gets the answer before it goes.
        stream.settle();
        const auto waiting = stream.leave();
        const StreamConfig config = stream.config();
        const StreamId id = stream.id();
        std::vector<std::string> consumers;
        for (const ConsumerPort* consumer : stream.consumers())
            consumers.push_back(consumer->name());
        for (const std::string& name : consumers)
            stream.removeConsumer(name);
        tell(stream, true);
        streams.erase(config.name);
        emit(FlowKind::StreamDeleted, id);
        // If its files stay, the next start or the next stream of that name takes them away.
        if (auto removed = files ? context.stores.removeStream(config) : Result<void>(); !removed)
            context.log.error("stream '" + config.name + "': " + removed.error().text);
        for (const auto& call : waiting)
            call();
    }

    [[nodiscard]] store::CatalogStream record(
        const StreamConfig& config, std::int64_t created) const
    {
        return {config.name, encodeJson(streamConfigToJson(config, false)), created};
    }

    Context& context;
    std::map<std::string, std::unique_ptr<Stream>, std::less<>> streams;
    std::map<std::string, StreamConfig, std::less<>> changing; ///< as they are to be
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
            m->leaveOut(record.name, opened.error());
        else
            m->tell(*find(record.name), false);
    }
    return {};
}

void StreamRegistry::leaveOut(Stream& stream, const Error& error)
{
    const std::string name = stream.name();
    m->leaveOut(name, error);
    m->tell(stream, true);
    m->streams.erase(name);
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
    const auto refused = [this, &config, &done](const Error& error) {
        m->context.log.error("stream '" + config.name + "': " + error.text);
        done(errors::createFailed("error creating store for stream: " + error.text));
    };
    // The files of a stream that was left out are somebody's messages still.
    const auto begun = m->leftOut.contains(config.name) ? Result<bool>(false)
                                                        : m->context.stores.beginCreate(config);
    if (!begun)
        return refused(begun.error());
    const std::int64_t created = m->context.clock.wallTime();
    auto stream = m->open(config, created, true);
    if (!stream) {
        if (*begun)
            static_cast<void>(m->context.stores.removeStream(config).ok());
        return refused(stream.error());
    }
    Stream& made = **stream;
    made.saveFirst(
        [this, record = m->record(config, created)](Stream::Saved saved) {
            m->context.stores.catalog().saveStream(record, std::move(saved));
        },
        [this, &made, fresh = *begun, done = std::move(done)](const Result<void>& saved) {
            if (!saved) {
                // Refused is refused: nothing may catch messages under that name.
                made.defer([this, &made, fresh] { m->drop(made, fresh); });
                return done(errors::createFailed(saved.error().text));
            }
            m->context.stores.keepStream(made.config());
            m->emit(FlowKind::StreamCreated, made.id());
            m->tell(made, false);
            done(&made);
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
    stream.saveFirst(
        [this, record = m->record(config, created), rows = std::move(*consumers)](
            Stream::Saved saved) mutable {
            m->context.stores.catalog().saveRestored(record, std::move(rows), std::move(saved));
        },
        [this, &stream, done = std::move(done)](const Result<void>& saved) {
            if (!saved) {
                stream.defer([this, &stream] { m->drop(stream, true); });
                return done(saved.error());
            }
            m->context.stores.keepStream(stream.config());
            m->emit(FlowKind::StreamCreated, stream.id());
            m->tell(stream, false);
            done(&stream);
        });
}

void StreamRegistry::update(Stream& stream, StreamConfig config, Done done)
{
    // Until the catalog has it, others may neither take what it wants nor what it still has.
    const std::string name = config.name;
    m->changing[name] = config;
    const store::CatalogStream record = m->record(config, stream.created());
    stream.saveFirst(
        [this, record](Stream::Saved saved) {
            m->context.stores.catalog().saveStream(record, std::move(saved));
        },
        [this, &stream, config = std::move(config), done = std::move(done)](
            const Result<void>& saved) {
            m->changing.erase(config.name);
            if (!saved)
                return done(errors::updateFailed(saved.error().text));
            stream.applyConfig(config);
            m->emit(FlowKind::StreamChanged, stream.id());
            m->tell(stream, false);
            // The answer comes when what a lower limit takes is gone.
            stream.startWork([done](const base::Slice&) {
                done({});
                return WorkLine::Progress::Done;
            });
        });
}

void StreamRegistry::remove(Stream& stream, Done done)
{
    stream.saveFirst(
        [this, &stream](Stream::Saved saved) {
            if (auto marked = m->context.stores.beginRemoval(stream.config()); !marked)
                return saved(marked);
            m->context.stores.catalog().removeStream(stream.name(), std::move(saved));
        },
        [this, &stream, done = std::move(done)](const Result<void>& saved) {
            if (!saved) {
                m->context.stores.keepStream(stream.config());
                return done(saved);
            }
            stream.defer([this, &stream, done] {
                m->drop(stream, true);
                done({});
            });
        });
}

void StreamRegistry::setWatcher(std::function<void(Stream&, bool)> watcher)
{
    m->watcher = std::move(watcher);
}

bool StreamRegistry::overlaps(
    const std::vector<std::string>& patterns, std::string_view except) const
{
    const auto collides = [&patterns](const std::vector<std::string>& theirs) {
        return std::any_of(theirs.begin(), theirs.end(), [&patterns](const std::string& one) {
            return std::any_of(patterns.begin(), patterns.end(), [&one](const std::string& ours) {
                return subjects::collide(one, ours);
            });
        });
    };
    return std::any_of(m->streams.begin(), m->streams.end(), [&](const auto& entry) {
        return entry.first != except && collides(entry.second->config().subjects);
    }) || std::any_of(m->changing.begin(), m->changing.end(), [&](const auto& entry) {
        return entry.first != except && collides(entry.second.subjects);
    });
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
        if (config.storage != storage || name == except)
            continue;
        const auto changing = m->changing.find(name);
        const std::int64_t wanted = changing == m->changing.end() ? 0 : changing->second.maxBytes;
        sum += std::max<std::int64_t>({config.maxBytes, wanted, 0});
    }
    return sum;
}

} // namespace jetglass::streams
