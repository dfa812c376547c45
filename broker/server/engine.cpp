// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/engine.h"

#include "protocol/handshake_json.h"
#include "server/account.h"
#include "server/account_imports.h"
#include "server/client.h"
#include "server/outbox.h"
#include "server/random.h"
#include "streams/context.h"

#include <algorithm>
#include <deque>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>

namespace jetglass::server {

namespace {

constexpr std::int64_t kLongestGap = 1'000'000'000;
constexpr std::int64_t kLongestSettling = 200'000'000;

/// So many subscriptions of a closed client end between two turns: about 1 ms.
constexpr std::size_t kEndedPart = 1000;

} // namespace

struct Engine::Private
{
    Private(base::TimerQueue& timers,
        std::function<void()> closeNext,
        std::function<void()> endSettling)
        : lameDuckTimer(timers, std::move(closeNext))
        , settleTimer(timers, std::move(endSettling))
    {
    }

    ChunkPool chunks; // goes last: clients give their chunks back
    std::map<std::string, std::unique_ptr<Account>, std::less<>> accounts;
    std::unique_ptr<AccountImports> imports; // goes before the accounts
    Account* global = nullptr;
    Account* system = nullptr;
    std::unordered_map<std::uint32_t, std::unique_ptr<Client>> clients;
    std::vector<std::unique_ptr<Client>> graveyard; ///< closed in this turn
    std::deque<std::unique_ptr<Client>> leaving; ///< closed with subscriptions still to end
    std::vector<Client*> toFlush;
    std::vector<Client*> flushing;
    std::deque<ConnectionRecord> closedRecords;
    std::vector<ConnectionRecord> gone; ///< the observer is told at the end of the turn
    std::uint32_t lastClientId = 0;
    bool sweeping = false; ///< some account has ended subscriptions left in its tree

    base::Timer lameDuckTimer;
    std::int64_t lameDuckGap = 0;
    bool lameDuckClosing = false;
    std::function<void()> lameDuckDone;

