// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inner_routing.h"
#include "streams/bus.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::tests {

/// A message that left through the bus.
struct Sent
{
    std::string subject;
    std::string reply;
    std::string headers;
    std::string payload;
    std::string route; ///< for deliver(); empty for publish()
};

/// Routing for tests: keeps what was published and delivered, hands published messages to
/// subscribed handlers, and lets a test play the clients outside: addClient() makes interest,
/// publish from one with inject().
class FakeBus final : public streams::Bus
{
public:
    // --- the test's side
    /// A client subscription; deliver() to a matching route reaches it.
    void addClient(std::string subject, std::string queue = {}, ClientId id = ClientId{7});
    void removeClient(std::string_view subject, std::string_view queue = {});
    /// A publish by a client: goes to the handlers inside the broker. True if one took it.
    bool inject(std::string_view subject,
        std::string_view payload,
        std::string_view reply = {},
        std::string_view headers = {},
        ClientId client = ClientId{7});
    /// Calls back the watches that changed since, as the engine does after a turn.
    void callWatches() { m_inner.callWatches(); }
    [[nodiscard]] const std::vector<Sent>& published() const { return m_published; }
    [[nodiscard]] const std::vector<Sent>& delivered() const { return m_delivered; }
    /// Payload of the newest message published to the subject; empty if none.
    [[nodiscard]] std::string lastPayload(std::string_view subject) const;
    [[nodiscard]] std::size_t countPublished(std::string_view pattern) const;
    void clear();
    /// What every connection says that it is.
    void nameClients(std::string name) { m_clientName = std::move(name); }

    // --- Bus
    [[nodiscard]] std::string clientName(ClientId) const override { return m_clientName; }
    void publish(const streams::Outbound& message) override;
    bool deliver(
        std::string_view route, const streams::Outbound& message, ClientId* taker) override;
    [[nodiscard]] bool hasInterest(std::string_view subject) const override;
    [[nodiscard]] bool hasExactInterest(
        std::string_view subject, std::string_view queue) const override;
    streams::RegistrationPtr watchInterest(
        std::string_view subject, std::function<void()> changed) override;
    streams::RegistrationPtr subscribe(std::string_view subject,
        std::string_view queue,
        streams::MessageHandler& handler) override;

private:
    struct Client
    {
        std::string subject;
        std::string queue;
        ClientId id{};
    };

    InnerRouting m_inner;
    std::vector<Client> m_clients;
    std::string m_clientName;
    std::vector<Sent> m_published;
    std::vector<Sent> m_delivered;
};

} // namespace jetglass::tests
