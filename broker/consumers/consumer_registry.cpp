// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer_registry.h"

#include "base/json.h"
#include "base/nuid.h"
#include "base/time_text.h"
#include "broker/config_rules.h"
#include "consumers/advisories.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "streams/json_decode.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace jetglass::consumers {

namespace {

constexpr std::size_t kMaxName = 255;
constexpr std::int64_t kEphemeralThreshold = 5'000'000'000;
constexpr int kNameLength = 8;
constexpr std::string_view kServerKeys = "_nats.";

using Filters = std::vector<std::string>;

Filters filtersOf(const ConsumerConfig& config)
{
    if (!config.filterSubject.empty())
        return {config.filterSubject};
    return config.filterSubjects.value_or(Filters());
}

/// Filters that could match a subject that another consumer of the work queue takes too.
Result<void> checkUnique(
    streams::Stream& stream, const ConsumerConfig& config, std::string_view self)
{
    const Filters mine = filtersOf(config);
    for (const streams::ConsumerPort* other : stream.consumers()) {
        if (other->name() == self || other->config().direct || other->config().sourcing)
            continue;
        const Filters theirs = filtersOf(other->config());
        bool collides = theirs.empty();
        for (const std::string& a : mine)
            for (const std::string& b : theirs)
                collides = collides || subjects::collide(a, b);
        if (collides && !mine.empty())
            return Error::api(400, 10100, "filtered consumer not unique on workqueue stream");
    }
    return {};
}

Result<void> checkWorkQueue(streams::Stream& stream, const ConsumerConfig& config)
{
    if (stream.config().retention != Retention::WorkQueue || config.direct || config.sourcing)
        return {};
    if (config.ackPolicy != AckPolicy::Explicit && config.ackPolicy != AckPolicy::FlowControl)
        return Error::api(400, 10098, "workqueue stream requires explicit ack");
    if (config.deliverPolicy != DeliverPolicy::All)
        return Error::api(400, 10101, "consumer must be deliver all on workqueue stream");
    const bool shared = std::any_of(stream.consumers().begin(),
        stream.consumers().end(),
        [](const streams::ConsumerPort* other) {
            return !other->config().direct && !other->config().sourcing;
        });
    if (shared && filtersOf(config).empty())
        return Error::api(
            400, 10099, "multiple non-filtered consumers not allowed on workqueue stream");
    return checkUnique(stream, config, {});
}

bool isSame(ConsumerConfig a, ConsumerConfig b)
{
    for (ConsumerConfig* config : {&a, &b})
        std::erase_if(
            config->metadata, [](const auto& item) { return item.first.starts_with(kServerKeys); });
    return a == b;
}

/// The consumer as it would be with \a config.
store::CatalogConsumer toCatalog(Consumer& consumer, const ConsumerConfig& config)
{
    store::CatalogConsumer row{consumer.birth().number,
        consumer.name(),
        base::jsonText(consumerConfigToJson(config, ConfigAudience::Catalog)),
        consumer.birth().created,
        consumer.snapshot()};
    consumer.markDirty(); // until the catalog has it
    return row;
}

/// While the catalog saves a consumer that comes or goes, others publish and get messages; but not
/// where consumers decide what is stored.
streams::WorkLine::Holds holdsMeanwhile(const streams::Stream& stream)
{
    return stream.config().retention == Retention::Limits ? streams::WorkLine::Holds::Requests
                                                          : streams::WorkLine::Holds::All;
}

/// Applies the change when the catalog has it, at once if the consumer is kept in memory only. What
/// the catalog refuses has not happened; until it answers the stream's order waits, so that nothing
/// is delivered meanwhile, and nothing removed.
void change(Consumer& consumer,
    ConsumerConfig config,
    std::function<void(Consumer&, const ConsumerConfig&)> apply,
    std::function<void(Result<Consumer*>)> done)
{
    if (!consumer.isPersistent()) {
        apply(consumer, config);
        return done(&consumer);
    }
    streams::Stream& stream = consumer.stream();
    auto wanted = std::make_shared<const ConsumerConfig>(std::move(config));
    stream.saveFirst(
        [&stream, wanted, name = consumer.name()](const streams::Stream::Saved& saved) {
            Consumer* found = findConsumer(stream, name);
            if (!found)
                return saved(Error::api(404, 10014, "consumer not found"));
            stream.context().stores.catalog().saveConsumer(
                stream.name(), toCatalog(*found, *wanted), saved);
        },
        [&stream, wanted, name = consumer.name(), apply = std::move(apply), done = std::move(done)](
            const Result<void>& saved) {
            Consumer* found = findConsumer(stream, name);
            if (!found)
                return done(Error::api(404, 10014, "consumer not found"));
            if (!saved)
                return done(storeError(saved.error()));
            apply(*found, *wanted);
            done(found);
        });
}

Result<std::shared_ptr<LogKeeper>> keeperOf(streams::Stream& stream)
{
    if (!stream.consumers().empty())
        return static_cast<Consumer*>(stream.consumers().front())->keeper();
    if (stream.consumerLog().size() > 0) {
        // What is left of earlier consumers would be taken for news of those that get their
        // numbers.
        if (auto done = stream.consumerLog().cut(); !done)
            return storeError(done.error());
        if (stream.context().settings.syncAlways)
            stream.consumerLog().sync([](const Result<void>&) {});
    }
    return std::make_shared<LogKeeper>(stream);
}

std::string newName(streams::Stream& stream)
{
    for (;;) {
        std::string name = base::randomName(kNameLength);
        if (!stream.consumer(name))
            return name;
    }
}

Result<void> checkRoom(streams::Stream& stream)
{
    std::int64_t limit = stream.config().maxConsumers;
    const std::int64_t ofAccount = stream.context().limits.maxConsumers;
    if (limit <= 0 || (ofAccount > 0 && ofAccount < limit))
        limit = ofAccount;
    if (limit <= 0)
        limit = stream.context().settings.defaultMaxConsumers;
    std::int64_t count = 0;
    for (const streams::ConsumerPort* consumer : stream.consumers())
        count += consumer->config().direct || consumer->config().sourcing ? 0 : 1;
    if (limit > 0 && count >= limit)
        return Error::api(400, 10026, "maximum consumers limit reached");
    return {};
}

void updateExisting(
    streams::Stream& stream, Consumer& consumer, ConsumerConfig config, Action action, Done done)
{
    if (isSame(consumer.config(), config))
        return done(Outcome{&consumer, false});
    if (action == Action::Create)
        return done(Error::api(400, 10148, "consumer already exists"));
    if (stream.config().retention == Retention::WorkQueue)
        if (auto checked = checkUnique(stream, config, consumer.name()); !checked)
            return done(checked.error());
    if (auto checked = checkConsumerUpdate(consumer.config(), config); !checked)
        return done(checked.error());
    const std::string& from = consumer.config().deliverSubject;
    if (from != config.deliverSubject && stream.context().bus.hasInterest(from))
        return done(Error::api(400, 10013, "consumer name already in use"));
    // As the reference server: an ephemeral consumer never loses its threshold.
    if (!consumer.config().isDurable() && !config.isDurable() && config.inactiveThreshold <= 0)
        config.inactiveThreshold = kEphemeralThreshold;
    change(
        consumer,
        std::move(config),
        [](Consumer& changed, const ConsumerConfig& now) { changed.update(now); },
        [done = std::move(done)](Result<Consumer*> changed) {
            if (!changed)
                return done(changed.error());
            done(Outcome{*changed, false});
        });
}

void announce(Consumer& consumer)
{
    streams::Stream& stream = consumer.stream();
    streams::Context& context = stream.context();
    const ConsumerRef who{stream.name(), consumer.name()};
    publishCreated(context, who);
    if (consumer.isPaused())
        publishPause(context, who, true, consumer.config().pauseUntil.value_or(std::string()));
}

void createNew(streams::Stream& stream, ConsumerConfig config, std::string name, Done done)
{
    if (config.durableName.size() > kMaxName)
        return done(Error::api(400, 10102, "consumer name is too long, maximum allowed is 255"));
    if (name.size() > kMaxName)
        return done(Error::api(500, 10012, "error creating store for consumer"));
    if (!config.isDurable() && config.inactiveThreshold <= 0)
        config.inactiveThreshold = kEphemeralThreshold;
    auto keeper = keeperOf(stream);
    if (!keeper)
        return done(keeper.error());
    const Birth birth{(*keeper)->takeNumber(), std::move(name), stream.context().clock.wallTime()};
    auto owned = std::make_shared<std::unique_ptr<Consumer>>(
        std::make_unique<Consumer>(stream, birth, std::move(config), std::move(*keeper)));
    Consumer& consumer = **owned;
    consumer.place();
    // What publishes and removals have changed meanwhile is counted again, from the place that was
    // saved.
    const auto begin = [&stream, owned, done = std::move(done), before = stream.store().state()](
                           const Result<void>& saved) {
        if (!saved)
            return done(storeError(saved.error()));
        Consumer& born = **owned;
        stream.settle();
        const store::StoreState now = stream.store().state();
        if (now.last != before.last || now.messages != before.messages)
            born.catchUp();
        stream.adopt(std::move(*owned));
        if (flow::FlowHub& hub = stream.context().hub; hub.active())
            hub.emit({.seq = {},
                .stream = stream.id(),
                .consumer = born.id(),
                .kind = FlowKind::ConsumerCreated});
        born.start();
        done(Outcome{&born, true});
        announce(born);
    };
    if (!consumer.isPersistent())
        return begin({});
    stream.saveFirst(
        [&stream, &consumer](const streams::Stream::Saved& saved) {
            stream.context().stores.catalog().saveConsumer(
                stream.name(), toCatalog(consumer, consumer.config()), saved);
        },
        begin,
        holdsMeanwhile(stream));
}

} // namespace

