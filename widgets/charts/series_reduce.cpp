// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/series_reduce.h"

#include <algorithm>

namespace jetglass::charts {

bool reduceMinMax(std::span<const QPointF> points, std::vector<QPointF>& out, std::size_t most)
{
    if (points.size() <= most) {
        out.assign(points.begin(), points.end());
        return false;
    }
    out.clear();
    const std::size_t stretches = std::max<std::size_t>(most / 2, 1);
    for (std::size_t i = 0; i < stretches; ++i) {
        const std::size_t from = points.size() * i / stretches;
        const std::size_t to = points.size() * (i + 1) / stretches;
        const auto stretch = points.subspan(from, to - from);
        const auto [low, high] = std::minmax_element(stretch.begin(),
            stretch.end(),
            [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        const auto first = std::min(low, high);
        const auto second = std::max(low, high);
        out.push_back(*first);
        if (first != second) {
            out.push_back(*second);
        }
    }
    return true;
}

} // namespace jetglass::charts
