// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

namespace jetglass::base {

/// The machine's own time. now() is CLOCK_MONOTONIC; wallTime() is CLOCK_REALTIME.
class RealClock final : public Clock
{
public:
    RealClock();
    [[nodiscard]] std::int64_t now() const override { return m_now; }
    [[nodiscard]] std::int64_t wallTime() const override { return m_wall; }
    void refresh() override;
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override;

private:
    std::int64_t m_now = 0;
    std::int64_t m_wall = 0;
};

} // namespace jetglass::base
