// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace jetglass::items {

/// Messages per second at one moment.
struct RateSample
{
    qint64 time = 0; ///< wall ms
    double stored = 0;
    double delivered = 0;
    double acked = 0;
};

/// What one consumer has still before it, at one moment.
struct PendingSample
{
    qint64 time = 0; ///< wall ms
    std::vector<double> values; ///< one per series, in the order given to PendingChart::setSeries
};

} // namespace jetglass::items