Consumer* findConsumer(streams::Stream& stream, std::string_view name)
{
    return static_cast<Consumer*>(stream.consumer(name));
}

void createConsumer(
    streams::Stream& stream, ConsumerConfig config, Action action, bool pedantic, Done done)
{
    const streams::Context& context = stream.context();
    std::string name = config.durableName.empty() ? config.name : config.durableName;
    Consumer* existing = name.empty() ? nullptr : findConsumer(stream, name);
    if (existing)
        config.pauseUntil = existing->config().pauseUntil;
    stampRequiredLevel(config);
    const ConfigLimits limits{context.settings.maxDuplicateWindow,
        context.settings.maxAckPending,
        context.limits.maxAckPending,
        context.settings.maxRequestBatch};
    if (auto checked = normalizeConsumerConfig(config, stream.config(), pedantic, limits); !checked)
        return done(checked.error());
    if (existing)
        return updateExisting(stream, *existing, std::move(config), action, std::move(done));
    if (action == Action::Update)
        return done(Error::api(400, 10149, "consumer does not exist"));
    if (!config.direct)
        if (auto checked = checkRoom(stream); !checked)
            return done(checked.error());
    if (auto checked = checkWorkQueue(stream, config); !checked)
        return done(checked.error());
    if (name.empty())
        name = newName(stream);
    createNew(stream, std::move(config), std::move(name), std::move(done));
}

