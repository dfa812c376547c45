// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/lab_api.h"
#include "base/log.h"
#include "base/real_clock.h"
#include "base/timer_queue.h"
#include "broker/clock.h"
#include "broker/config.h"
#include "broker/result.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "host/jetstream_host.h"
#include "host/system_account.h"
#include "host/worker_thread.h"
#include "lab/lab_clock.h"
#include "lab/lab_gates.h"
#include "net/event_loop.h"
#include "net/listener.h"
#include "server/engine.h"
#include "streams/turn.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace jetglass::host {

/// The parts of one broker and how they hang together. Made and started on any thread; from run()
/// on everything but loop().post() belongs to the thread that runs it.
class BrokerCore
{
public:
    /// \a files is what the store lives on; null = the machine's.
    BrokerCore(
        BrokerConfig config, base::Log& log, std::unique_ptr<store::FileSystem> files = nullptr);
    ~BrokerCore();
    BrokerCore(const BrokerCore&) = delete;
    BrokerCore& operator=(const BrokerCore&) = delete;

    /// Binds the client listener and recovers the store. Connections queue in the kernel until
    /// run().
    Result<void> start();
    /// Makes turns until the loop is stopped.
    void run();

    // --- on the broker thread
    /// Orderly end: store flushed, clients closed, loop stopped.
    void shutdown();
    /// As a crash: sockets go, nothing more is written, loop stopped.
    void crash();
    /// Closes the listener and JetStream, lets the clients go gently, then stops the loop.
    void lameDuck();
    /// Takes over what reload_rules let through.
    void reload(BrokerConfig config);

    // --- after run() has returned
    /// Lets go of the store: its directory can be opened again.
    void release(bool crashed);

    [[nodiscard]] const BrokerConfig& config() const { return m_config; }
    [[nodiscard]] net::EventLoop& loop() { return *m_loop; }
    [[nodiscard]] server::Engine& engine() { return *m_engine; }
    [[nodiscard]] flow::FlowHub& hub() { return m_hub; }
    [[nodiscard]] Clock& clock() { return m_clock; }
    [[nodiscard]] JetStreamHost& jetstream() { return *m_jetstream; }
    [[nodiscard]] const std::string& host() const { return m_host; }
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    /// The listener for WebSocket clients; port 0 = none.
    [[nodiscard]] std::string webSocketHost() const;
    [[nodiscard]] std::uint16_t webSocketPort() const;
    [[nodiscard]] std::int64_t configLoaded() const { return m_configLoaded; } ///< wall ns
    /// What $SYS.REQ.SERVER.<id>.RELOAD asks for. Before run().
    void setReloadWish(std::function<void()> wish);
    /// What reload() will need of files, read before anything changes.
    Result<void> prepareReload(const BrokerConfig& config);

private:
    /// What the listeners speak.
    struct Endpoints
    {
        net::Endpoint client;
        net::Endpoint webSocket;
    };
    static Result<Endpoints> readEndpoints(const BrokerConfig& config);
    Result<std::unique_ptr<net::Listener>> listenOn(const std::string& host, int port);
    Result<void> listen();
    void closeListener();
    Result<void> restoreClock();
    void startLab();
    void startSystem();
    void startJetStreamLate();
    void stopJetStream();
    void restartLab();

    BrokerConfig m_config;
    base::Log& m_log;
    base::RealClock m_realClock;
    base::RealClock m_labSource; ///< what JetStream's clock rides on
    lab::LabClock m_clock; ///< JetStream's; the machine's own until the lab bends it
    base::TimerQueue m_timers;
    base::TimerQueue m_realTimers;
    flow::FlowHub m_hub;
    lab::LabGates m_gates; ///< without rules unless the lab adds some
    streams::Turn m_turn;
    std::unique_ptr<net::EventLoop> m_loop;
    WorkerThread m_storeWorker;
    WorkerThread m_authWorker; ///< bcrypt must not stand before a sync
    std::unique_ptr<server::Engine> m_engine;
    std::unique_ptr<JetStreamHost> m_jetstream;
    std::unique_ptr<api::LabApi> m_lab; ///< goes before the streams
    std::unique_ptr<SystemAccount> m_system; ///< goes before the accounts
    std::function<void()> m_reloadWish;
    std::int64_t m_configLoaded = 0;
    std::shared_ptr<net::RateLimit> m_handshakes; ///< of all clients in a second; null = no limit
    std::unique_ptr<net::Listener> m_listener;
    std::unique_ptr<net::Listener> m_webSocketListener; ///< null = none
    std::optional<Endpoints> m_nextEndpoints; ///< read by prepareReload()
    std::string m_host;
    std::uint16_t m_port = 0;
};

} // namespace jetglass::host
