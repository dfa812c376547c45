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

std::int64_t unixNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

RealClock::RealClock()
    : Clock(monotonicNs(), unixNs())
{
}

void RealClock::refresh()
{
    setReadings(monotonicNs(), unixNs());
}

std::int64_t RealClock::realDelayUntil(std::int64_t deadline) const
{
    const std::int64_t delay = deadline - monotonicNs();
    return delay > 0 ? delay : 0;
}

} // namespace jetglass::base
