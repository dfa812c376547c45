// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"

#include <cstdint>
#include <functional>

namespace jetglass::net {

/// So many of something in a second. Broker thread only.
class RateLimit
{
public:
    /// \a report is told about once a second how many were refused, if any were.
    using Report = std::function<void(std::uint64_t refused)>;
    RateLimit(std::int64_t perSecond, base::TimerQueue& timers, Report report);

    /// As the reference server counts: the one that opens a second is free, and of those that
    /// follow within it fewer than the limit are let through.
    bool allows();

private:
    void tell();

    const std::int64_t m_limit;
    base::TimerQueue& m_timers;
    Report m_report;
    base::Timer m_timer;
    std::int64_t m_end = -1; ///< of the second that counts; negative = none has begun
    std::int64_t m_count = 0;
    std::uint64_t m_refused = 0;
};

} // namespace jetglass::net
