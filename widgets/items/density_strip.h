// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"

#include <cstddef>
#include <vector>

namespace jetglass::items {

struct DensityColumn
{
    quint64 first = 0;
    quint64 last = 0;
    quint64 stored = 0;
    quint64 removed = 0;
    bool estimated = false;
};

/// Counts by state for a range in columns of about equal width; for views where a sequence is less
/// than a pixel or two wide.
struct DensityStrip
{
    quint64 first = 0;
    quint64 last = 0;
    int laneCount = 0;
    std::vector<DensityColumn> columns;
    std::vector<quint64> counts; ///< [column][lane][state], see count()

    void resize(std::size_t columnCount, int lanes)
    {
        laneCount = lanes;
        columns.assign(columnCount, DensityColumn{});
        counts.assign(columnCount * static_cast<std::size_t>(lanes) * kCellStateCount, 0);
    }
    [[nodiscard]] std::size_t index(std::size_t column, int lane, CellState state) const
    {
        return (column * static_cast<std::size_t>(laneCount) + static_cast<std::size_t>(lane))
            * kCellStateCount
            + static_cast<std::size_t>(state);
    }
    [[nodiscard]] quint64 count(std::size_t column, int lane, CellState state) const
    {
        return counts[index(column, lane, state)];
    }
};

} // namespace jetglass::items
