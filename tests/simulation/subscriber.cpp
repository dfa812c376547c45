// SPDX-License-Identifier: GPL-3.0-or-later
// Clients that take messages and answer them.
#include "clients.h"
#include "consumers/ack_subject.h"

#include <array>
#include <utility>

namespace jetglass::simulation {

namespace {

std::size_t numberOf(World& world, const Peer& peer)
{
    return static_cast<std::size_t>(&peer - world.network.peers.data());
}

void answer(World& world, Peer& peer, const std::string& subject, AckKind kind)
{
    std::string_view rest = std::string_view(subject).substr(8);
    const std::string stream(rest.substr(0, rest.find('.')));
    rest.remove_prefix(stream.size() + 1);
    const std::string consumer(rest.substr(0, rest.find('.')));
    consumers::AckReference reference;
    if (!consumers::parseAckSubject(subject, reference))
        return;
    Operation& op = world.begin(Kind::Ack, stream, consumer);
    op.seq = reference.seq.value();
    op.number = reference.consumerSeq.value();
    op.ack = kind;
    std::string text;
    switch (kind) {
    case AckKind::Ack:
        text = "+ACK";
        break;
    case AckKind::Nak:
        text = world.random.chance(50)
            ? "-NAK"
            : "-NAK {\"delay\": " + std::to_string(world.random.between(1, 20'000)) + "000000}";
        break;
    case AckKind::Term:
        text = "+TERM";
        break;
    case AckKind::Progress:
        text = "+WPI";
        break;
    case AckKind::Next:
        text = "+NXT";
        break;
    }
    const bool confirmed = world.random.chance(60);
    world.send(peer,
        {subject, confirmed ? world.replyFor(op) : std::string(), {}, std::move(text), op.id});
}

AckKind someAnswer(Random& random)
{
    const std::uint64_t what = random.below(100);
    if (what < 70)
        return AckKind::Ack;
    if (what < 82)
        return AckKind::Nak;
    if (what < 90)
        return AckKind::Progress;
    return AckKind::Term;
}

} // namespace

void askForMessages(World& world)
{
    if (world.model.streams.empty())
        return;
    auto& stream = world.random.pick(world.model.streams).second;
    if (stream.consumers.empty())
        return;
    const ConsumerModel& consumer = world.random.pick(stream.consumers).second;
    Peer& peer = world.anyPeer();
    if (consumer.config.isPush()) {
        // Comes or goes; what is delivered meanwhile finds nobody.
        const std::string& subject = consumer.config.deliverSubject;
        bool subscribes = false;
        for (const std::string& one : peer.subjects)
            subscribes = subscribes || one == subject;
        if (!subscribes)
            world.network.subscribe(peer, subject);
        else if (world.random.chance(20))
            world.network.unsubscribe(peer, subject);
        return;
    }
    Operation& op = world.begin(Kind::Pull, stream.name, consumer.name);
    std::string body = "{\"batch\":" + std::to_string(world.random.between(1, 10));
    if (world.random.chance(40))
        body += ",\"no_wait\":true";
    else
        body += ",\"expires\":" + std::to_string(world.random.between(100, 20'000)) + "000000";
    if (world.random.chance(10))
        body += ",\"max_bytes\":" + std::to_string(world.random.between(10, 3000));
    body += "}";
    world.send(peer,
        {"$JS.API.CONSUMER.MSG.NEXT." + stream.name + "." + consumer.name,
            "_P." + std::to_string(numberOf(world, peer)),
            {},
            std::move(body),
            op.id});
}

void readInbox(World& world)
{
    Peer& peer = world.anyPeer();
    for (int i = 0; i < 3 && !peer.inbox.empty(); ++i) {
        const Wire wire = std::move(peer.inbox.front());
        peer.inbox.pop_front();
        if (!wire.reply.starts_with("$JS.ACK.")) {
            if (!wire.reply.empty()) // flow control asks
                world.send(peer, {wire.reply, {}, {}, {}});
            continue;
        }
        if (world.random.chance(12))
            continue; // forgotten
        answer(world, peer, wire.reply, someAnswer(world.random));
    }
}

void finishWork(World& world)
{
    for (Peer& peer : world.network.peers)
        while (!peer.inbox.empty()) {
            const Wire wire = std::move(peer.inbox.front());
            peer.inbox.pop_front();
            if (wire.reply.starts_with("$JS.ACK."))
                answer(world, peer, wire.reply, AckKind::Ack);
            else if (!wire.reply.empty())
                world.send(peer, {wire.reply, {}, {}, {}});
        }
    Peer& peer = world.network.peers.front();
    for (auto& [name, stream] : world.model.streams)
        for (auto& [consumerName, consumer] : stream.consumers) {
            if (consumer.config.isPush()) {
                const std::string& subject = consumer.config.deliverSubject;
                if (!world.network.hasExactInterest(subject, {}))
                    world.network.subscribe(peer, subject);
                continue;
            }
            Operation& op = world.begin(Kind::Pull, name, consumerName);
            world.send(peer,
                {"$JS.API.CONSUMER.MSG.NEXT." + name + "." + consumerName,
                    "_P.0",
                    {},
                    R"({"batch":100,"no_wait":true})",
                    op.id});
        }
}

} // namespace jetglass::simulation
