// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/timer_queue.h"

#include <utility>

namespace jetglass::base {

TimerQueue::TimerQueue(Clock& clock)
    : m_clock(clock)
{
}

TimerQueue::~TimerQueue()
{
    for (const Entry& entry : m_heap)
        entry.timer->m_index = Timer::kNone;
}

std::int64_t TimerQueue::nextDeadline() const
{
    return m_heap.empty() ? kNever : m_heap.front().deadline;
}

std::size_t TimerQueue::fireDue(std::size_t limit)
{
    const std::int64_t now = m_clock.now();
    const std::uint64_t armedBefore = m_order;
    std::size_t fired = 0;
    while (fired < limit && !m_heap.empty() && m_heap.front().deadline <= now
        && m_heap.front().order < armedBefore) {
        Timer* timer = m_heap.front().timer;
        erase(*timer);
        ++fired;
        timer->m_callback(); // may destroy the timer
    }
    return fired;
}

bool TimerQueue::before(const Entry& a, const Entry& b)
{
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
}

void TimerQueue::place(std::size_t index, const Entry& entry)
{
    m_heap[index] = entry;
    entry.timer->m_index = index;
}

void TimerQueue::siftUp(std::size_t index)
{
    const Entry entry = m_heap[index];
    while (index > 0) {
        const std::size_t parent = (index - 1) / 2;
        if (!before(entry, m_heap[parent]))
            break;
        place(index, m_heap[parent]);
        index = parent;
    }
    place(index, entry);
}

void TimerQueue::siftDown(std::size_t index)
{
    const Entry entry = m_heap[index];
    for (;;) {
        std::size_t child = 2 * index + 1;
        if (child >= m_heap.size())
            break;
        if (child + 1 < m_heap.size() && before(m_heap[child + 1], m_heap[child]))
            ++child;
        if (!before(m_heap[child], entry))
            break;
        place(index, m_heap[child]);
        index = child;
    }
    place(index, entry);
}

void TimerQueue::insert(Timer& timer, std::int64_t deadline)
{
    m_heap.push_back({deadline, m_order++, &timer});
    timer.m_index = m_heap.size() - 1;
    siftUp(timer.m_index);
}

void TimerQueue::erase(Timer& timer)
{
    const std::size_t index = timer.m_index;
    timer.m_index = Timer::kNone;
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (index == m_heap.size())
        return;
    place(index, last);
    siftUp(index);
    siftDown(last.timer->m_index);
}

Timer::Timer(TimerQueue& queue, std::function<void()> callback)
    : m_queue(queue)
    , m_callback(std::move(callback))
{
}

Timer::~Timer()
{
    disarm();
}

void Timer::arm(std::int64_t deadline)
{
    disarm();
    m_queue.insert(*this, deadline);
}

void Timer::armNoLaterThan(std::int64_t deadline)
{
    if (!armed() || deadline < this->deadline())
        arm(deadline);
}

void Timer::disarm()
{
    if (armed())
        m_queue.erase(*this);
}

std::int64_t Timer::deadline() const
{
    return armed() ? m_queue.m_heap[m_index].deadline : TimerQueue::kNever;
}

} // namespace jetglass::base
