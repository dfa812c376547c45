// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/density_image.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace jetglass::lanes {

using items::CellState;
using items::DensityStrip;

namespace {

/// A group that is there at all gets at least a pixel or two: one stuck message in a million must
/// be seen.
constexpr int kLeastPixels = 2;

void fillColumn(QImage& image, int x, int top, int bottom, QRgb color)
{
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* at = reinterpret_cast<QRgb*>(image.bits()) + x + stride * std::max(top, 0);
    for (int y = std::max(top, 0); y < std::min(bottom, image.height()); ++y, at += stride) {
        *at = color;
    }
}

/// Calls \a paint(x, column) for each pixel column that the strip covers.
void forColumns(const QImage& image,
    const DensityStrip& strip,
    const axis::SequenceAxis& axis,
    const std::function<void(int, std::size_t)>& paint)
{
    std::size_t column = 0;
    for (int x = 0; x < image.width(); ++x) {
        const quint64 seq = axis.seqAt(x);
        while (column < strip.columns.size() && strip.columns[column].last < seq) {
            ++column;
        }
        if (column == strip.columns.size()) {
            return;
        }
        if (axis.seqAt(x + 1) > strip.columns[column].first) {
            paint(x, column);
        }
    }
}

} // namespace

DensityGroup groupOf(CellState state)
{
    switch (state) {
    case CellState::Acked:
    case CellState::AckedAbove:
    case CellState::Settled:
        return DensityGroup::Done;
    case CellState::Delivered:
    case CellState::InProgress:
    case CellState::Naked:
        return DensityGroup::Timer;
    case CellState::RedeliveryDue:
    case CellState::Terminated:
    case CellState::Exhausted:
        return DensityGroup::Blocked;
    case CellState::Waiting:
        return DensityGroup::Waiting;
    case CellState::NotMatched:
    case CellState::BeforeStart:
        break;
    }
    return DensityGroup::Nothing;
}

DensityShares laneShares(const DensityStrip& strip, std::size_t column, int lane)
{
    DensityShares shares{};
    const auto& entry = strip.columns[column];
    const double all = static_cast<double>(entry.last - entry.first + 1);
    for (int i = 0; i < items::kCellStateCount; ++i) {
        const auto state = static_cast<CellState>(i);
        shares[static_cast<std::size_t>(groupOf(state))] +=
            static_cast<double>(strip.count(column, lane, state)) / all;
    }
    return shares;
}

std::array<int, kDensityGroups> barHeights(const DensityShares& shares, int height)
{
    std::array<int, kDensityGroups> heights{};
    int used = 0;
    for (std::size_t group = 0; group < heights.size(); ++group) {
        const bool drawn = group != static_cast<std::size_t>(DensityGroup::Nothing);
        if (drawn && shares[group] > 0) {
            const int exact = static_cast<int>(std::lround(shares[group] * height));
            heights[group] = std::max(exact, kLeastPixels);
            used += heights[group];
        }
    }
    // What the least pixels of rare groups take too much comes from the largest one.
    const auto largest = std::max_element(heights.begin(), heights.end());
    *largest = std::max(kLeastPixels, *largest - std::max(0, used - height));
    return heights;
}

void paintLaneDensity(QImage& image,
    const DensityStrip& strip,
    int lane,
    const axis::SequenceAxis& axis,
    const style::Theme& theme)
{
    image.fill(Qt::transparent);
    if (lane >= strip.laneCount) {
        return;
    }
    const std::array<QRgb, 4> colors{theme.look(CellState::Acked).solid.rgb(),
        theme.look(CellState::Delivered).solid.rgb(),
        theme.look(CellState::Exhausted).solid.rgb(),
        theme.look(CellState::Waiting).solid.rgb()};
    forColumns(image, strip, axis, [&](int x, std::size_t column) {
        const auto heights = barHeights(laneShares(strip, column, lane), image.height());
        int bottom = image.height();
        for (std::size_t group = 0; group < colors.size(); ++group) {
            fillColumn(image, x, bottom - heights[group], bottom, colors[group]);
            bottom -= heights[group];
        }
    });
}

void paintStreamDensity(QImage& image,
    const DensityStrip& strip,
    const axis::SequenceAxis& axis,
    const style::Theme& theme)
{
    image.fill(Qt::transparent);
    const QRgb stored = theme.hue(0).rgb();
    const QRgb gap = theme.faint.rgb();
    forColumns(image, strip, axis, [&](int x, std::size_t column) {
        const auto& entry = strip.columns[column];
        const double all = static_cast<double>(entry.stored + entry.removed);
        if (all <= 0) {
            return;
        }
        const double share = static_cast<double>(entry.stored) / all;
        const int height = entry.stored == 0
            ? 0
            : std::max(kLeastPixels, static_cast<int>(std::lround(share * image.height())));
        fillColumn(image, x, image.height() - height, image.height(), stored);
        // What is gone is hatched, as a removed cell is.
        for (int y = 0; y < image.height() - height; ++y) {
            if ((x + y) % 5 == 0) {
                reinterpret_cast<QRgb*>(image.scanLine(y))[x] = gap;
            }
        }
    });
}

} // namespace jetglass::lanes
