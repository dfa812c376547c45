// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/real_clock.h"

#include <chrono>

namespace jetglass::base {
namespace {

std::int64_t monotonicNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

RealClock::RealClock()
{
    refresh();
}

void RealClock::refresh()
{
    m_now = monotonicNs();
    m_wall = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now().time_since_epoch())
                 .count();
}

std::int64_t RealClock::realDelayUntil(std::int64_t deadline) const
{
    const std::int64_t delay = deadline - monotonicNs();
    return delay > 0 ? delay : 0;
}

} // namespace jetglass::base
