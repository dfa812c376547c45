// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

namespace jetglass::base {

/// Time that moves only when it is told to: for tests and simulation.
class ManualClock final : public Clock
{
public:
    explicit ManualClock(std::int64_t wallTime = 1'790'000'000'000'000'000)
        : m_wall(wallTime)
    {
    }
    [[nodiscard]] std::int64_t now() const override { return m_now; }
    [[nodiscard]] std::int64_t wallTime() const override { return m_wall + m_now; }
    void refresh() override { }
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override
    {
        return deadline <= m_now ? 0 : -1;
    }
    void advance(std::int64_t ns) { m_now += ns; }

private:
    std::int64_t m_wall;
    std::int64_t m_now = 1'000'000'000;
};

} // namespace jetglass::base
