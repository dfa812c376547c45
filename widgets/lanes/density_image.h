// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis/sequence_axis.h"
#include "items/density_strip.h"
#include "style/theme.h"

#include <QImage>

#include <array>

namespace jetglass::lanes {

/// The five things that are told apart when a column stands for many sequences. From the bottom:
/// done, on a timer, blocked or lost, waiting; what is not for the consumer stays empty.
enum class DensityGroup
{
    Done,
    Timer,
    Blocked,
    Waiting,
    Nothing
};
inline constexpr int kDensityGroups = 5;

using DensityShares = std::array<double, kDensityGroups>;

/// Shares (0..1, of the sequences in the column) for one lane.
[[nodiscard]] DensityShares laneShares(
    const items::DensityStrip& strip, std::size_t column, int lane);
/// Pixels of each group in a bar of \a height; rare groups are never rounded away.
[[nodiscard]] std::array<int, kDensityGroups> barHeights(const DensityShares& shares, int height);
[[nodiscard]] DensityGroup groupOf(items::CellState state);

/// Fills \a image (ARGB32 premultiplied, one pixel a column) with the stacked shares of a lane,
/// written straight into its lines: thousands of small rectangles would cost more than the whole
/// frame may.
void paintLaneDensity(QImage& image,
    const items::DensityStrip& strip,
    int lane,
    const axis::SequenceAxis& axis,
    const style::Theme& theme);
/// The same for the stream itself: how much of each column is still stored.
void paintStreamDensity(QImage& image,
    const items::DensityStrip& strip,
    const axis::SequenceAxis& axis,
    const style::Theme& theme);

} // namespace jetglass::lanes
