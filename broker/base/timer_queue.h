// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace jetglass::base {

class Timer;

/// The only timers of the logic: deadlines by Clock::now(), fired by the engine between turns.
/// Broker thread only. Timers with the same deadline fire in the order in which they were armed.
class TimerQueue
{
public:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    explicit TimerQueue(Clock& clock);
    ~TimerQueue();
    TimerQueue(const TimerQueue&) = delete;
    TimerQueue& operator=(const TimerQueue&) = delete;

    /// Clock::now() at which the next timer is due, kNever without one.
    [[nodiscard]] std::int64_t nextDeadline() const;
    /// Fires what is due at Clock::now(), at most \a limit timers; returns how many. A timer that a
    /// callback arms for a time that is already due fires in the next call, so that nothing can
    /// spin.
    std::size_t fireDue(std::size_t limit = std::numeric_limits<std::size_t>::max());

    [[nodiscard]] Clock& clock() const { return m_clock; }

private:
    friend class Timer;
    struct Entry
    {
        std::int64_t deadline;
        std::uint64_t order;
        Timer* timer;
    };
    [[nodiscard]] static bool before(const Entry& a, const Entry& b);
    void place(std::size_t index, const Entry& entry);
    void siftUp(std::size_t index);
    void siftDown(std::size_t index);
    void insert(Timer& timer, std::int64_t deadline);
    void erase(Timer& timer);

    Clock& m_clock;
    std::vector<Entry> m_heap;
    std::uint64_t m_order = 0;
};

/// One deadline of one owner. Destroying it disarms it; arming it again moves it.
class Timer
{
public:
    Timer(TimerQueue& queue, std::function<void()> callback);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// \a deadline in Clock::now() terms.
    void arm(std::int64_t deadline);
    /// Arms for \a deadline unless it is armed for an earlier one.
    void armNoLaterThan(std::int64_t deadline);
    void disarm();
    [[nodiscard]] bool armed() const { return m_index != kNone; }
    [[nodiscard]] std::int64_t deadline() const; ///< kNever when not armed

private:
    friend class TimerQueue;
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    TimerQueue& m_queue;
    std::function<void()> m_callback;
    std::size_t m_index = kNone;
};

} // namespace jetglass::base
