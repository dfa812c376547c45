// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/broker_core.h"

#include "accounts/authenticator.h"
#include "accounts/nkey.h"
#include "host/address_text.h"
#include "host/start_log.h"
#include "server/account.h"
#include "server/account_imports.h"
#include "server/client.h"

#include <utility>

namespace jetglass::host {

namespace {

std::shared_ptr<const accounts::Authenticator> authenticatorOf(const BrokerConfig& config)
{
    return std::make_shared<const accounts::Authenticator>(config.auth);
}

constexpr const char* kLabAccount = "$G";
constexpr const char* kClockKey = "clock";

server::ServerIdentity identityOf(const BrokerConfig& config)
{
    server::ServerIdentity identity;
    identity.id = accounts::newServerId();
    identity.name = config.serverName.empty() ? identity.id : config.serverName;
    identity.host = shownHost(config.host);
    return identity;
}

} // namespace

BrokerCore::BrokerCore(
    BrokerConfig config, base::Log& log, std::unique_ptr<store::FileSystem> files)
    : m_config(std::move(config))
    , m_log(log)
    , m_clock(m_labSource)
    , m_timers(m_clock)
    , m_realTimers(m_realClock)
    , m_hub(m_clock)
    , m_gates(m_timers, m_hub)
    , m_loop(std::make_unique<net::EventLoop>(m_timers, m_realTimers))
    , m_storeWorker([this](std::function<void()> task) { m_loop->post(std::move(task)); })
    , m_authWorker([this](std::function<void()> task) { m_loop->post(std::move(task)); })
    , m_engine(std::make_unique<server::Engine>(
          server::EngineContext{m_clock, m_realTimers, m_hub, m_turn, m_log},
          m_config,
          identityOf(m_config),
          authenticatorOf(m_config)))
    , m_jetstream(std::make_unique<JetStreamHost>(
          JetStreamParts{
              m_clock, m_timers, m_hub, m_gates, m_turn, m_storeWorker, *m_engine, m_log},
          m_config,
          std::move(files)))
{
    m_engine->setOffload([this](std::function<void()> work, std::function<void()> done) {
        m_authWorker.run(std::move(work), std::move(done));
    });
    m_gates.setOnFull([this](ClientId publisher) {
        if (server::Client* client = m_engine->client(publisher))
            client->holdBack([this] { return m_gates.full(); });
    });
    m_loop->setEngine(m_engine.get());
}

BrokerCore::~BrokerCore()
{
    release(false);
    m_authWorker.stop();
}

Result<void> BrokerCore::start()
{
    logStarting(m_log, m_config, m_engine->identity());
    if (auto bound = listen(); !bound)
        return bound;
    m_jetstream->setBeforeRecovery([this] { return restoreClock(); });
    if (m_config.jetstream.enabled) {
        if (auto recovered = m_jetstream->start(); !recovered)
            return recovered;
    }
    startSystem();
    if (m_config.lab)
        startLab();
    return {};
}

void BrokerCore::startSystem()
{
    m_configLoaded = m_realClock.wallTime();
    m_system.reset();
    m_system = std::make_unique<SystemAccount>(*this);
    m_system->setReload(m_reloadWish);
}

void BrokerCore::setReloadWish(std::function<void()> wish)
{
    m_reloadWish = std::move(wish);
    m_system->setReload(m_reloadWish);
}

/// Offset, rate and pause live in the catalog: stamps of a moved clock make no sense on another
/// one.
Result<void> BrokerCore::restoreClock()
{
    store::StoreFactory* stores = m_jetstream->stores(kLabAccount);
    if (stores == nullptr)
        return {};
    const auto saved = stores->catalog().value(kClockKey);
    if (!saved)
        return saved.error();
    if (!*saved || (*saved)->empty())
        return {};
    if (!m_config.lab)
        return Error{Errc::Unsupported,
            "Can't start JetStream: the clock of the store in " + m_jetstream->directory()
                + " was moved in the lab; start with --lab, and ask for $LAB.RESET to begin anew"};
    if (!m_clock.restore(**saved))
        m_log.warn("The saved clock of the lab cannot be read: time is the machine's");
    return {};
}

void BrokerCore::startLab()
{
    api::JetStream* jetstream = m_jetstream->account(kLabAccount);
    m_lab = std::make_unique<api::LabApi>(m_engine->account(kLabAccount),
        m_clock,
        m_gates,
        m_timers,
        m_turn,
        m_hub,
        jetstream != nullptr ? &jetstream->registry() : nullptr,
        api::LabHooks{[this](std::function<void()> task) { m_loop->post(std::move(task)); },
            [this] {
                if (store::StoreFactory* stores = m_jetstream->stores(kLabAccount))
                    stores->catalog().setValue(
                        kClockKey, m_clock.save(), [](const Result<void>&) {});
            },
            [this](std::function<void()> done) { m_engine->settle(std::move(done)); }});
}

Result<BrokerCore::Endpoints> BrokerCore::readEndpoints(const BrokerConfig& config)
{
    if (auto accounts = server::AccountImports::check(config); !accounts)
        return accounts.error();
    Endpoints endpoints;
    if (config.tls.enabled) {
        auto context = net::TlsContext::open(config.tls);
        if (!context)
            return context.error();
        endpoints.client.tls = *context;
    }
    if (config.websocket.enabled) {
        endpoints.webSocket.webSocket = config.websocket;
        if (config.websocket.tls.enabled) {
            auto context = net::TlsContext::open(config.websocket.tls);
            if (!context)
                return context.error();
            endpoints.webSocket.tls = *context;
        }
    }
    return endpoints;
}

Result<std::unique_ptr<net::Listener>> BrokerCore::listenOn(const std::string& host, int port)
{
    auto listener = net::Listener::open(*m_loop, host, port);
    if (listener)
        return listener;
    Error error = listener.error();
    error.text = "Error listening on port: " + addressText(shownHost(host), port) + ", \""
        + error.text + '"';
    return error;
}

Result<void> BrokerCore::listen()
{
    auto endpoints = readEndpoints(m_config);
    if (!endpoints)
        return endpoints.error();
    auto listener = listenOn(m_config.host, m_config.port);
    if (!listener)
        return listener.error();
    m_listener = std::move(*listener);
    if (const std::int64_t most = m_config.tls.connectionRate; most > 0)
        m_handshakes =
            std::make_shared<net::RateLimit>(most, m_realTimers, [this](std::uint64_t refused) {
                m_log.warn("Rejected " + std::to_string(refused)
                    + " connections due to TLS rate limiting");
            });
    endpoints->client.handshakes = m_handshakes;
    m_listener->setEndpoint(std::move(endpoints->client));
    m_host = m_listener->host();
    m_port = m_listener->port();
    if (m_config.websocket.enabled) {
        const WebSocketConfig& web = m_config.websocket;
        auto other = listenOn(web.host.empty() ? m_config.host : web.host, web.port);
        if (!other)
            return other.error();
        m_webSocketListener = std::move(*other);
        m_webSocketListener->setEndpoint(std::move(endpoints->webSocket));
    }
    server::ServerIdentity identity = m_engine->identity();
    identity.host = m_host;
    identity.port = m_port;
    m_engine->setIdentity(identity);
    return {};
}

std::string BrokerCore::webSocketHost() const
{
    return m_webSocketListener ? m_webSocketListener->host() : std::string();
}

std::uint16_t BrokerCore::webSocketPort() const
{
    return m_webSocketListener ? m_webSocketListener->port() : std::uint16_t{0};
}

void BrokerCore::run()
{
    m_listener->start(*m_engine);
    if (m_webSocketListener)
        m_webSocketListener->start(*m_engine);
    m_loop->run();
}

void BrokerCore::closeListener()
{
    if (m_listener)
        m_listener->close();
    if (m_webSocketListener)
        m_webSocketListener->close();
}

void BrokerCore::shutdown()
{
    closeListener();
    m_system->events().shutdown();
    m_jetstream->shutdown();
    m_engine->closeAll(server::CloseReason::ServerShutdown);
    m_loop->stop();
}

void BrokerCore::crash()
{
    closeListener();
    m_engine->closeAll(server::CloseReason::ServerShutdown);
    m_loop->stop();
}

void BrokerCore::lameDuck()
{
    if (m_engine->inLameDuck())
        return;
    m_log.info("Entering lame duck mode, stop accepting new clients");
    closeListener();
    m_system->events().lameDuck();
    m_jetstream->shutdown();
    m_engine->lameDuck([this] { m_loop->stop(); });
}

Result<void> BrokerCore::prepareReload(const BrokerConfig& config)
{
    auto endpoints = readEndpoints(config);
    if (!endpoints)
        return endpoints.error();
    m_nextEndpoints = std::move(*endpoints);
    return {};
}

void BrokerCore::reload(BrokerConfig config)
{
    m_config = std::move(config);
    if (m_nextEndpoints) {
        m_nextEndpoints->client.handshakes = m_handshakes;
        m_listener->setEndpoint(std::move(m_nextEndpoints->client));
        if (m_webSocketListener)
            m_webSocketListener->setEndpoint(std::move(m_nextEndpoints->webSocket));
        m_nextEndpoints.reset();
    }
    if (m_config.jetstream.enabled)
        m_jetstream->reload(m_config.jetstream);
    else if (m_jetstream->running())
        stopJetStream();
    m_engine->reload(m_config, authenticatorOf(m_config));
    if (m_config.jetstream.enabled && !m_jetstream->running())
        startJetStreamLate();
    startSystem(); // another account may be the system's now
}

/// The broker runs on without it if that fails.
void BrokerCore::startJetStreamLate()
{
    m_log.info("Restarting JetStream");
    if (auto started = m_jetstream->start(); !started) {
        m_log.warn(started.error().text);
        m_jetstream->release();
        m_config.jetstream.enabled = false; // for clients, and for the next reload to try again
        m_engine->reload(m_config, authenticatorOf(m_config));
    }
    restartLab();
}

/// Clients stay; what they ask of JetStream then has no responders.
void BrokerCore::stopJetStream()
{
    m_jetstream->shutdown();
    m_lab.reset(); // it knows the streams
    m_jetstream->release();
    restartLab();
}

void BrokerCore::restartLab()
{
    m_lab.reset();
    if (m_config.lab)
        startLab();
}

void BrokerCore::release(bool crashed)
{
    if (crashed)
        m_storeWorker.abandon();
    m_lab.reset();
    m_jetstream->release();
    m_storeWorker.stop();
}

} // namespace jetglass::host
