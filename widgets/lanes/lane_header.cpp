// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_header.h"

#include <QFontMetrics>

#include <algorithm>

namespace jetglass::lanes {

int LaneHeader::width(const items::LaneSource* source, const style::Metrics& metrics, int viewWidth)
{
    const QFontMetrics strong(metrics.strong);
    const QFontMetrics small(metrics.smallStrong);
    const int least = strong.averageCharWidth() * 12;
    // Cells are what the view is for: the column never takes more than its share.
    const int some = std::max(strong.averageCharWidth() * 14, viewWidth / 5);
    const int most = std::max(some, viewWidth * 3 / 10);
    int wanted = least;
    const auto want = [&wanted](int width, int limit) {
        // One more: advances are rounded, and half a pixel too few cuts two letters.
        wanted = std::max(wanted, std::min(width + 1, limit));
    };
    const QString stream = source ? source->stream().name : QString();
    if (source != nullptr) {
        want(strong.horizontalAdvance(stream), most);
        want(small.horizontalAdvance(source->stream().kind), some);
        want(small.horizontalAdvance(source->stream().status), some);
        for (const items::LaneItem& lane : source->lanes()) {
            want(strong.horizontalAdvance(lane.name), most);
            want(small.horizontalAdvance(lane.kind), some);
            want(small.horizontalAdvance(lane.status), most);
        }
    }
    if (stream != m_stream || viewWidth != m_viewWidth || metrics.line != m_line) {
        m_stream = stream;
        m_viewWidth = viewWidth;
        m_line = metrics.line;
        m_widest = 0;
    }
    m_widest = std::max(m_widest, wanted);
    return m_widest + metrics.pad * 2;
}

} // namespace jetglass::lanes
