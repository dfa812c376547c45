// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis/sequence_axis.h"
#include "items/message_state.h"
#include "style/metrics.h"

#include <QPoint>
#include <QRect>

#include <functional>
#include <vector>

namespace jetglass::lanes {

inline constexpr int kStreamLane = -1;
inline constexpr int kNoLane = -2;

/// What lies under a point.
struct LaneHit
{
    enum class Part
    {
        Nothing,
        Header,
        Axis,
        Cells
    };
    Part part = Part::Nothing;
    int lane = kNoLane; ///< kStreamLane for the stream row
    quint64 seq = 0; ///< for Axis and Cells
};

/// Neighbours that look the same and are drawn as one rectangle; x counts from the left edge of the
/// cells.
struct CellRun
{
    int x = 0;
    int width = 0;
    int look = 0; ///< what the caller's function said
};

/// Where everything lies in the lane view. Geometry only: no painter, no source, so that it is
/// tested as data.
///
///     header column | axis
///                   | stream row (cells, then a line for marks)
///                   | lane 0     (cells, a line for floor and cursor, a line for notes)
///                   | lane 1 ... scrolls under the stream row
class LaneLayout
{
public:
    void setMetrics(const style::Metrics& metrics);
    void arrange(QSize size, int laneCount, int headerWidth, int scrollY);
    void setAxis(const axis::SequenceAxis& axis) { m_axis = axis; }
    [[nodiscard]] const axis::SequenceAxis& axis() const { return m_axis; }

    [[nodiscard]] int laneCount() const { return m_laneCount; }
    [[nodiscard]] int headerWidth() const { return m_headerWidth; }
    [[nodiscard]] QRect cellsArea() const; ///< right of the header, below the axis
    [[nodiscard]] QRect axisRect() const;
    [[nodiscard]] QRect streamRow() const; ///< whole width
    [[nodiscard]] QRect laneRow(int lane) const; ///< whole width; may lie under the stream row
    [[nodiscard]] QRect lanesArea() const; ///< what lanes are clipped to
    [[nodiscard]] int cellTop(int lane) const;
    [[nodiscard]] int cellHeight(int lane) const;
    [[nodiscard]] int cellGap() const; ///< between neighbours at this zoom
    [[nodiscard]] int cellWidth() const;
    [[nodiscard]] QRect cellRect(int lane, quint64 seq) const;
    [[nodiscard]] int markLine(int lane, int index) const; ///< top of a text line below the cells
    [[nodiscard]] int contentHeight() const; ///< of all lanes
    [[nodiscard]] int
    lanesBottom() const; ///< below the last lane's cells, at most the viewport's end
    [[nodiscard]] LaneHit hit(QPoint point) const;
    /// Lanes whose rows touch y..y+height.
    [[nodiscard]] std::pair<int, int> lanesIn(const QRect& rect) const;

    /// Merges first..last by what \a lookOf says of each, for zooms below a cell. Reuses \a runs.
    static void mergeRuns(const axis::SequenceAxis& axis,
        quint64 first,
        quint64 last,
        const std::function<int(quint64)>& lookOf,
        std::vector<CellRun>& runs);

private:
    void chooseHeights(bool roomy);

    style::Metrics m_metrics;
    axis::SequenceAxis m_axis;
    QSize m_size;
    int m_laneCount = 0;
    int m_headerWidth = 0;
    int m_scrollY = 0;
    int m_axisHeight = 0;
    int m_streamHeight = 0;
    int m_laneHeight = 0;
    int m_lanePad = 0;
    int m_streamCell = 0;
    int m_laneCell = 0;
};

} // namespace jetglass::lanes
