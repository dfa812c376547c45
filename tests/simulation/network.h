// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inner_routing.h"
#include "sim_random.h"
#include "streams/bus.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::simulation {

/// A message between a client and the broker.
struct Wire
{
    std::string subject;
    std::string reply;
    std::string headers;
    std::string payload;
    std::uint64_t operation = 0; ///< what the client wants with it
};

/// A client's connection: what is on its way in both directions. Going away loses it.
struct Peer
{
    ClientId id{};
    std::deque<Wire> toBroker;
    std::deque<Wire> inbox;
    std::vector<std::string> subjects; ///< that it subscribes to, kept over a reconnect
    bool connected = false;
};

/// The routing of one account, and the ways to its clients.
class Network final : public streams::Bus
{
public:
    explicit Network(Random& random);
    ~Network() override;

    // --- the world's side
    std::vector<Peer> peers;
    /// Hears of what leaves the broker: answers (\a route = their subject) even if nobody is there
    /// to take them, deliveries only if somebody is.
    std::function<void(std::string_view route, const streams::Outbound& message)> leaving;
    /// The end of a turn: what it had to say goes out, unless the process has died.
    void send(bool dead);

    void connect(Peer& peer);
    void disconnect(Peer& peer); ///< what is under way is lost
    void subscribe(Peer& peer, const std::string& subject);
    void unsubscribe(Peer& peer, const std::string& subject);
    /// Hands one message of a client to the broker; false if nobody in it listens.
    bool hand(const Peer& peer, const Wire& message);
    /// Calls back the watches that changed since; true if there were some.
    bool callWatches() { return m_inner.callWatches(); }
    [[nodiscard]] bool hasStaged() const { return !m_staged.empty(); }

    // --- Bus
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
    /// Who of those that are there takes it; null if nobody does.
    Peer* takerOf(std::string_view route);
    void stage(std::string_view route, const streams::Outbound& message);

    struct Staged
    {
        std::string route;
        Wire wire;
    };

    Random& m_random;
    std::vector<Staged> m_staged;
    tests::InnerRouting m_inner;
};

} // namespace jetglass::simulation
