// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/host_broker.h"

#include "host/address_text.h"
#include "host/reload_rules.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <utility>

namespace jetglass {

Result<std::unique_ptr<Broker>> Broker::start(BrokerConfig config)
{
    auto log = base::openLog(config.log);
    if (!log)
        return log.error();
    auto started =
        host::HostBroker::start(std::move(config), std::shared_ptr<base::Log>(std::move(*log)));
    if (!started)
        return started.error();
    return std::unique_ptr<Broker>(std::move(*started));
}

} // namespace jetglass

namespace jetglass::host {

namespace {

/// How often a waiting caller looks whether the broker thread has ended.
constexpr std::chrono::milliseconds kLookInterval{20};

} // namespace

HostBroker::HostBroker(
    BrokerConfig config, std::shared_ptr<base::Log> log, std::unique_ptr<store::FileSystem> files)
    : m_log(std::move(log))
    , m_core(std::make_unique<BrokerCore>(std::move(config), *m_log, std::move(files)))
{
}

HostBroker::~HostBroker()
{
    end(false);
}

Result<std::unique_ptr<HostBroker>> HostBroker::start(
    BrokerConfig config, std::shared_ptr<base::Log> log, std::unique_ptr<store::FileSystem> files)
{
    std::unique_ptr<HostBroker> broker(
        new HostBroker(std::move(config), std::move(log), std::move(files)));
    if (auto begun = broker->begin(); !begun) {
        broker->m_core->jetstream().release();
        return begun.error();
    }
    return broker;
}

Result<void> HostBroker::begin()
{
    m_configLoaded = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now().time_since_epoch())
                         .count();
    m_serverId = m_core->engine().identity().id;
    if (auto started = m_core->start(); !started)
        return started;
    m_storeDirectory = m_core->jetstream().directory();
    m_recoveryReport = m_core->jetstream().report();
    if (auto monitoring = startMonitor(); !monitoring)
        return monitoring;
    const BrokerConfig& config = m_core->config();
    if (config.websocket.enabled)
        m_log->info(std::string("Listening for websocket clients on ")
            + (config.websocket.tls.enabled ? "wss://" : "ws://")
            + addressText(m_core->webSocketHost(), m_core->webSocketPort()));
    if (config.tls.enabled)
        m_log->info("TLS required for client connections");
    m_log->info("Listening for client connections on " + addressText(host(), port()));
    m_thread = std::thread([this] { threadMain(); });
    m_log->info("Server is ready");
    return writeRunFiles(config);
}

std::string HostBroker::webSocketUrl() const
{
    const bool encrypted = m_core->config().websocket.tls.enabled;
    return urlText(encrypted ? "wss" : "ws", m_core->webSocketHost(), m_core->webSocketPort());
}

void HostBroker::threadMain()
{
    m_core->run();
    const std::lock_guard lock(m_stopMutex);
    m_stopped = true;
    m_stopSignal.notify_all();
}

Result<void> HostBroker::startMonitor()
{
    const BrokerConfig& config = m_core->config();
    if (config.httpPort == 0)
        return {};
    const std::string address = config.httpHost.value_or(config.host);
    m_monitor = std::make_unique<MonitorHttp>(*m_core, m_stopped, m_configLoaded);
    if (auto bound = m_monitor->start(address, config.httpPort, config); !bound) {
        m_monitor.reset();
        return bound;
    }
    m_log->info(std::string(config.https ? "Starting https" : "Starting http") + " monitor on "
        + addressText(shownHost(address), httpPort()));
    return {};
}

Result<void> HostBroker::writeRunFiles(const BrokerConfig& config)
{
    if (auto written = m_runFiles.writePid(config.pidFile); !written)
        return written;
    PortUrls urls;
    urls.emplace_back("nats", urlText(config.tls.enabled ? "tls" : "nats", host(), port()));
    if (m_monitor)
        urls.emplace_back("monitoring",
            urlText(config.https ? "https" : "http",
                config.httpHost.value_or(config.host),
                httpPort()));
    if (m_core->webSocketPort() != 0)
        urls.emplace_back("websocket", webSocketUrl());
    return m_runFiles.writePorts(config.portsFileDir, config.executable, urls);
}

void HostBroker::runOnBroker(const std::function<void()>& task)
{
    if (std::this_thread::get_id() == m_thread.get_id()) {
        task();
        return;
    }
    const auto finished = std::make_shared<std::promise<void>>();
    std::future<void> future = finished->get_future();
    m_core->loop().post([&task, finished] {
        task();
        finished->set_value();
    });
    while (future.wait_for(kLookInterval) != std::future_status::ready) {
        if (!m_stopped)
            continue;
        // The thread has ended: it has run the task to the end or will never run it.
        if (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            task();
        return;
    }
}

void HostBroker::end(bool crashed)
{
    const std::lock_guard lock(m_control);
    if (!m_thread.joinable())
        return;
    if (m_monitor)
        m_monitor->stop();
    m_core->loop().post([this, crashed] {
        if (crashed)
            m_core->crash();
        else
            m_core->shutdown();
    });
    m_thread.join();
    m_core->release(crashed);
    m_runFiles.removeAll();
}

void HostBroker::stop()
{
    end(false);
}

void HostBroker::abandon()
{
    end(true);
}

void HostBroker::lameDuck()
{
    const std::lock_guard lock(m_control);
    m_lameDuck = true;
    m_core->loop().post([this] { m_core->lameDuck(); });
}

void HostBroker::wait()
{
    std::unique_lock lock(m_stopMutex);
    m_stopSignal.wait(lock, [this] { return m_stopped.load(); });
}

Result<void> HostBroker::reload(BrokerConfig config)
{
    const std::lock_guard lock(m_control);
    const auto plan = planReload(m_core->config(), config);
    if (!plan)
        return plan.error();
    if (auto read = m_core->prepareReload(config); !read)
        return read;
    if (m_monitor) {
        if (auto read = m_monitor->prepareReload(config); !read)
            return read;
    }
    if (auto written = writeRunFiles(config); !written)
        return written;
    m_log->configure(config.log);
    for (const std::string& line : *plan)
        m_log->info(line);
    runOnBroker([&] { m_core->reload(config); });
    if (m_monitor)
        m_monitor->reload();
    m_log->info(config.configDigest.empty()
            ? std::string("Reloaded server configuration")
            : fmt::format("Reloaded server configuration ({})", config.configDigest));
    return {};
}

void HostBroker::setReloadWish(std::function<void()> wish)
{
    runOnBroker([&] { m_core->setReloadWish(std::move(wish)); });
}

std::string HostBroker::host() const
{
    return m_core->host();
}

std::uint16_t HostBroker::port() const
{
    return m_core->port();
}

std::uint16_t HostBroker::httpPort() const
{
    return m_monitor ? m_monitor->port() : std::uint16_t{0};
}

void HostBroker::addObserver(FlowObserver& observer)
{
    runOnBroker([&] { m_core->hub().add(observer); });
}

void HostBroker::removeObserver(FlowObserver& observer)
{
    runOnBroker([&] { m_core->hub().remove(observer); });
}

} // namespace jetglass::host