void deleteConsumer(
    streams::Stream& stream, std::string_view name, std::function<void(Result<void>)> done)
{
    Consumer* consumer = findConsumer(stream, name);
    if (!consumer)
        return done(Error::api(404, 10014, "consumer not found"));
    const bool persistent = consumer->isPersistent();
    const std::string copy(name); // the view may be into the consumer
    if (!persistent) {
        stream.removeConsumer(copy);
        return done({});
    }
    stream.saveFirst(
        [&stream, copy](const streams::Stream::Saved& saved) {
            stream.context().stores.catalog().removeConsumer(stream.name(), copy, saved);
        },
        [&stream, copy, done = std::move(done)](const Result<void>& saved) {
            if (!saved)
                return done(Error::api(500, 10051, saved.error().text));
            stream.removeConsumer(copy);
            done({});
        },
        holdsMeanwhile(stream));
}

void pauseConsumer(Consumer& consumer,
    std::optional<std::string> until,
    std::function<void(Result<Consumer*>)> done)
{
    ConsumerConfig config = consumer.config();
    config.pauseUntil = until;
    stampRequiredLevel(config);
    if (!consumer.isPersistent()) {
        consumer.pause(std::move(until));
        return done(&consumer);
    }
    // Not in the stream's order: whoever waits for that to end is woken, and a resumption wakes
    // nobody (consumers.md 1.8).
    streams::Stream& stream = consumer.stream();
    stream.context().stores.catalog().saveConsumer(stream.name(),
        toCatalog(consumer, config),
        // The keeper lives as long as the stream has consumers.
        [&stream,
            keeper = std::weak_ptr<LogKeeper>(consumer.keeper()),
            name = consumer.name(),
            until = std::move(until),
            done = std::move(done)](const Result<void>& saved) {
            Consumer* found = keeper.expired() ? nullptr : findConsumer(stream, name);
            if (!found)
                return done(Error::api(404, 10014, "consumer not found"));
            if (!saved)
                return done(storeError(saved.error()));
            found->pause(until);
            done(found);
        });
}

