// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/jetstream.h"
#include "base/log.h"
#include "base/stepped_time.h"
#include "base/timer_queue.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "memory_file_system.h"
#include "network.h"
#include "sim_clock.h"
#include "sim_worker.h"
#include "store/store_factory.h"
#include "streams/stream_registry.h"
#include "streams/turn.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::simulation {

class Complaints final : public base::Log
{
public:
    void write(base::LogLevel level, std::string_view text) override
    {
        if (level >= base::LogLevel::Warning)
            lines.emplace_back(text);
    }
    [[nodiscard]] bool wants(base::LogLevel level) const override
    {
        return level >= base::LogLevel::Warning;
    }
    void reopen() override { }
    void configure(const LogConfig&) override { }
    std::vector<std::string> lines;
};

struct BoxSettings
{
    bool syncAlways = false;
    std::uint64_t blockSize = 8U << 20U;
    std::int64_t timeStep = 0; ///< how long each look at the clock takes for long work
    bool observed = false; ///< somebody listens to flow events
    store::FileSystem* disk = nullptr; ///< stands before the files; null = nothing does
};

/// The broker of one process after another on one disk: JetStream with its store, without sockets.
class Box
{
public:
    Box(Random& random,
        SimClock& clock,
        MemoryFileSystem& files,
        Network& network,
        BoxSettings settings);
    ~Box();

    /// Empty if it runs, else why not.
    std::string start();
    /// Turns of the loop until nothing is left to do at this time. The worker does its part in
    /// between, or (\a lazy) only some of it. False if it finds no end.
    bool settle(bool lazy);
    void stop(); ///< orderly
    void kill();
    [[nodiscard]] streams::StreamRegistry& registry() { return m_jetstream->registry(); }
    [[nodiscard]] streams::Context& context() { return m_jetstream->context(); }
    [[nodiscard]] std::int64_t nextDeadline() const { return m_timers->nextDeadline(); }
    [[nodiscard]] bool idle() const { return m_worker->idle(); }
    [[nodiscard]] const BoxSettings& settings() const { return m_settings; }
    flow::FlowHub& hub() { return *m_hub; }
    Complaints log;

private:
    class Listener;
    void close();

    Random& m_random;
    SimClock& m_clock;
    MemoryFileSystem& m_files;
    Network& m_network;
    const BoxSettings m_settings;
    JetStreamConfig m_jetstreamConfig;
    AccountLimits m_limits;
    flow::OpenGates m_gates;
    base::SteppedTime m_time;
    std::unique_ptr<Listener> m_listener;
    std::unique_ptr<base::TimerQueue> m_timers;
    std::unique_ptr<flow::FlowHub> m_hub;
    std::unique_ptr<streams::Turn> m_turn;
    std::unique_ptr<SimWorker> m_worker;
    std::unique_ptr<store::StoreFactory> m_stores;
    std::unique_ptr<api::JetStream> m_jetstream;
    std::uint32_t m_nextStreamId = 0;
    std::uint32_t m_nextConsumerId = 0;
};

} // namespace jetglass::simulation
