// SPDX-License-Identifier: GPL-3.0-or-later
#include "network.h"

#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::simulation {

struct Network::State
{
    struct Handler
    {
        std::string subject;
        std::string queue;
        std::size_t fixed = 0; ///< how many characters come before the first wildcard
        streams::MessageHandler* handler = nullptr;
        std::size_t number = 0;
    };
    struct Watch
    {
        std::string subject;
        std::function<void()> changed;
        std::size_t number = 0;
        bool due = false;
    };
    std::vector<Handler> handlers;
    std::vector<Watch> watches;
    std::size_t next = 1;
    bool watchesDue = false;

    void note(std::string_view subject)
    {
        for (Watch& watch : watches)
            if (watch.subject == subject)
                watch.due = watchesDue = true;
    }
};

namespace {

class End final : public streams::Registration
{
public:
    explicit End(std::function<void()> end)
        : m_end(std::move(end))
    {
    }
    ~End() override { m_end(); }

private:
    std::function<void()> m_end;
};

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
    , m_state(std::make_shared<State>())
{
}

Network::~Network() = default;

void Network::connect(Peer& peer)
{
    peer.connected = true;
    for (const std::string& subject : peer.subjects)
        m_state->note(subject);
}

void Network::disconnect(Peer& peer)
{
    peer.connected = false;
    peer.toBroker.clear();
    peer.inbox.clear();
    for (const std::string& subject : peer.subjects)
        m_state->note(subject);
}

void Network::subscribe(Peer& peer, const std::string& subject)
{
    peer.subjects.push_back(subject);
    m_state->note(subject);
}

void Network::unsubscribe(Peer& peer, const std::string& subject)
{
    std::erase(peer.subjects, subject);
    m_state->note(subject);
}

bool Network::hand(const Peer& peer, const Wire& message)
{
    streams::Sender sender;
    sender.id = peer.id;
    sender.account = "$G";
    return route({message.subject, message.reply, message.headers, message.payload, &sender});
}

bool Network::callWatches()
{
    if (!m_state->watchesDue)
        return false;
    m_state->watchesDue = false;
    std::vector<std::function<void()>> due;
    for (State::Watch& watch : m_state->watches)
        if (std::exchange(watch.due, false))
            due.push_back(watch.changed);
    for (const auto& changed : due)
        changed();
    return true;
}

bool Network::route(const streams::Inbound& message)
{
    std::vector<std::size_t> takers;
    for (const State::Handler& handler : m_state->handlers)
        if (message.subject.compare(0, handler.fixed, handler.subject, 0, handler.fixed) == 0
            && subjects::matches(handler.subject, message.subject))
            takers.push_back(handler.number);
    for (const std::size_t number : takers) {
        // A handler may end another one's subscription while it runs.
        const auto found = std::find_if(m_state->handlers.begin(),
            m_state->handlers.end(),
            [&](const State::Handler& handler) { return handler.number == number; });
        if (found != m_state->handlers.end())
            found->handler->onMessage(message);
    }
    return !takers.empty();
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
    route({message.subject, message.reply, message.headers, message.payload, &broker});
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
    const std::size_t number = m_state->next++;
    m_state->watches.push_back({std::string(subject), std::move(changed), number, false});
    return std::make_unique<End>([state = m_state, number] {
        std::erase_if(
            state->watches, [&](const State::Watch& watch) { return watch.number == number; });
    });
}

streams::RegistrationPtr Network::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    const std::size_t number = m_state->next++;
    const std::size_t fixed = std::min(subject.find_first_of("*>"), subject.size());
    m_state->handlers.push_back(
        {std::string(subject), std::string(queue), fixed, &handler, number});
    return std::make_unique<End>([state = m_state, number] {
        std::erase_if(state->handlers,
            [&](const State::Handler& handler_) { return handler_.number == number; });
    });
}

} // namespace jetglass::simulation