Error storeError(const Error& error)
{
    return Error::api(500, 10104, "error creating store for consumer: " + error.text);
}

void whenDurable(Consumer& consumer, std::function<void(Result<void>)> done)
{
    streams::Stream& stream = consumer.stream();
    if (!consumer.isPersistent() || !stream.context().settings.syncAlways)
        return done({});
    stream.saveFirst(
        [&stream](streams::Stream::Saved saved) { stream.consumerLog().sync(std::move(saved)); },
        std::move(done));
}

Result<void> recoverConsumers(streams::Stream& stream)
{
    streams::Context& context = stream.context();
    if (stream.config().storage != Storage::File)
        return {};
    auto loaded = context.stores.catalog().loadConsumers(stream.name());
    if (!loaded)
        return loaded.error();
    // Not keeperOf(): it cuts a log that belongs to nobody, and this one has yet to be replayed.
    auto keeper = std::make_shared<LogKeeper>(stream);
    std::map<std::uint32_t, std::unique_ptr<Consumer>> byNumber;
    for (const store::CatalogConsumer& entry : *loaded) {
        ConsumerConfig config;
        streams::JsonFields fields(false);
        declareConsumerConfig(fields, config);
        const auto decoded = streams::decodeJson(entry.config, fields);
        int level = 0;
        const std::string& text = config.metadata["_nats.req.level"];
        std::from_chars(text.data(), text.data() + text.size(), level);
        if (!decoded || level > streams::kApiLevel) {
            context.log.error("consumer " + entry.name + " of stream " + stream.name()
                + " is left out: its configuration is not understood");
            continue;
        }
        keeper->numberUsed(entry.number);
        const Birth birth{entry.number, entry.name, entry.created};
        auto consumer = std::make_unique<Consumer>(stream, birth, std::move(config), keeper);
        if (!consumer->restore(entry.snapshot)) {
            context.log.warn("consumer " + entry.name + " of stream " + stream.name()
                + " starts anew: its state cannot be read");
            consumer->place();
        }
        byNumber.emplace(entry.number, std::move(consumer));
    }
    auto replayed = stream.consumerLog().replay([&](const store::ConsumerRecord& record) {
        // Not given again while the log may tell of whoever had it.
        keeper->numberUsed(record.consumer);
        if (const auto at = byNumber.find(record.consumer); at != byNumber.end())
            at->second->replay(record);
    });
    // From an earlier state they would go on as if what has been confirmed since had never been.
    if (!replayed)
        return replayed;
    StreamSeq given;
    for (const auto& [number, consumer] : byNumber)
        given = std::max(given, consumer->givenOut());
    if (const StreamSeq last = stream.store().state().last; last < given) {
        context.stores.note({.kind = RecoveryFinding::Kind::ConsumersAhead,
            .first = last.value() + 1U,
            .last = given.value(),
            .streams = {stream.name()}});
        stream.store().goOnAfter(given);
    }
    for (auto& [number, owned] : byNumber) {
        Consumer& consumer = *owned;
        consumer.recovered();
        for (const store::OutcomeRow& row : stream.takeOutcomes(number))
            consumer.recall(row);
        stream.adopt(std::move(owned));
        consumer.start();
    }
    stream.consumersOpened();
    if (!byNumber.empty())
        keeper->snapshot(false);
    return {};
}

} // namespace jetglass::consumers
