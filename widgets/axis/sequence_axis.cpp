// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/sequence_axis.h"

#include <algorithm>
#include <array>
#include <limits>

namespace jetglass::axis {

namespace {

constexpr std::array<int, 16> kPixelLadder{
    90, 72, 56, 44, 35, 27, 22, 18, 14, 11, 8, 6, 4, 3, 2, 1};
constexpr qint64 kFarAway = qint64{1} << 24;

} // namespace

SequenceZoom SequenceZoom::in() const
{
    if (sequences > 1) {
        return {1, sequences / 2};
    }
    const auto* finer = std::find_if(kPixelLadder.rbegin(), kPixelLadder.rend(), [this](int step) {
        return step > pixels;
    }).base();
    return finer == kPixelLadder.begin() ? SequenceZoom{kPixelLadder.front(), 1}
                                         : SequenceZoom{*(finer - 1), 1};
}

SequenceZoom SequenceZoom::out() const
{
    if (sequences > 1 || pixels == 1) {
        return {1, std::min(sequences * 2, kMaxSequences)};
    }
    const auto* coarser = std::find_if(
        kPixelLadder.begin(), kPixelLadder.end(), [this](int step) { return step < pixels; });
    return {*coarser, 1};
}

SequenceZoom SequenceZoom::fitting(quint64 count, int width)
{
    const auto pixels = static_cast<quint64>(std::max(width, 1));
    SequenceZoom zoom{kPixelLadder.front(), 1};
    for (const int step : kPixelLadder) {
        zoom.pixels = step;
        if (count <= pixels / static_cast<quint64>(step)) {
            return zoom;
        }
    }
    while (zoom.sequences < kMaxSequences && count / zoom.sequences >= pixels) {
        zoom = zoom.out();
    }
    return zoom;
}

SequenceAxis::SequenceAxis(SequenceZoom zoom, qint64 left, int width)
    : m_zoom(zoom)
    , m_left(left)
    , m_width(width)
{
}

qint64 SequenceAxis::pixelOf(quint64 seq) const
{
    if (!m_zoom.single()) {
        return static_cast<qint64>(seq / m_zoom.sequences);
    }
    constexpr auto kMost = static_cast<quint64>(std::numeric_limits<qint64>::max());
    const auto pixels = static_cast<quint64>(m_zoom.pixels);
    return static_cast<qint64>(seq > kMost / pixels ? kMost : seq * pixels);
}

quint64 SequenceAxis::seqOfPixel(qint64 pixel) const
{
    const auto at = static_cast<quint64>(std::max<qint64>(pixel, 0));
    if (m_zoom.single()) {
        return at / static_cast<quint64>(m_zoom.pixels);
    }
    constexpr auto kMost = std::numeric_limits<quint64>::max();
    return at > kMost / m_zoom.sequences ? kMost : at * m_zoom.sequences;
}

int SequenceAxis::xOf(quint64 seq) const
{
    return static_cast<int>(std::clamp(pixelOf(seq) - m_left, -kFarAway, kFarAway));
}

quint64 SequenceAxis::seqAt(int x) const
{
    return seqOfPixel(m_left + x);
}

quint64 SequenceAxis::lastVisible() const
{
    const quint64 next = seqOfPixel(m_left + std::max(m_width, 1));
    const bool startsAtEdge = pixelOf(next) == m_left + std::max(m_width, 1);
    return startsAtEdge && next > 0 ? next - 1 : next;
}

SequenceAxis SequenceAxis::zoomed(SequenceZoom zoom, int anchorX) const
{
    const quint64 anchor = seqAt(anchorX);
    // Keep the same spot inside the cell under the pointer, not only the same cell.
    const qint64 inside = m_zoom.single() ? m_left + anchorX - pixelOf(anchor) : 0;
    SequenceAxis next(zoom, 0, m_width);
    const qint64 scaled = zoom.single() ? inside * zoom.pixels / std::max(m_zoom.pixels, 1) : 0;
    next.m_left = next.pixelOf(anchor) + scaled - anchorX;
    return next;
}

quint64 SequenceAxis::labelStep(int minPixels) const
{
    const auto enough = [this, minPixels](quint64 step) {
        if (m_zoom.single()) {
            return step * static_cast<quint64>(m_zoom.pixels) >= static_cast<quint64>(minPixels);
        }
        return step / m_zoom.sequences >= static_cast<quint64>(minPixels);
    };
    quint64 decade = 1;
    while (decade < std::numeric_limits<quint64>::max() / 100) {
        for (const quint64 factor : {quint64{1}, quint64{2}, quint64{5}}) {
            if (enough(decade * factor)) {
                return decade * factor;
            }
        }
        decade *= 10;
    }
    return decade;
}

} // namespace jetglass::axis
