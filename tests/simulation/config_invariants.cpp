// SPDX-License-Identifier: GPL-3.0-or-later
// Which streams and consumers there are.
#include "consumers/consumer.h"
#include "consumers/consumer_registry.h"
#include "invariants.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::simulation {

namespace {

/// Some client has asked for it, and an answer may be due or have come in this step.
bool wanted(World& world,
    std::initializer_list<Kind> kinds,
    const std::string& stream,
    const std::string& consumer)
{
    const std::uint64_t count = world.operationCount();
    for (std::uint64_t id = count; id > 0; --id) {
        const Operation& op = *world.operation(id);
        if (op.stream != stream || op.consumer != consumer || op.handedAt == 0
            || std::find(kinds.begin(), kinds.end(), op.kind) == kinds.end())
            continue;
        if (!op.answered && (op.handedAt >= world.runningSince() || world.restarted))
            return true;
    }
    return false;
}

void select(const StreamModel& stream, ConsumerModel& known)
{
    const ConsumerConfig& config = known.config;
    for (int i = 0; i < kSubjects; ++i) {
        const std::string subject = subjectOf(stream.number, i);
        bool matches = config.filterSubject.empty()
            && (!config.filterSubjects || config.filterSubjects->empty());
        matches = matches
            || (!config.filterSubject.empty() && subjects::matches(config.filterSubject, subject));
        if (config.filterSubjects)
            for (const std::string& filter : *config.filterSubjects)
                matches = matches || subjects::matches(filter, subject);
        known.selects[static_cast<std::size_t>(i)] = matches;
    }
}

std::int64_t leastWait(const ConsumerConfig& config)
{
    std::int64_t least = config.ackWait;
    for (const std::int64_t wait : config.backoff)
        least = std::min(least, wait);
    return least;
}

std::int64_t mostDeliveries(const ConsumerConfig& config)
{
    return config.maxDeliver > 0 ? config.maxDeliver : 0;
}

void adopt(World& world, StreamModel& stream, const consumers::Consumer& consumer)
{
    // One whose removal was not answered may come back.
    const bool back = world.restarted
        && (wanted(world, {Kind::ConsumerDelete}, stream.name, consumer.name())
            || wanted(world, {Kind::StreamDelete}, stream.name, {}));
    if (!back && !wanted(world, {Kind::ConsumerCreate}, stream.name, consumer.name()))
        return world.fail("a consumer that nobody has asked for: " + consumer.name());
    ConsumerModel known;
    known.name = consumer.name();
    known.config = consumer.config();
    known.id = consumer.id();
    known.created = consumer.birth().created;
    known.begin = consumer.beginsAt().value();
    known.leastAckWait = leastWait(known.config);
    known.mostDeliver = mostDeliveries(known.config);
    known.isNew = true;
    select(stream, known);
    if (known.config.deliverPolicy == DeliverPolicy::All)
        known.begin = 0;
    if (back)
        forget(stream, known);
    known.changeLost = back; // what it had filtered by is forgotten too
    stream.consumers[known.name] = std::move(known);
}

void compare(
    World& world, StreamModel& stream, ConsumerModel& known, const consumers::Consumer& consumer)
{
    known.id = consumer.id();
    known.isNew = false;
    // The same for a removal: it may have come back with what a successor has delivered.
    if (world.restarted
        && wanted(world, {Kind::Reset, Kind::ConsumerDelete}, stream.name, known.name))
        forget(stream, known);
    // Done, and not answered before it is durable: all may be open again.
    if (known.resetOpen != 0) {
        forget(stream, known);
        known.wasReset = true;
    }
    known.changeLost =
        world.restarted && wanted(world, {Kind::ConsumerCreate}, stream.name, known.name);
    // What was asked for and not answered may have begun.
    known.wasReset = known.wasReset
        || (world.restarted
            && wanted(world,
                {Kind::ConsumerCreate, Kind::ConsumerDelete, Kind::Reset},
                stream.name,
                known.name));
    if (consumer.birth().created != known.created) {
        if (!wanted(world, {Kind::ConsumerDelete}, stream.name, known.name))
            world.fail("consumer " + known.name + " is another one than before");
        stream.consumers.erase(stream.consumers.find(consumer.name()));
        return adopt(world, stream, consumer);
    }
    if (consumer.config() == known.config)
        return;
    if (!wanted(world, {Kind::ConsumerCreate, Kind::Pause}, stream.name, known.name)
        && !(known.config.pauseUntil && !consumer.config().pauseUntil))
        world.fail("consumer " + known.name + " has another configuration than it was given");
    const auto selected = known.selects;
    known.config = consumer.config();
    known.leastAckWait = std::min(known.leastAckWait, leastWait(known.config));
    const std::int64_t most = mostDeliveries(known.config);
    known.mostDeliver = known.mostDeliver == 0 ? most
        : most == 0                            ? known.mostDeliver
                                               : std::min(most, known.mostDeliver);
    select(stream, known);
    if (selected != known.selects) {
        stream.sharedQueue = stream.sharedQueue || stream.config.retention == Retention::WorkQueue;
        known.begin = std::min(known.begin, consumer.beginsAt().value());
        for (const auto& [seq, message] : stream.live)
            if (message.subject >= 0
                && selected[static_cast<std::size_t>(message.subject)]
                    != known.selects[static_cast<std::size_t>(message.subject)])
                known.fate(seq).anything = known.fate(seq).offFilter = true;
    }
}

/// Several updates in one step may have led to it: what is between them was not seen.
void noteShared(StreamModel& known)
{
    if (known.config.retention != Retention::WorkQueue)
        return;
    for (std::size_t subject = 0; subject < kSubjects; ++subject) {
        const auto selects = [subject](const auto& entry) { return entry.second.selects[subject]; };
        if (std::count_if(known.consumers.begin(), known.consumers.end(), selects) > 1)
            known.sharedQueue = true;
    }
}

void takeOverConsumers(World& world, StreamModel& known, streams::Stream& stream)
{
    known.left.clear();
    for (auto it = known.consumers.begin(); it != known.consumers.end();) {
        if (consumers::findConsumer(stream, it->first) != nullptr) {
            ++it;
            continue;
        }
        if (!wanted(world, {Kind::ConsumerDelete}, known.name, it->first)
            && !(world.restarted && wanted(world, {Kind::ConsumerCreate}, known.name, it->first)))
            world.fail("consumer " + it->first + " is gone and nobody has asked for it");
        known.left.push_back(std::move(it->second));
        it = known.consumers.erase(it);
    }
    for (streams::ConsumerPort* port : stream.consumers()) {
        const auto* consumer = consumers::findConsumer(stream, port->name());
        const auto it = known.consumers.find(port->name());
        if (it == known.consumers.end())
            adopt(world, known, *consumer);
        else
            compare(world, known, it->second, *consumer);
    }
    noteShared(known);
}

} // namespace

