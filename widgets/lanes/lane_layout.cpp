// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_layout.h"

#include <algorithm>

namespace jetglass::lanes {

void LaneLayout::setMetrics(const style::Metrics& metrics)
{
    m_metrics = metrics;
    chooseHeights(false);
}

void LaneLayout::chooseHeights(bool roomy)
{
    const style::Metrics& m = m_metrics;
    m_laneCell = std::max(22, roomy ? m.line * 2 : m.line * 3 / 2);
    m_streamCell = std::max(m_laneCell + 2, m.smallLine * 2 + 2);
    m_axisHeight = m.smallLine + m.gap * 2;
    m_streamHeight = m_streamCell + m.smallLine + m.gap * 2 + (roomy ? m.pad * 2 : m.pad);
    m_lanePad = roomy ? m.pad * 3 / 2 : m.pad;
    const int texts = m.line + 2 * m.smallLine;
    const int cells = m_laneCell + m.gap + 2 * m.smallLine;
    m_laneHeight = std::max(texts, cells) + m_lanePad * 2;
}

void LaneLayout::arrange(QSize size, int laneCount, int headerWidth, int scrollY)
{
    m_size = size;
    m_laneCount = laneCount;
    m_headerWidth = headerWidth;
    m_scrollY = scrollY;
    // A few lanes may breathe; many are packed, so that fewer of them have to be scrolled to.
    chooseHeights(true);
    if (lanesArea().height() < laneCount * m_laneHeight) {
        chooseHeights(false);
    }
    m_axis.setWidth(std::max(0, size.width() - headerWidth));
}

QRect LaneLayout::cellsArea() const
{
    return QRect(m_headerWidth,
        m_axisHeight,
        std::max(0, m_size.width() - m_headerWidth),
        std::max(0, m_size.height() - m_axisHeight));
}

QRect LaneLayout::axisRect() const
{
    return QRect(m_headerWidth, 0, std::max(0, m_size.width() - m_headerWidth), m_axisHeight);
}

QRect LaneLayout::streamRow() const
{
    return QRect(0, m_axisHeight, m_size.width(), m_streamHeight);
}

QRect LaneLayout::lanesArea() const
{
    const int top = m_axisHeight + m_streamHeight;
    return QRect(0, top, m_size.width(), std::max(0, m_size.height() - top));
}

QRect LaneLayout::laneRow(int lane) const
{
    const int top = m_axisHeight + m_streamHeight + lane * m_laneHeight - m_scrollY;
    return QRect(0, top, m_size.width(), m_laneHeight);
}

int LaneLayout::cellTop(int lane) const
{
    return lane == kStreamLane ? streamRow().top() : laneRow(lane).top() + m_lanePad;
}

int LaneLayout::cellHeight(int lane) const
{
    return lane == kStreamLane ? m_streamCell : m_laneCell;
}

int LaneLayout::cellGap() const
{
    const auto& zoom = m_axis.zoom();
    if (!zoom.cells()) {
        return 0;
    }
    return zoom.pixels >= 18 ? 3 : zoom.pixels >= 11 ? 2 : 1;
}

int LaneLayout::cellWidth() const
{
    return m_axis.zoom().single() ? m_axis.zoom().pixels - cellGap() : 1;
}

QRect LaneLayout::cellRect(int lane, quint64 seq) const
{
    return QRect(m_headerWidth + m_axis.xOf(seq), cellTop(lane), cellWidth(), cellHeight(lane));
}

int LaneLayout::markLine(int lane, int index) const
{
    return cellTop(lane) + cellHeight(lane) + m_metrics.gap + index * m_metrics.smallLine;
}

int LaneLayout::contentHeight() const
{
    return m_laneCount * m_laneHeight;
}

int LaneLayout::lanesBottom() const
{
    const int last = m_laneCount - 1;
    const int end =
        m_laneCount == 0 ? streamRow().top() + m_streamCell + 4 : cellTop(last) + m_laneCell + 4;
    return std::min(end, m_size.height());
}

std::pair<int, int> LaneLayout::lanesIn(const QRect& rect) const
{
    const QRect visible = rect & lanesArea();
    if (visible.isEmpty() || m_laneCount == 0) {
        return {0, -1};
    }
    const int top = visible.top() - lanesArea().top() + m_scrollY;
    const int bottom = visible.bottom() - lanesArea().top() + m_scrollY;
    return {std::clamp(top / m_laneHeight, 0, m_laneCount - 1),
        std::clamp(bottom / m_laneHeight, 0, m_laneCount - 1)};
}

LaneHit LaneLayout::hit(QPoint point) const
{
    LaneHit hit;
    if (!QRect(QPoint(0, 0), m_size).contains(point)) {
        return hit;
    }
    if (point.x() >= m_headerWidth) {
        hit.seq = m_axis.seqAt(point.x() - m_headerWidth);
    }
    if (point.y() < m_axisHeight) {
        hit.part = point.x() >= m_headerWidth ? LaneHit::Part::Axis : LaneHit::Part::Nothing;
        return hit;
    }
    if (streamRow().contains(point)) {
        hit.lane = kStreamLane;
    } else {
        const int lane = (point.y() - lanesArea().top() + m_scrollY) / std::max(1, m_laneHeight);
        if (lane >= m_laneCount) {
            return hit;
        }
        hit.lane = lane;
    }
    hit.part = point.x() < m_headerWidth ? LaneHit::Part::Header : LaneHit::Part::Cells;
    return hit;
}

void LaneLayout::mergeRuns(const axis::SequenceAxis& axis,
    quint64 first,
    quint64 last,
    const std::function<int(quint64)>& lookOf,
    std::vector<CellRun>& runs)
{
    runs.clear();
    if (last < first) {
        return;
    }
    for (quint64 seq = first;; ++seq) {
        const int look = lookOf(seq);
        const int x = axis.xOf(seq);
        const int end = axis.xOf(seq + 1);
        if (!runs.empty() && runs.back().look == look && runs.back().x + runs.back().width == x) {
            runs.back().width = end - runs.back().x;
        } else {
            runs.push_back({x, end - x, look});
        }
        if (seq == last) {
            return;
        }
    }
}

} // namespace jetglass::lanes
