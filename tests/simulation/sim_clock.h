// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

namespace jetglass::simulation {

/// Time that moves when the world says so; the wall clock may be set apart from it.
class SimClock final : public Clock
{
public:
    SimClock()
        : Clock(kStart, kWallStart)
    {
    }
    void refresh() override { }
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override
    {
        return deadline <= now() ? 0 : -1;
    }
    void advance(std::int64_t ns) { setReadings(now() + ns, wallTime() + ns); }
    void setWallForward(std::int64_t ns) { setReadings(now(), wallTime() + ns); }
    /// A new process counts from elsewhere.
    void restartCount() { setReadings(kStart, wallTime()); }

private:
    static constexpr std::int64_t kStart = 1'000'000'000;
    static constexpr std::int64_t kWallStart = 1'790'000'000'000'000'000;
};

} // namespace jetglass::simulation