void forget(const StreamModel& stream, ConsumerModel& known)
{
    const auto before = std::move(known.fates);
    known.fates.clear();
    for (const auto& [seq, message] : stream.live) {
        Fate& fate = known.fate(seq);
        fate.anything = true;
        if (const auto it = before.find(seq); it != before.end())
            fate.offFilter = it->second.offFilter;
    }
    known.lastFirst = 0;
    known.lastNumber = 0;
    // No reset goes below where one was told to begin.
    if (known.config.deliverPolicy != DeliverPolicy::ByStartSequence
        && known.config.deliverPolicy != DeliverPolicy::ByStartTime)
        known.begin = 0;
}

void takeOverConfigs(World& world)
{
    streams::StreamRegistry& registry = world.box->registry();
    auto& streams = world.model.streams;
    for (auto it = streams.begin(); it != streams.end();) {
        streams::Stream* stream = registry.find(it->first);
        if (stream != nullptr && stream->created() == it->second.created) {
            ++it;
            continue;
        }
        if (!wanted(world, {Kind::StreamDelete}, it->first, {})
            && !(world.restarted && it->second.config.storage == Storage::Memory)
            && !(world.restarted && wanted(world, {Kind::StreamCreate}, it->first, {})))
            world.fail("stream " + it->first + " is gone and nobody has asked for it");
        it = streams.erase(it);
    }
    for (streams::Stream* stream : registry.sorted()) {
        auto it = streams.find(stream->name());
        if (it == streams.end()) {
            if (!wanted(world, {Kind::StreamCreate}, stream->name(), {})
                && !(world.restarted && wanted(world, {Kind::StreamDelete}, stream->name(), {})))
                world.fail("a stream that nobody has asked for: " + stream->name());
            StreamModel& known = streams[stream->name()];
            known.name = stream->name();
            known.number = known.name.back() - '0';
            known.config = stream->config();
            known.created = stream->created();
            it = streams.find(stream->name());
        } else if (!(stream->config() == it->second.config)) {
            if (!wanted(world, {Kind::StreamUpdate}, stream->name(), {}))
                world.fail(
                    "stream " + stream->name() + " has another configuration than it was given");
            // Ids that have left the window do not come back with a longer one.
            std::erase_if(it->second.ids, [&](const auto& entry) {
                return world.clock.wallTime() - entry.second.second
                    >= it->second.config.duplicateWindow;
            });
            it->second.config = stream->config();
        }
        it->second.limitsChanged =
            world.restarted && wanted(world, {Kind::StreamUpdate}, stream->name(), {});
        it->second.id = stream->id();
        takeOverConsumers(world, it->second, *stream);
    }
}

} // namespace jetglass::simulation
