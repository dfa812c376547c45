// SPDX-License-Identifier: GPL-3.0-or-later
#include "box.h"

#include "broker/flow_observer.h"

namespace jetglass::simulation {

class Box::Listener final : public FlowObserver
{
public:
    void onFlow(const FlowEvent&, const FlowText&) noexcept override { }
    [[nodiscard]] bool wantsText() const noexcept override { return false; }
};

Box::Box(Random& random,
    SimClock& clock,
    MemoryFileSystem& files,
    Network& network,
    BoxSettings settings)
    : m_random(random)
    , m_clock(clock)
    , m_files(files)
    , m_network(network)
    , m_settings(settings)
    , m_time(settings.timeStep)
    , m_listener(std::make_unique<Listener>())
{
    m_jetstreamConfig.enabled = true;
    m_jetstreamConfig.syncAlways = settings.syncAlways;
    m_jetstreamConfig.maxMemory = std::int64_t{1} << 40U;
    m_jetstreamConfig.maxStore = std::int64_t{1} << 40U;
}

Box::~Box()
{
    if (m_worker)
        kill();
}

std::string Box::start()
{
    m_timers = std::make_unique<base::TimerQueue>(m_clock);
    m_hub = std::make_unique<flow::FlowHub>(m_clock);
    if (m_settings.observed)
        m_hub->add(*m_listener);
    m_turn = std::make_unique<streams::Turn>(m_time);
    m_worker = std::make_unique<SimWorker>();
    store::StoreSettings settings;
    settings.directory = "/store/jetstream";
    settings.syncAlways = m_settings.syncAlways;
    settings.blockSize = m_settings.blockSize;
    auto opened = store::openStoreFactory(
        m_settings.disk ? *m_settings.disk : m_files, *m_worker, settings, "$G");
    if (!opened)
        return opened.error().text;
    m_stores = std::move(*opened);
    streams::Context context{m_clock,
        *m_timers,
        *m_hub,
        m_gates,
        *m_turn,
        m_network,
        *m_stores,
        log,
        m_jetstreamConfig,
        m_limits,
        "$G",
        "simulated",
        "SIMULATED",
        1048576,
        &m_nextStreamId,
        &m_nextConsumerId,
        0,
        0,
        0,
        {},
        {}};
    m_jetstream = std::make_unique<api::JetStream>(std::move(context));
    const auto started = m_jetstream->start();
    return started ? std::string() : started.error().text;
}

bool Box::settle(bool lazy)
{
    constexpr int kMost = 20'000;
    for (int round = 0; round < kMost; ++round) {
        m_turn->run();
        m_hub->endTurn();
        m_network.send(m_files.dead());
        bool more = m_turn->pending();
        if (m_worker->hasJobs() && (!lazy || m_random.chance(30))) {
            m_worker->runOne();
            more = true;
        }
        more = m_worker->answer() || more;
        more = m_network.callWatches() || more;
        more = m_timers->fireDue() > 0 || m_network.hasStaged() || more;
        if (!more)
            return true;
    }
    return false;
}

void Box::stop()
{
    m_jetstream->shutdown();
    m_stores->catalog().flush();
    m_worker->answer();
    m_network.send(m_files.dead());
    close();
}

/// What the process would still have done does not happen.
void Box::kill()
{
    m_worker->abandon();
    m_network.send(true);
    close();
    m_network.send(true);
}

void Box::close()
{
    m_jetstream.reset();
    m_stores.reset();
    m_worker.reset();
    m_turn.reset();
    m_hub.reset();
    m_timers.reset();
}

} // namespace jetglass::simulation
