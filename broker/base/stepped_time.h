// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/slice.h"

namespace jetglass::base {

/// Each reading takes \a stepNs nanoseconds, so that long work is cut at the same places every
/// time: for tests and simulation. With a step of 0 no slice ever ends.
class SteppedTime final : public SteadyTime
{
public:
    explicit SteppedTime(std::int64_t stepNs = 0)
        : step(stepNs)
    {
    }
    [[nodiscard]] std::int64_t nanoseconds() override { return m_now += step; }
    std::int64_t step;

private:
    std::int64_t m_now = 1;
};

} // namespace jetglass::base
