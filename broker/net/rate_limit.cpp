// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/rate_limit.h"

#include <utility>

namespace jetglass::net {

namespace {
constexpr std::int64_t kSecond = 1'000'000'000;
}

RateLimit::RateLimit(std::int64_t perSecond, base::TimerQueue& timers, Report report)
    : m_limit(perSecond)
    , m_timers(timers)
    , m_report(std::move(report))
    , m_timer(timers, [this] { tell(); })
{
}

bool RateLimit::allows()
{
    const std::int64_t now = m_timers.clock().now();
    if (m_end < 0 || now > m_end) {
        m_count = 0;
        m_end = now + kSecond;
    } else {
        ++m_count;
    }
    if (m_count < m_limit)
        return true;
    if (m_refused++ == 0)
        m_timer.arm(now + kSecond);
    return false;
}

void RateLimit::tell()
{
    m_report(std::exchange(m_refused, 0));
}

} // namespace jetglass::net
