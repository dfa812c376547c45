// SPDX-License-Identifier: GPL-3.0-or-later
#include "network.h"

#include <algorithm>
#include <utility>

namespace jetglass::simulation {

namespace {

bool takes(const std::string& pattern, std::string_view subject)
{
    if (pattern.ends_with(".>")) // the only wildcard that clients use
        return subject.size() > pattern.size() - 1
            && subject.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
    return pattern == subject;
}

} // namespace

Network::Network(Random& random)
    : m_random(random)
{
}

Network::~Network() = default;

void Network::connect(Peer& peer)
{
    peer.connected = true;
    for (const std::string& subject : peer.subjects)
        m_inner.note(subject);
}

void Network::disconnect(Peer& peer)
{
    peer.connected = false;
    peer.toBroker.clear();
    peer.inbox.clear();
    for (const std::string& subject : peer.subjects)
        m_inner.note(subject);
}

void Network::subscribe(Peer& peer, const std::string& subject)
{
    peer.subjects.push_back(subject);
    m_inner.note(subject);
}

void Network::unsubscribe(Peer& peer, const std::string& subject)
{
    std::erase(peer.subjects, subject);
    m_inner.note(subject);
}

bool Network::hand(const Peer& peer, const Wire& message)
{
    streams::Sender sender;
    sender.id = peer.id;
    sender.account = "$G";
    return m_inner.route(
        {message.subject, message.reply, message.headers, message.payload, &sender});
}

Peer* Network::takerOf(std::string_view route)
{
    for (Peer& peer : peers)
        if (peer.connected
            && std::any_of(peer.subjects.begin(), peer.subjects.end(), [&](const std::string& one) {
                   return takes(one, route);
               }))
            return &peer;
    return nullptr;
}

void Network::stage(std::string_view route, const streams::Outbound& message)
{
    m_staged.push_back({std::string(route),
        {std::string(message.subject),
            std::string(message.reply),
            std::string(message.headers),
            std::string(message.payload)}});
}

void Network::send(bool dead)
{
    for (Staged& one : m_staged) {
        if (dead)
            continue;
        if (leaving)
            leaving(
                one.route, {one.wire.subject, one.wire.reply, one.wire.headers, one.wire.payload});
        for (Peer& peer : peers)
            if (peer.connected
                && std::any_of(peer.subjects.begin(),
                    peer.subjects.end(),
                    [&](const std::string& subject) { return takes(subject, one.route); }))
                peer.inbox.push_back(one.wire);
    }
    m_staged.clear();
}

void Network::publish(const streams::Outbound& message)
{
    if (!message.subject.starts_with("$JS.EVENT."))
        stage(message.subject, message);
    const streams::Sender broker{};
    m_inner.route({message.subject, message.reply, message.headers, message.payload, &broker});
}

bool Network::deliver(std::string_view route, const streams::Outbound& message, ClientId* taker)
{
    const Peer* peer = takerOf(route);
    if (peer == nullptr)
        return false;
    if (taker != nullptr)
        *taker = peer->id;
    stage(route, message);
    return true;
}

bool Network::hasInterest(std::string_view subject) const
{
    return std::any_of(peers.begin(), peers.end(), [&](const Peer& peer) {
        return peer.connected
            && std::any_of(peer.subjects.begin(), peer.subjects.end(), [&](const std::string& one) {
                   return takes(one, subject);
               });
    });
}

bool Network::hasExactInterest(std::string_view subject, std::string_view queue) const
{
    return queue.empty() && std::any_of(peers.begin(), peers.end(), [&](const Peer& peer) {
        return peer.connected
            && std::find(peer.subjects.begin(), peer.subjects.end(), subject)
            != peer.subjects.end();
    });
}

streams::RegistrationPtr Network::watchInterest(
    std::string_view subject, std::function<void()> changed)
{
    return m_inner.watch(subject, std::move(changed));
}

streams::RegistrationPtr Network::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    return m_inner.subscribe(subject, queue, handler);
}

} // namespace jetglass::simulation
