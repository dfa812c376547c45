// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/message_head.h"
#include "server/records.h"
#include "server/subject_mappings.h"
#include "streams/bus.h"
#include "subjects/subject_tree.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::server {

class Account;
class AccountLink;
class Client;
class Engine;
struct LinkEnd;
class MessageTrace;
struct Subscription;

/// A message on its way through the router. Views live for the call.
struct Routed
{
    std::string_view subject; ///< what it is matched by
    std::string_view wireSubject; ///< what receivers see; the same but for deliveries of consumers
    std::string_view reply;
    std::string_view headers;
    std::string_view payload;
    Client* from = nullptr; ///< null = the broker itself
    bool toHandlers = true; ///< false: only to clients
    const protocol::MessageHead* head = nullptr; ///< the router's own
    MessageTrace* trace = nullptr; ///< whoever is reached is told to it; most often null
    MessageTrace* exported = nullptr; ///< the same of what came out of another account
    Account* origin = nullptr; ///< whose stream it was imported from; null = nobody else's
};

/// One account: its subscriptions and the routing of messages between them. From one account to
/// another only its imports lead. Owned by the engine. Broker thread only. Invariant: a
/// subscription that was ended during routing gets nothing more, its memory stays until routing is
/// over.
class Account final : public streams::Bus
{
public:
    Account(Engine& engine, std::string name);
    ~Account() override;

    [[nodiscard]] const std::string& name() const { return m_name; }
    /// Clients of this account, for statistics.
    [[nodiscard]] std::size_t clientCount() const { return m_clients; }
    [[nodiscard]] MatcherCounts matcherCounts() const;
    /// Subscriptions of clients and of the broker itself (client id 0).
    void forEachSubscription(const std::function<void(const SubscriptionRecord&)>& visit) const;

    /// Sends a message to all plain subscribers and one member per queue group; returns how many
    /// took it. \a taker gets the connection of the last client that took it.
    std::size_t route(const Routed& message, ClientId* taker = nullptr);

    void insert(Subscription& subscription);
    /// Ends it; its memory belongs to the account from here on.
    void remove(std::unique_ptr<Subscription> subscription);
    /// A link by which another account takes messages of this one.
    void addTaker(AccountLink& link) { m_takers.push_back(&link); }
    /// A link by which this account takes messages of another one.
    void addSource(AccountLink& link) { m_sources.push_back(&link); }
    void removeLink(AccountLink& link);
    /// Where messages on this literal subject leave for other accounts.
    [[nodiscard]] std::vector<LinkEnd> linkEnds(std::string_view subject) const;
    /// Somebody's interest in these subjects may have changed.
    void touchedWhere(const std::function<bool(std::string_view)>& concerns);
    /// Whether results of matching are remembered.
    void setCached(bool cached) { m_cached = cached; }
    /// What the configuration says of this account.
    void setMappings(SubjectMappings mappings) { m_mappings = std::move(mappings); }
    [[nodiscard]] const SubjectMappings& mappings() const { return m_mappings; }
    /// Where the ways of messages with a trace parent are told, and of how many in a hundred.
    void setTrace(std::string destination, int sampling)
    {
        m_traceDestination = std::move(destination);
        m_traceSampling = sampling;
    }
    [[nodiscard]] const std::string& traceDestination() const { return m_traceDestination; }
    [[nodiscard]] int traceSampling() const { return m_traceSampling; }
    /// Negative = no limit of the account's own.
    void setLimits(std::int64_t connections, std::int64_t subscriptions, std::int64_t payload)
    {
        m_maxConnections = connections;
        m_maxSubscriptions = subscriptions;
        m_maxPayload = payload;
    }
    [[nodiscard]] std::int64_t maxSubscriptions() const { return m_maxSubscriptions; }
    [[nodiscard]] std::int64_t maxPayload() const { return m_maxPayload; }
    [[nodiscard]] bool isFull() const
    {
        return m_maxConnections >= 0 && static_cast<std::int64_t>(m_clients) >= m_maxConnections;
    }
    void joined() { ++m_clients; }
    /// With what was received from it and sent to it, which the account goes on counting.
    void left(const Traffic& in, const Traffic& out)
    {
        --m_clients;
        m_leftIn.add(in);
        m_leftOut.add(out);
    }
    /// What a client of this account got was imported: it counts as sent by \a exporter.
    void sentFor(Account& exporter, std::uint64_t bytes)
    {
        exporter.m_leftOut.add({1, bytes});
        // Modulo 2^64, as all that is counted here: it stands in the client's own figures.
        m_leftOut.add({std::uint64_t(0) - 1, std::uint64_t(0) - bytes});
    }
    [[nodiscard]] const Traffic& leftIn() const { return m_leftIn; }
    [[nodiscard]] const Traffic& leftOut() const { return m_leftOut; }

