// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_bus.h"

#include "subjects/subject.h"

#include <algorithm>
#include <set>

namespace jetglass::tests {

struct FakeBus::State
{
    struct Client
    {
        std::string subject;
        std::string queue;
        ClientId id{};
    };
    struct Handler
    {
        std::string subject;
        std::string queue;
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
    std::vector<Client> clients;
    std::vector<Handler> handlers;
    std::vector<Watch> watches;
    std::size_t next = 1;

    void note(std::string_view subject)
    {
        for (Watch& watch : watches)
            if (watch.subject == subject)
                watch.due = true;
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

} // namespace

FakeBus::FakeBus()
    : m_state(std::make_shared<State>())
{
}

FakeBus::~FakeBus() = default;

void FakeBus::addClient(std::string subject, std::string queue, ClientId id)
{
    m_state->note(subject);
    m_state->clients.push_back({std::move(subject), std::move(queue), id});
}

void FakeBus::removeClient(std::string_view subject, std::string_view queue)
{
    m_state->note(subject);
    std::erase_if(m_state->clients, [&](const State::Client& client) {
        return client.subject == subject && client.queue == queue;
    });
}

bool FakeBus::inject(std::string_view subject,
    std::string_view payload,
    std::string_view reply,
    std::string_view headers,
    ClientId client)
{
    streams::Sender sender;
    sender.id = client;
    sender.account = "$G";
    return route({subject, reply, headers, payload, &sender});
}

bool FakeBus::route(const streams::Inbound& message)
{
    std::set<std::string> served;
    std::vector<std::size_t> takers;
    for (const State::Handler& handler : m_state->handlers) {
        if (!subjects::matches(handler.subject, message.subject))
            continue;
        if (!handler.queue.empty() && !served.insert(handler.queue).second)
            continue;
        takers.push_back(handler.number);
    }
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

void FakeBus::callWatches()
{
    std::vector<std::function<void()>> due;
    for (State::Watch& watch : m_state->watches) {
        if (watch.due)
            due.push_back(watch.changed);
        watch.due = false;
    }
    for (const auto& changed : due)
        changed();
}

std::string FakeBus::lastPayload(std::string_view subject) const
{
    for (auto it = m_published.rbegin(); it != m_published.rend(); ++it)
        if (it->subject == subject)
            return it->payload;
    return {};
}

std::size_t FakeBus::countPublished(std::string_view pattern) const
{
    return static_cast<std::size_t>(std::count_if(m_published.begin(),
        m_published.end(),
        [&](const Sent& sent) { return subjects::matches(pattern, sent.subject); }));
}

void FakeBus::clear()
{
    m_published.clear();
    m_delivered.clear();
}

void FakeBus::publish(const streams::Outbound& message)
{
    m_published.push_back({std::string(message.subject),
        std::string(message.reply),
        std::string(message.headers),
        std::string(message.payload),
        {}});
    const streams::Sender broker{};
    route({message.subject, message.reply, message.headers, message.payload, &broker});
}

bool FakeBus::deliver(std::string_view route, const streams::Outbound& message, ClientId* taker)
{
    bool taken = false;
    for (const State::Client& client : m_state->clients) {
        if (!subjects::matches(client.subject, route))
            continue;
        taken = true;
        if (taker)
            *taker = client.id;
    }
    if (taken)
        m_delivered.push_back({std::string(message.subject),
            std::string(message.reply),
            std::string(message.headers),
            std::string(message.payload),
            std::string(route)});
    return taken;
}

bool FakeBus::hasInterest(std::string_view subject) const
{
    return std::any_of(m_state->clients.begin(),
        m_state->clients.end(),
        [&](const State::Client& client) { return subjects::matches(client.subject, subject); });
}

bool FakeBus::hasExactInterest(std::string_view subject, std::string_view queue) const
{
    return std::any_of(
        m_state->clients.begin(), m_state->clients.end(), [&](const State::Client& client) {
            return client.subject == subject && client.queue == queue;
        });
}

streams::RegistrationPtr FakeBus::watchInterest(
    std::string_view subject, std::function<void()> changed)
{
    const std::size_t number = m_state->next++;
    m_state->watches.push_back({std::string(subject), std::move(changed), number, false});
    return std::make_unique<End>([state = m_state, number] {
        std::erase_if(
            state->watches, [&](const State::Watch& watch) { return watch.number == number; });
    });
}

streams::RegistrationPtr FakeBus::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    const std::size_t number = m_state->next++;
    m_state->handlers.push_back({std::string(subject), std::string(queue), &handler, number});
    return std::make_unique<End>([state = m_state, number] {
        std::erase_if(state->handlers,
            [&](const State::Handler& handler_) { return handler_.number == number; });
    });
}

} // namespace jetglass::tests
