// SPDX-License-Identifier: GPL-3.0-or-later
#include "world.h"

#include "base/random.h"
#include "clients.h"
#include "consumers/ack_subject.h"
#include "consumers/consumer.h"
#include "consumers/consumer_registry.h"
#include "invariants.h"
#include "streams/stream.h"

#include <charconv>
#include <cstdio>
#include <utility>

namespace jetglass::simulation {

namespace {

constexpr std::size_t kLines = 60;
constexpr int kPeers = 3;
constexpr std::int64_t kMs = 1'000'000;

BoxSettings settingsOf(Random& random, bool losesPower)
{
    BoxSettings settings;
    settings.syncAlways = losesPower || random.chance(10);
    settings.blockSize = random.chance(50) ? 4096 : 8U << 20U;
    settings.timeStep = random.chance(30) ? random.between(20, 400) * 1000 : 0;
    settings.observed = random.chance(50);
    return settings;
}

} // namespace

/// Whether power may be lost (\a power) changes nothing but that.
World::World(std::uint64_t seed, bool power, bool trace)
    : random(seed)
    , files(random, random.chance(25) && power)
    , network(random)
    , m_trace(trace)
{
    base::randomEngine().seed(seed);
    network.peers.resize(kPeers);
    for (int i = 0; i < kPeers; ++i) {
        Peer& peer = network.peers[static_cast<std::size_t>(i)];
        peer.id = ClientId{static_cast<std::uint32_t>(i + 5)};
        network.subscribe(peer, "_P." + std::to_string(i));
        network.connect(peer);
    }
    network.leaving = [this](std::string_view route, const streams::Outbound& message) {
        left(route, message);
    };
    box = std::make_unique<Box>(
        random, clock, files, network, settingsOf(random, files.keepsUnsynced()));
    startBox();
}

World::~World()
{
    network.leaving = nullptr;
    box.reset();
}

void World::startBox()
{
    if (const std::string error = box->start(); !error.empty())
        fail("the broker does not start: " + error);
}

void World::note(std::string line)
{
    for (const char c : line)
        m_digest = (m_digest ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    line = std::to_string(step) + " " + line;
    if (m_trace)
        std::fprintf(stderr, "%s\n", line.c_str());
    m_lines.push_back(std::move(line));
    if (m_lines.size() > kLines)
        m_lines.pop_front();
}

void World::fail(const std::string& what)
{
    if (!m_failure.empty())
        return;
    m_failure = "step " + std::to_string(step) + ": " + what;
    note("FAILED: " + what);
}

Operation& World::begin(Kind kind, const std::string& stream, const std::string& consumer)
{
    Operation& operation = m_operations.emplace_back();
    operation.id = m_operations.size();
    operation.kind = kind;
    operation.stream = stream;
    operation.consumer = consumer;
    return operation;
}

void World::send(Peer& peer, Wire wire)
{
    if (!peer.connected)
        return;
    if (!peer.toBroker.empty() || (!calm && random.chance(15)))
        peer.toBroker.push_back(std::move(wire));
    else
        hand(peer, std::move(wire));
}

void World::handOne(Peer& peer)
{
    if (peer.toBroker.empty())
        return;
    Wire wire = std::move(peer.toBroker.front());
    peer.toBroker.pop_front();
    hand(peer, std::move(wire));
}

/// An ack reaches the broker, which looks at it at once.
void World::acknowledge(Operation& op)
{
    ConsumerModel* known = model.consumer(op.stream, op.consumer);
    if (known == nullptr)
        return;
    const bool settles =
        op.ack == AckKind::Ack || op.ack == AckKind::Term || op.ack == AckKind::Next;
    const bool all = known->config.ackPolicy == AckPolicy::All && settles;
    if (streams::Stream* stream = box->registry().find(op.stream); all && stream != nullptr)
        if (const auto* consumer = consumers::findConsumer(*stream, op.consumer))
            // As in the reference server, for which the number of a delivery counts too.
            op.ignored = op.number <= consumer->ackFloor().consumer.value();
    if (op.ignored)
        return;
    auto from = all ? known->fates.begin() : known->fates.lower_bound(op.seq);
    for (; from != known->fates.end() && from->first <= op.seq; ++from) {
        from->second.settledMaybe = from->second.settledMaybe || settles;
        from->second.nakked = from->second.nakked || op.ack == AckKind::Nak;
    }
}

void World::hand(Peer& peer, Wire wire)
{
    note("-> " + wire.subject + " " + wire.payload.substr(0, 400)
        + (wire.reply.empty() ? "" : " reply " + wire.reply));
    if (Operation* op = operation(wire.operation)) {
        op->handedAt = step;
        StreamModel* stream = model.stream(op->stream);
        if (op->kind == Kind::Ack && !files.dead())
            acknowledge(*op);
        if (op->kind == Kind::Reset)
            if (ConsumerModel* consumer = model.consumer(op->stream, op->consumer)) {
                consumer->wasReset = true;
                consumer->resetOpen = op->id;
            }
        if (stream != nullptr
            && (op->rollsUpAll || op->rollsUpSubject)) // perhaps without being stored
            stream->rollups.push_back({~std::uint64_t{0}, op->rollsUpAll ? -1 : op->subject});
        if (stream != nullptr && (op->kind == Kind::Purge || op->kind == Kind::MessageDelete)) {
            op->lastWhenHanded = stream->last;
            stream->removals.push_back(op->id);
        }
    }
    network.hand(peer, wire);
}

void World::left(std::string_view route, const streams::Outbound& message)
{
    if (route.starts_with("_R.")) {
        std::uint64_t id = 0;
        std::from_chars(route.data() + 3, route.data() + route.size(), id);
        Operation* op = operation(id);
        if (op == nullptr)
            return;
        Event& event = events.emplace_back();
        event.kind = Event::Kind::Answer;
        event.operation = op;
        event.text = message.payload;
        note("<- " + std::string(route) + " " + event.text.substr(0, 200));
        return;
    }
    if (!message.reply.starts_with("$JS.ACK."))
        return;
    consumers::AckReference reference;
    if (!consumers::parseAckSubject(message.reply, reference))
        return fail("an ack subject that cannot be read: " + std::string(message.reply));
    Event& event = events.emplace_back();
    event.kind = Event::Kind::Delivery;
    std::string_view rest = message.reply.substr(8);
    event.stream = rest.substr(0, rest.find('.'));
    rest.remove_prefix(event.stream.size() + 1);
    event.consumer = rest.substr(0, rest.find('.'));
    event.seq = reference.seq.value();
    event.number = reference.consumerSeq.value();
    event.deliveries = reference.deliveries;
    event.subject = message.subject;
    event.headers = message.headers;
    event.text = message.payload;
    note("<- " + std::string(route) + " " + std::string(message.reply));
}

void World::passTime()
{
    std::int64_t ns = random.between(1, 500) * kMs;
    if (random.chance(20))
        ns = random.between(1, 40) * 1000 * kMs;
    if (random.chance(30) && box->nextDeadline() != base::TimerQueue::kNever)
        ns = std::max<std::int64_t>(box->nextDeadline() - clock.now(), 0);
    if (random.chance(3)) {
        clock.setWallForward(ns);
        note("the wall clock is set forward by " + std::to_string(ns / kMs) + " ms");
    } else {
        clock.advance(ns);
        note("time passes: " + std::to_string(ns / kMs) + " ms");
    }
}

/// For people: where each consumer stands.
void World::describe(const char* when) const
{
    for (streams::Stream* stream : box->registry().sorted())
        for (streams::ConsumerPort* port : stream->consumers()) {
            const auto* one = consumers::findConsumer(*stream, port->name());
            std::string text;
            one->tracker().forEach([&text](const consumers::PendingMessage& pending) {
                text += " " + std::to_string(pending.seq.value()) + "x"
                    + std::to_string(pending.deliveries);
            });
            text += " given up:";
            for (const auto& [seq, deliveries] : one->tracker().givenUpAll())
                text += " " + std::to_string(seq) + "x" + std::to_string(deliveries);
            std::fprintf(stderr,
                "      %s %s.%s number %u delivered %llu/%llu floor %llu next %llu pending:%s\n",
                when,
                stream->name().c_str(),
                port->name().c_str(),
                one->birth().number,
                static_cast<unsigned long long>(one->delivered().consumer.value()),
                static_cast<unsigned long long>(one->delivered().stream.value()),
                static_cast<unsigned long long>(one->ackFloor().stream.value()),
                static_cast<unsigned long long>(one->nextSeq().value()),
                text.c_str());
        }
}

/// The clients find the connection broken; the disk is as the end of the process left it.
void World::restart(bool orderly)
{
    ++m_crashes;
    if (m_trace)
        describe("before");
    restarted = true;
    if (orderly && !files.dead()) {
        note("the broker is stopped");
        box->stop();
    } else {
        const Crash how =
            files.keepsUnsynced() && random.chance(60) ? Crash::PowerLoss : Crash::Kill;
        lostPower = lostPower || how == Crash::PowerLoss;
        note(how == Crash::Kill ? "the broker is killed" : "power is lost");
        box->kill();
        files.recover(how);
    }
    for (Peer& peer : network.peers)
        network.disconnect(peer);
    clock.restartCount();
    clock.advance(random.between(1, 3000) * kMs);
    startBox();
    if (failed())
        return;
    for (Peer& peer : network.peers)
        if (calm || random.chance(90))
            network.connect(peer);
    if (m_trace)
        describe("after");
    for (const std::string& line : box->log.lines)
        note("log: " + line);
    box->log.lines.clear();
    if (!box->settle(false))
        fail("the loop finds no end after a start");
}

void World::act()
{
    const std::uint64_t what = random.below(1000);
    if (what < 300)
        publishSomething(*this);
    else if (what < 430)
        askForMessages(*this);
    else if (what < 700)
        readInbox(*this);
    else if (what < 800)
        passTime();
    else if (what < 900)
        handOne(anyPeer());
    else if (what < 930)
        operateStream(*this);
    else if (what < 970)
        operateConsumer(*this);
    else if (what < 985) {
        Peer& peer = anyPeer();
        note(peer.connected ? "a client goes" : "a client comes");
        if (peer.connected)
            network.disconnect(peer);
        else
            network.connect(peer);
    } else if (what < 990)
        files.dieAfter(random.below(6));
    else if (what < 994) {
        files.dieNow();
        restart(false);
    } else if (what < 996)
        restart(true);
    else
        for (Peer& peer : network.peers)
            if (!peer.connected)
                network.connect(peer);
}

void World::endStep()
{
    if (failed())
        return;
    if (!box->settle(!calm && random.chance(20)))
        fail("the loop finds no end");
    if (files.dead()) {
        crashed = true;
        restart(false);
    }
    if (failed())
        return;
    takeOverConfigs(*this);
    for (auto& [name, known] : model.streams)
        if (streams::Stream* stream = box->registry().find(name))
            checkMessages(*this, known, *stream);
    checkEvents(*this);
    for (auto& [name, known] : model.streams)
        if (streams::Stream* stream = box->registry().find(name))
            checkConsumers(*this, known, *stream);
    for (const std::string& line : box->log.lines)
        fail("the broker complains: " + line);
    for (auto& [name, known] : model.streams)
        if (streams::Stream* stream = box->registry().find(name); stream && !stream->busy())
            std::erase_if(
                known.rollups, [](const Rollup& one) { return one.seq == ~std::uint64_t{0}; });
    events.clear();
    if (restarted)
        m_runningSince = step;
    crashed = restarted = lostPower = false;
}

std::string World::run(std::uint64_t steps)
{
    endStep();
    while (step < steps && !failed()) {
        ++step;
        act();
        endStep();
    }
    if (!failed())
        comeToRest();
    return m_failure;
}

/// Whatever was given to the broker comes to its end when nothing goes wrong any more.
void World::comeToRest()
{
    calm = true;
    note("from here on all goes well");
    for (Peer& peer : network.peers)
        if (!peer.connected)
            network.connect(peer);
    for (Peer& peer : network.peers)
        while (!peer.toBroker.empty() && !failed()) {
            ++step;
            handOne(peer);
            endStep();
        }
    // Who subscribes anew is an event.
    for (auto& [name, known] : model.streams)
        for (auto& [consumerName, consumer] : known.consumers)
            if (consumer.resumedByRequest && consumer.config.isPush())
                for (Peer& peer : network.peers)
                    network.unsubscribe(peer, consumer.config.deliverSubject);
    endStep();
    constexpr int kRounds = 400;
    std::string left;
    for (int round = 0; round < kRounds && !failed(); ++round) {
        ++step;
        finishWork(*this);
        endStep();
        if (failed())
            return;
        bool open = !box->idle();
        left.clear();
        for (auto& [name, known] : model.streams) {
            streams::Stream* stream = box->registry().find(name);
            for (auto& [consumerName, consumer] : known.consumers)
                if (consumers::Consumer* c = consumers::findConsumer(*stream, consumerName)) {
                    const ConsumerCounts counts = c->counts();
                    // As in the reference server, a late ack-all from before a reset leaves a floor
                    // that acks only reach when deliveries have counted up to it again.
                    const bool counting = consumer.config.ackPolicy == AckPolicy::All
                        && c->ackFloor().consumer > c->delivered().consumer;
                    const bool waits = counts.pending > 0 && !known.sharedQueue;
                    if (counting || (!waits && counts.ackPending == 0))
                        continue;
                    open = true;
                    left += " " + name + "." + consumerName + " " + std::to_string(counts.pending)
                        + "+" + std::to_string(counts.ackPending);
                }
        }
        if (!open)
            return;
        clock.advance(1000 * kMs);
    }
    if (m_trace)
        describe("left");
    fail("messages are left that nobody gets:" + left);
}

} // namespace jetglass::simulation