    base::Timer settleTimer;
    std::size_t unsettled = 0; ///< clients that settle() still waits for
    std::function<void()> settled;
};

Engine::Engine(EngineContext context,
    BrokerConfig config,
    ServerIdentity identity,
    std::shared_ptr<const accounts::Authenticator> authenticator)
    : m_context(context)
    , m_config(std::move(config))
    , m_identity(std::move(identity))
    , m_authenticator(std::move(authenticator))
    , m_startTime(context.realTimers.clock().wallTime())
    , m(std::make_unique<Private>(
          context.realTimers, [this] { closeNextLameDuck(); }, [this] { endSettling(); }))
{
    m_tracing = m_context.log.wants(base::LogLevel::Trace);
    m->imports = std::make_unique<AccountImports>(*this);
    m->global = &account("$G");
    applyAccounts();
}

void Engine::applyAccounts()
{
    m->system = &account(m_config.auth.systemAccount);
    const auto set = [this](const std::string& name,
                         const std::vector<MappingConfig>& mappings,
                         const AccountConfig& limits) {
        Account& one = account(name);
        auto compiled = SubjectMappings::compile(mappings);
        one.setMappings(compiled ? std::move(*compiled) : SubjectMappings());
        one.setLimits(limits.maxConnections, limits.maxSubscriptions, limits.maxPayload);
    };
    set(m->global->name(), m_config.mappings, AccountConfig{});
    m->global->setTrace({}, 0);
    for (const AccountConfig& config : m_config.accounts) {
        const bool global = config.name == m->global->name();
        set(config.name,
            global && config.mappings.empty() ? m_config.mappings : config.mappings,
            config);
        account(config.name).setTrace(config.traceDestination, config.traceSampling);
    }
    m->imports->apply(m_config);
}

void Engine::settle(std::function<void()> done)
{
    m->settled = std::move(done);
    m->unsettled = 0;
    for (Client* client : clients())
        m->unsettled += static_cast<std::size_t>(client->sound());
    if (m->unsettled == 0)
        endSettling();
    else
        m->settleTimer.arm(m_context.realTimers.clock().now() + kLongestSettling);
}

void Engine::sounded()
{
    if (m->unsettled > 0 && --m->unsettled == 0)
        endSettling();
}

void Engine::endSettling()
{
    m->unsettled = 0;
    m->settleTimer.disarm();
    if (const auto done = std::exchange(m->settled, {}))
        done();
}

void Engine::interestLost(const Account& account, std::string_view pattern)
{
    m->imports->interestLost(account, pattern);
}

void Engine::setObserver(EngineObserver* observer)
{
    m_observer = observer;
    if (m_observer == nullptr)
        return;
    for (Account* account : accounts())
        m_observer->accountMade(*account);
}

Engine::~Engine()
{
    closeAll(CloseReason::ServerShutdown);
    m->graveyard.clear();
    m->leaving.clear();
    m->clients.clear();
}

void Engine::setOffload(Offload offload)
{
    m_offload = std::move(offload);
}

void Engine::setIdentity(ServerIdentity identity)
{
    m_identity = std::move(identity);
}

void Engine::offload(std::function<void()> work, std::function<void()> done)
{
    m_offload(std::move(work), std::move(done));
}

ChunkPool& Engine::chunkPool()
{
    return m->chunks;
}

std::int64_t Engine::realWall() const
{
    return m_context.realTimers.clock().wallTime();
}

// --- accounts

Account& Engine::account(std::string_view name)
{
    const auto it = m->accounts.find(name);
    if (it != m->accounts.end())
        return *it->second;
    auto account = std::make_unique<Account>(*this, std::string(name));
    account->setCached(!m_config.noSublistCache);
    Account& made = *m->accounts.emplace(std::string(name), std::move(account)).first->second;
    if (m_observer != nullptr)
        m_observer->accountMade(made);
    return made;
}

Account& Engine::globalAccount()
{
    return *m->global;
}

Account& Engine::systemAccount()
{
    return *m->system;
}

std::vector<Account*> Engine::accounts() const
{
    std::vector<Account*> all;
    for (const auto& entry : m->accounts)
        all.push_back(entry.second.get());
    return all;
}

// --- clients

Client* Engine::connect(std::shared_ptr<Link> link)
{
    // Numbers are never used twice, refused connections have one too.
    const ClientId id{++m->lastClientId};
    ++m_counts.totalConnections;
    auto owned = std::make_unique<Client>(*this, id, std::move(link));
    Client& client = *owned;
    const bool full = static_cast<std::int64_t>(m->clients.size()) >= m_config.maxConnections;
    m->clients.emplace(m->lastClientId, std::move(owned));
    client.start();
    if (full && !client.isClosed())
        client.fail("maximum connections exceeded", CloseReason::MaxConnectionsExceeded);
    return client.isClosed() ? nullptr : &client;
}

Client* Engine::client(ClientId id) const
{
    const auto it = m->clients.find(static_cast<std::uint32_t>(id));
    return it == m->clients.end() ? nullptr : it->second.get();
}

std::vector<Client*> Engine::clients() const
{
    std::vector<Client*> all;
    all.reserve(m->clients.size());
    for (const auto& entry : m->clients)
        all.push_back(entry.second.get());
    std::sort(
        all.begin(), all.end(), [](const Client* a, const Client* b) { return a->id() < b->id(); });
    return all;
}

bool Engine::kick(ClientId id)
{
    Client* found = client(id);
    if (found == nullptr)
        return false;
    found->close(CloseReason::Kicked, CloseMode::Flush);
    return true;
}

bool Engine::announceLameDuck(ClientId id)
{
    Client* found = client(id);
    if (found == nullptr || !found->takesAsyncInfo())
        return false;
    const bool before = std::exchange(m_lameDuck, true);
    found->sendInfo(infoJson(found));
    m_lameDuck = before;
    return true;
}

void Engine::needsFlush(Client& client)
{
    m->toFlush.push_back(&client);
}

void Engine::trimClosed()
{
    const auto most =
        static_cast<std::size_t>(std::max<std::int64_t>(0, m_config.maxClosedClients));
    while (m->closedRecords.size() > most)
        m->closedRecords.pop_front();
}

void Engine::closed(Client& client)
{
    const auto it = m->clients.find(static_cast<std::uint32_t>(client.id()));
    if (it == m->clients.end())
        return;
    ConnectionRecord record = client.record();
    record.stop = realWall();
    if (m_observer != nullptr && client.wasAnnounced())
        m->gone.push_back(record);
    m->closedRecords.push_back(std::move(record));
    trimClosed();
    m->graveyard.push_back(std::move(it->second));
    m->clients.erase(it);
}

// --- the turn

void Engine::beginTurn()
{
    m_context.clock.refresh();
    m_context.realTimers.clock().refresh();
}

void Engine::endTurn()
{
    m->sweeping = false;
    letLeave();
    for (const auto& entry : m->accounts)
        entry.second->endTurn();
    m_context.turn.run();
    flushClients();
    m_context.hub.endTurn();
    for (const auto& entry : m->accounts)
        m->sweeping = entry.second->sweep() || m->sweeping;
    reapClosed();
    m->imports->endTurn();
}

void Engine::flushClients()
{
    m->flushing.swap(m->toFlush);
    for (Client* client : m->flushing)
        client->flush();
    m->flushing.clear();
}

void Engine::reapClosed()
{
    if (m->graveyard.empty())
        return;
    // A closed client may still stand in the list of those to flush.
    std::erase_if(m->toFlush, [](const Client* client) { return client->isClosed(); });
    auto dead = std::exchange(m->graveyard, {});
    tellGone();
    for (auto& client : dead) {
        if (!client->subscriptions().empty())
            m->leaving.push_back(std::move(client));
    }
    if (m_lameDuck && m->clients.empty() && m->lameDuckDone) {
        m->lameDuckTimer.disarm();
        std::exchange(m->lameDuckDone, nullptr)();
    }
}

/// A client with a million subscriptions must not hold up the others when it goes.
void Engine::letLeave()
{
    if (m->leaving.empty())
        return;
    if (!m->leaving.front()->endSome(kEndedPart))
        m->leaving.pop_front();
    // glibc joins small freed pieces when somebody asks for a larger one. Left to chance, that
    // comes once for hundreds of thousands of them and takes half a second.
    constexpr std::size_t kLarger = 4096;
    void* volatile page = ::operator new(kLarger); // volatile: or the compiler leaves out both
    ::operator delete(page);
}

/// Events about ends are published when nothing is being routed any more.
void Engine::tellGone()
{
    const auto gone = std::exchange(m->gone, {});
    for (const ConnectionRecord& record : gone) {
        if (m_observer != nullptr)
            m_observer->clientGone(record);
    }
}

bool Engine::pending() const
{
    return m_context.turn.pending() || m->sweeping || !m->toFlush.empty() || !m->leaving.empty();
}

// --- life

void Engine::reload(
    const BrokerConfig& config, std::shared_ptr<const accounts::Authenticator> authenticator)
{
    m_config = config;
    m_authenticator = std::move(authenticator);
    m_tracing = m_context.log.wants(base::LogLevel::Trace);
    trimClosed();
    for (const auto& entry : m->accounts)
        entry.second->setCached(!m_config.noSublistCache);
    applyAccounts();
    for (Client* client : clients()) {
        client->applyLimits();
        client->reauthenticate();
    }
    enforceMaxConnections();
}

void Engine::enforceMaxConnections()
{
    const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(0, m_config.maxConnections));
    auto open = clients();
    while (open.size() > limit) {
        const std::size_t unlucky = randomBelow(open.size());
        open[unlucky]->fail("maximum connections exceeded", CloseReason::MaxConnectionsExceeded);
        open[unlucky] = open.back();
        open.pop_back();
    }
}

