// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include <span>
#include <vector>

namespace jetglass::charts {

/// At most so many points a series: five series of 300 points cost 2.7 ms an update, of 2,000
/// points 14 ms.
inline constexpr std::size_t kMostPoints = 300;

/// Keeps the smallest and the largest point of each of most/2 stretches, in order of x, so that no
/// spike is lost. \a out is overwritten. Returns true if anything was left out.
bool reduceMinMax(
    std::span<const QPointF> points, std::vector<QPointF>& out, std::size_t most = kMostPoints);

} // namespace jetglass::charts
