// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

namespace jetglass::base {

/// Time that moves only when it is told to: for tests and simulation.
class ManualClock final : public Clock
{
public:
    explicit ManualClock(std::int64_t wallTime = 1'790'000'000'000'000'000)
        : Clock(kStart, wallTime + kStart)
    {
    }
    void refresh() override { }
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override
    {
        return deadline <= now() ? 0 : -1;
    }
    void advance(std::int64_t ns) { setReadings(now() + ns, wallTime() + ns); }

private:
    static constexpr std::int64_t kStart = 1'000'000'000;
};

} // namespace jetglass::base