void Engine::lameDuck(std::function<void()> done)
{
    if (m_lameDuck)
        return;
    m_lameDuck = true;
    if (m->clients.empty()) {
        done();
        return;
    }
    m->lameDuckDone = std::move(done);
    for (Client* client : clients()) {
        if (client->takesAsyncInfo())
            client->sendInfo(infoJson(client));
    }
    m->lameDuckTimer.arm(m_context.realTimers.clock().now() + m_config.lameDuckGrace);
}

void Engine::closeNextLameDuck()
{
    auto open = clients();
    if (open.empty())
        return; // reapClosed() ends it
    if (!m->lameDuckClosing) {
        m->lameDuckClosing = true;
        m_context.log.info("Closing existing clients");
        const std::int64_t spread =
            std::max<std::int64_t>(0, m_config.lameDuckDuration - m_config.lameDuckGrace);
        m->lameDuckGap = std::min(kLongestGap, spread / static_cast<std::int64_t>(open.size()));
    }
    open[randomBelow(open.size())]->close(CloseReason::ServerShutdown, CloseMode::Flush);
    const auto gap = static_cast<std::size_t>(std::max<std::int64_t>(1, m->lameDuckGap));
    m->lameDuckTimer.arm(m_context.realTimers.clock().now()
        + static_cast<std::int64_t>(gap / 2 + randomBelow(gap / 2 + 1)));
}

void Engine::closeAll(CloseReason reason)
{
    for (Client* client : clients())
        client->close(reason, CloseMode::Flush);
}

// --- numbers

EngineCounts Engine::counts() const
{
    EngineCounts counts = m_counts;
    counts.connections = m->clients.size();
    return counts;
}

std::vector<ConnectionRecord> Engine::closedConnections() const
{
    return {m->closedRecords.begin(), m->closedRecords.end()};
}

std::string Engine::infoJson(const Client* client) const
{
    protocol::ServerInfo info;
    info.serverId = m_identity.id;
    info.serverName = m_identity.name;
    info.version = streams::kNatsVersion;
    info.host = m_identity.host;
    info.port = m_identity.port;
    info.headers = !m_config.noHeaderSupport;
    info.authRequired = m_authenticator->announced();
    info.maxPayload = m_config.maxPayload;
    info.jetstream = m_config.jetstream.enabled;
    info.apiLevel = streams::kApiLevel;
    info.domain = m_config.jetstream.enabled ? m_config.jetstream.domain : std::string();
    info.lameDuck = m_lameDuck;
    if (!m_config.clientAdvertise.empty())
        info.connectUrls.push_back(m_config.clientAdvertise);
    if (client != nullptr) {
        const LinkFacts& link = client->linkFacts();
        if (!link.host.empty()) {
            info.host = link.host;
            info.port = link.port;
        }
        if (link.auth.overrides())
            info.authRequired = link.auth.noAuthUser.empty();
        info.tlsRequired = link.tlsRequired;
        info.tlsAvailable = link.tlsAvailable;
        info.tlsVerify = link.tlsVerify;
        info.clientId = static_cast<std::uint64_t>(client->id());
        info.clientIp = client->peerHost();
        info.nonce = client->nonce();
        if (client->takesAsyncInfo()) {
            info.connectInfo = true;
            info.remoteAccount = client->account()->name();
            info.accountIsSystem = client->account() == m->system;
        }
    }
    return protocol::infoText(info);
}

} // namespace jetglass::server
