// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accounts/authenticator.h"
#include "base/log.h"
#include "base/timer_queue.h"
#include "broker/clock.h"
#include "broker/config.h"
#include "broker/ids.h"
#include "flow/flow_hub.h"
#include "server/link.h"
#include "server/records.h"
#include "streams/turn.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::server {

class Account;
class ChunkPool;
class Client;

/// What the engine works with; the host makes it all and it outlives the engine.
struct EngineContext
{
    Clock& clock; ///< JetStream's time: only stamps of flow events come from it
    base::TimerQueue&
        realTimers; ///< on a clock that is never bent: keep-alive, authentication, write deadline
    flow::FlowHub& hub;
    streams::Turn& turn;
    base::Log& log;
};

/// What INFO says beside the configuration.
struct ServerIdentity
{
    std::string id; ///< 56 characters, N...
    std::string name; ///< configured name or the id
    std::string host; ///< as bound
    std::uint16_t port = 0; ///< the real one
};

/// Told of what happens to connections and accounts; the host makes events of it.
class EngineObserver
{
public:
    virtual ~EngineObserver() = default;
    virtual void accountMade(Account& account) = 0;
    virtual void clientConnected(const Client& client) = 0; ///< by its first CONNECT
    virtual void clientGone(const ConnectionRecord& record) = 0; ///< one that had connected
    virtual void clientRefused(const Client& client) = 0; ///< wrong credentials
};

/// The core of the broker without sockets: accounts, clients, routing, limits, keep-alive.
/// Single-threaded. A turn is: beginTurn(), Client::receive() for what was read, endTurn().
class Engine
{
public:
    /// Runs \a work on some other thread, then \a done on the broker thread. Without one, work runs
    /// at once.
    using Offload = std::function<void(std::function<void()> work, std::function<void()> done)>;

    Engine(EngineContext context,
        BrokerConfig config,
        ServerIdentity identity,
        std::shared_ptr<const accounts::Authenticator> authenticator);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void setOffload(Offload offload);
    /// At most one; null to let it go. Told of the accounts that there are already.
    void setObserver(EngineObserver* observer);
    [[nodiscard]] EngineObserver* observer() const { return m_observer; }
    /// Makes what the system account's answers and traces tell of this server.
    void setServerCard(std::function<std::string()> make) { m_serverCard = std::move(make); }
    [[nodiscard]] std::string serverCard() const
    {
        return m_serverCard ? m_serverCard() : std::string("{}");
    }
    /// Before the first client: the port is known only after binding.
    void setIdentity(ServerIdentity identity);
    [[nodiscard]] const ServerIdentity& identity() const { return m_identity; }
    [[nodiscard]] const BrokerConfig& config() const { return m_config; }
    [[nodiscard]] EngineContext& context() { return m_context; }
    /// Clients write each operation to the log.
    [[nodiscard]] bool tracing() const { return m_tracing; }

    // --- accounts: $G, the system account and those of the configuration exist from the start,
    // others when first asked for
    Account& account(std::string_view name);
    Account& globalAccount();
    Account& systemAccount();
    [[nodiscard]] std::vector<Account*> accounts() const;

    // --- clients
    /// A peer has connected: sends INFO (and refuses it, if there are too many). Null if it was
    /// refused; then close() was called on the link. The engine owns the client.
    Client* connect(std::shared_ptr<Link> link);
    [[nodiscard]] Client* client(ClientId id) const;
    [[nodiscard]] std::vector<Client*> clients() const;
    bool kick(ClientId id);
    /// INFO with ldm:true to this client alone ($SYS.REQ.SERVER.<id>.LDM).
    bool announceLameDuck(ClientId id);

    // --- the turn
    void beginTurn(); ///< reads both clocks
    /// Interest changes, JetStream's turn, then one send per client. Fire due timers before.
    void endTurn();
    /// Work is left that should not wait for a socket: the loop must not sleep.
    [[nodiscard]] bool pending() const;

    // --- life
    /// Takes over what may change while running: credentials, permissions, limits, times. Clients
    /// that no longer authenticate are closed, subscriptions no longer allowed are ended. The host
    /// has checked the rest.
    void reload(
        const BrokerConfig& config, std::shared_ptr<const accounts::Authenticator> authenticator);
    /// INFO with ldm:true to all, after the grace period closes them one by one, then calls \a
    /// done. The host has closed the listener and JetStream. Without clients done is called at
    /// once.
    void lameDuck(std::function<void()> done);
    [[nodiscard]] bool inLameDuck() const { return m_lameDuck; }
    void closeAll(CloseReason reason);

    /// Calls \a done when all clients that got messages since the last call have answered a PING,
    /// and so have had the chance to ack; at once if there are none, and not later than after 200
    /// ms of real time. One at a time.
    void settle(std::function<void()> done);

    // --- numbers
    [[nodiscard]] EngineCounts counts() const;
    [[nodiscard]] std::int64_t startTime() const { return m_startTime; } ///< real wall ns
    [[nodiscard]] std::vector<ConnectionRecord> openConnections() const;
    [[nodiscard]] std::vector<ConnectionRecord>
    closedConnections() const; ///< the newest, oldest first
    [[nodiscard]] std::vector<SubscriptionRecord> subscriptionsOf(ClientId id) const;

    /// INFO's JSON for a client, without verb. \a client 0: as a stranger would see it.
    [[nodiscard]] std::string infoJson(const Client* client) const;

    // --- called by clients
    [[nodiscard]] ChunkPool& chunkPool();
    [[nodiscard]] std::int64_t realWall() const; ///< ns, as read at the start of the turn
    [[nodiscard]] std::shared_ptr<const accounts::Authenticator> authenticator() const
    {
        return m_authenticator;
    }
    [[nodiscard]] bool canOffload() const { return m_offload != nullptr; }
    void offload(std::function<void()> work, std::function<void()> done);
    void needsFlush(Client& client);
    /// A client of the account unsubscribed.
    void interestLost(const Account& account, std::string_view pattern);
    void closed(Client& client); ///< it stays in memory until its last subscription has ended
    void countIn(std::uint64_t bytes)
    {
        ++m_counts.in.messages;
        m_counts.in.bytes += bytes;
    }
    void countOut(std::uint64_t bytes)
    {
        ++m_counts.out.messages;
        m_counts.out.bytes += bytes;
    }
    void countSubscriptions(int change)
    {
        m_counts.subscriptions += static_cast<std::uint64_t>(change);
    }
    void sounded(); ///< a client that settle() waits for has answered or gone
    void noteSlowConsumer() { ++m_counts.slowConsumers; }
    void noteStaleConnection() { ++m_counts.staleConnections; }
    void noteStalledClient() { ++m_counts.stalledClients; }

private:
    struct Private;
    void trimClosed();
    void applyAccounts();
    void flushClients();
    void reapClosed();
    void letLeave();
    void tellGone();
    void closeNextLameDuck();
    void endSettling();
    void enforceMaxConnections();

    EngineContext m_context;
    BrokerConfig m_config;
    ServerIdentity m_identity;
    std::shared_ptr<const accounts::Authenticator> m_authenticator;
    Offload m_offload;
    EngineObserver* m_observer = nullptr;
    std::function<std::string()> m_serverCard; ///< JSON
    EngineCounts m_counts;
    std::int64_t m_startTime = 0;
    bool m_lameDuck = false;
    bool m_tracing = false;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::server
