// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/event_loop.h"

#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>

#include <chrono>
#include <utility>

namespace jetglass::net {

namespace {
/// So many timers of one kind fire in one turn; what else is due follows in the next.
constexpr std::size_t kTimersPerTurn = 1024;
}

EventLoop::EventLoop(base::TimerQueue& timers, base::TimerQueue& realTimers)
    : m_io(1)
    , m_timers(timers)
    , m_realTimers(realTimers)
    , m_readBuffer(std::make_unique_for_overwrite<char[]>(readSize()))
{
}

EventLoop::~EventLoop() = default;

void EventLoop::run()
{
    const auto work = asio::make_work_guard(m_io);
    while (!m_stop.load(std::memory_order_acquire)) {
        sleep();
        turn();
    }
}

void EventLoop::stop()
{
    m_stop.store(true, std::memory_order_release);
    asio::post(m_io, [] {});
}

void EventLoop::post(std::function<void()> task)
{
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        first = m_posted.empty();
        m_posted.push_back(std::move(task));
    }
    if (first)
        asio::post(m_io, [] {});
}

void EventLoop::sleep()
{
    const auto delayOf = [](const base::TimerQueue& queue) -> std::int64_t {
        const std::int64_t deadline = queue.nextDeadline();
        return deadline == base::TimerQueue::kNever ? -1 : queue.clock().realDelayUntil(deadline);
    };
    if (m_ready.empty() && (m_engine == nullptr || !m_engine->pending())) {
        std::int64_t delay = delayOf(m_timers);
        const std::int64_t real = delayOf(m_realTimers);
        if (delay < 0 || (real >= 0 && real < delay))
            delay = real;
        if (delay < 0)
            m_io.run_one();
        else if (delay > 0)
            m_io.run_one_for(std::chrono::nanoseconds(delay));
    }
    // Handlers only note what is ready and start no new wait, so this ends.
    m_io.poll();
}

void EventLoop::turn()
{
    if (m_engine != nullptr)
        m_engine->beginTurn();
    runPosted();
    m_running.swap(m_ready);
    for (const auto& task : m_running)
        task->runInTurn();
    m_running.clear();
    m_timers.fireDue(kTimersPerTurn);
    m_realTimers.fireDue(kTimersPerTurn);
    if (m_engine != nullptr)
        m_engine->endTurn();
    if (m_afterTurn)
        m_afterTurn();
}

void EventLoop::runPosted()
{
    std::vector<std::function<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        if (m_posted.empty())
            return;
        tasks.swap(m_posted);
    }
    for (const auto& task : tasks)
        task();
}

} // namespace jetglass::net