    /// Calls back the watchers of subjects whose subscriptions changed. Once per turn.
    void endTurn();
    /// Takes a bounded part of what many ended subscriptions left in the tree; true if there is
    /// more.
    bool sweep();

    // --- Bus
    void publish(const streams::Outbound& message) override;
    bool deliver(
        std::string_view route, const streams::Outbound& message, ClientId* taker) override;
    [[nodiscard]] bool hasInterest(std::string_view subject) const override;
    [[nodiscard]] bool hasExactInterest(
        std::string_view subject, std::string_view queue) const override;
    [[nodiscard]] std::string clientName(ClientId client) const override;
    streams::RegistrationPtr watchInterest(
        std::string_view subject, std::function<void()> changed) override;
    streams::RegistrationPtr subscribe(std::string_view subject,
        std::string_view queue,
        streams::MessageHandler& handler) override;

private:
    class Watch;
    class HandlerRegistration;
    std::size_t routeMatched(
        const subjects::SubjectTree::Match& match, const Routed& message, ClientId* taker);
    std::size_t routeToGroups(
        const subjects::SubjectTree::Match& match, const Routed& message, ClientId* taker);
    bool routeToGroup(
        std::span<const subjects::TreeGroup* const> parts, const Routed& message, ClientId* taker);
    bool deliverTo(Subscription& subscription, const Routed& message, ClientId* taker);
    bool tellExport(const Subscription& subscription, const Routed& message) const;
    bool showWay(Subscription& subscription, const Routed& message);
    void tellService(const Subscription& subscription, const Routed& message) const;
    void tracePublish(const streams::Outbound& message) const;
    void touched(std::string_view subject);
    void note(const std::vector<std::weak_ptr<Watch>>& watches);
    void reap(std::size_t limit);

    Engine& m_engine;
    std::string m_name;
    mutable subjects::SubjectTree m_tree;
    std::size_t m_clients = 0;
    Traffic m_leftIn; ///< of clients that have gone
    Traffic m_leftOut;
    std::int64_t m_maxConnections = -1;
    std::int64_t m_maxSubscriptions = -1;
    std::int64_t m_maxPayload = -1;
    SubjectMappings m_mappings;
    std::string m_traceDestination;
    int m_traceSampling = 100;
    bool m_cached = true;
    std::vector<std::unique_ptr<protocol::MessageHead>>
        m_heads; ///< one per depth of nested routing
    std::size_t m_depth = 0;
    std::size_t m_removedAtOnce = 0; ///< in this turn
    streams::Sender m_broker; ///< the sender of what the broker itself publishes
    std::vector<std::unique_ptr<Subscription>> m_ended;
    std::map<std::string, std::vector<std::weak_ptr<Watch>>, std::less<>> m_watches;
    std::vector<std::weak_ptr<Watch>> m_touched;
    std::vector<AccountLink*> m_takers;
    std::vector<AccountLink*> m_sources;
};

} // namespace jetglass::server
