// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/slice.h"

#include <chrono>

namespace jetglass::base {
namespace {

class RealSteadyTime final : public SteadyTime
{
public:
    std::int64_t nanoseconds() override
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

} // namespace

SteadyTime& SteadyTime::real()
{
    static RealSteadyTime time;
    return time;
}

} // namespace jetglass::base
