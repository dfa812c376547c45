// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "server/engine.h"

#include <asio/io_context.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace jetglass::net {

/// Something that has become ready and wants its part of the next turn.
class TurnTask
{
public:
    virtual ~TurnTask() = default;
    virtual void runInTurn() = 0;
};

/// The broker thread: waits for sockets, posted functions and timers, and makes turns of them
/// (contracts.md 1). Handlers of the io_context only note what is ready; the work itself is done in
/// the turn, so that all of it sees one reading of the clock.
class EventLoop
{
public:
    /// \a timers on JetStream's clock, \a realTimers on the machine's.
    EventLoop(base::TimerQueue& timers, base::TimerQueue& realTimers);
    ~EventLoop();

    void setEngine(server::Engine* engine) { m_engine = engine; }
    /// Called at the end of each turn, after the engine.
    void setAfterTurn(std::function<void()> afterTurn) { m_afterTurn = std::move(afterTurn); }

    /// Makes turns on the calling thread until stop().
    void run();
    void stop(); ///< any thread
    /// Runs \a task in a turn on the broker thread. Any thread. What is posted after stop() is
    /// dropped.
    void post(std::function<void()> task);

    // --- broker thread only
    [[nodiscard]] asio::io_context& io() { return m_io; }
    [[nodiscard]] base::TimerQueue& realTimers() { return m_realTimers; }
    void enqueue(std::shared_ptr<TurnTask> task) { m_ready.push_back(std::move(task)); }
    /// Room to read into, shared by all sessions: what it holds is used up within one call.
    [[nodiscard]] char* readBuffer() { return m_readBuffer.get(); }
    [[nodiscard]] static constexpr std::size_t readSize() { return 256U << 10U; }

private:
    void turn();
    void sleep();
    void runPosted();

    asio::io_context m_io;
    base::TimerQueue& m_timers;
    base::TimerQueue& m_realTimers;
    server::Engine* m_engine = nullptr;
    std::function<void()> m_afterTurn;
    std::unique_ptr<char[]> m_readBuffer;
    std::vector<std::shared_ptr<TurnTask>> m_ready;
    std::vector<std::shared_ptr<TurnTask>> m_running;
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_posted; ///< guarded by m_mutex
    std::atomic<bool> m_stop = false;
};

} // namespace jetglass::net
