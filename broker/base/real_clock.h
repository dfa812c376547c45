// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

namespace jetglass::base {

/// The machine's own time. now() is CLOCK_MONOTONIC; wallTime() is CLOCK_REALTIME.
class RealClock final : public Clock
{
public:
    RealClock();
    void refresh() override;
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override;
};

} // namespace jetglass::base
