// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace jetglass::monitor {

struct ProcessUsage
{
    std::int64_t memory = 0; ///< resident bytes
    double cpu = 0; ///< percent of one core since the question before, at most every 100 ms anew
    int cores = 1;
};

/// Of this process. Broker thread only.
ProcessUsage processUsage();

} // namespace jetglass::monitor
