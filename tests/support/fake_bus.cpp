// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_bus.h"

#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::tests {

void FakeBus::addClient(std::string subject, std::string queue, ClientId id)
{
    m_inner.note(subject);
    m_clients.push_back({std::move(subject), std::move(queue), id});
}

void FakeBus::removeClient(std::string_view subject, std::string_view queue)
{
    m_inner.note(subject);
    std::erase_if(m_clients,
        [&](const Client& client) { return client.subject == subject && client.queue == queue; });
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
    return m_inner.route({subject, reply, headers, payload, &sender});
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
    m_inner.route({message.subject, message.reply, message.headers, message.payload, &broker});
}

bool FakeBus::deliver(std::string_view route, const streams::Outbound& message, ClientId* taker)
{
    bool taken = false;
    for (const Client& client : m_clients) {
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
    return std::any_of(m_clients.begin(), m_clients.end(), [&](const Client& client) {
        return subjects::matches(client.subject, subject);
    });
}

bool FakeBus::hasExactInterest(std::string_view subject, std::string_view queue) const
{
    return std::any_of(m_clients.begin(), m_clients.end(), [&](const Client& client) {
        return client.subject == subject && client.queue == queue;
    });
}

streams::RegistrationPtr FakeBus::watchInterest(
    std::string_view subject, std::function<void()> changed)
{
    return m_inner.watch(subject, std::move(changed));
}

streams::RegistrationPtr FakeBus::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    return m_inner.subscribe(subject, queue, handler);
}

} // namespace jetglass::tests
