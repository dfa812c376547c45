// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/broker_core.h"

#include "accounts/authenticator.h"
#include "accounts/nkey.h"
#include "host/address_text.h"
#include "host/start_log.h"
#include "server/account.h"

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
    identity.host = config.host;
    return identity;
}

} // namespace

BrokerCore::BrokerCore(BrokerConfig config, base::Log& log)
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
          m_config))
{
    m_engine->setOffload([this](std::function<void()> work, std::function<void()> done) {
        m_authWorker.run(std::move(work), std::move(done));
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
    if (m_config.jetstream.enabled) {
        m_jetstream->setBeforeRecovery([this] { return restoreClock(); });
        if (auto recovered = m_jetstream->start(); !recovered)
            return recovered;
    }
    if (m_config.lab)
        startLab();
    return {};
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
                    stores->catalog().setValue(kClockKey, m_clock.save(), [](Result<void>) {});
            }});
}

Result<void> BrokerCore::listen()
{
    auto listener = net::Listener::open(*m_loop, m_config.host, m_config.port);
    if (!listener) {
        Error error = listener.error();
        error.text = "Error listening on port: " + addressText(m_config.host, m_config.port)
            + ", \"" + error.text + '"';
        return error;
    }
    m_listener = std::move(*listener);
    m_host = m_listener->host();
    m_port = m_listener->port();
    server::ServerIdentity identity = m_engine->identity();
    identity.host = m_host;
    identity.port = m_port;
    m_engine->setIdentity(identity);
    return {};
}

void BrokerCore::run()
{
    m_listener->start(*m_engine);
    m_loop->run();
}

void BrokerCore::closeListener()
{
    if (m_listener)
        m_listener->close();
}

void BrokerCore::shutdown()
{
    closeListener();
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
    m_jetstream->shutdown();
    m_engine->lameDuck([this] { m_loop->stop(); });
}

void BrokerCore::reload(BrokerConfig config)
{
    m_config = std::move(config);
    m_jetstream->reload(m_config.jetstream);
    m_engine->reload(m_config, authenticatorOf(m_config));
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
