// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace jetglass::axis {

/// How wide a sequence is: some pixels each, or some sequences in one pixel. One of the two is
/// always 1.
struct SequenceZoom
{
    int pixels = kDefaultPixels;
    quint64 sequences = 1;

    static constexpr int kDefaultPixels = 27;
    static constexpr int kCellPixels = 8; ///< from here on a sequence is a cell with a shape
    static constexpr int kDetailPixels = 56; ///< from here on a cell has room for words
    static constexpr quint64 kMaxSequences = quint64{1} << 52;

    /// Each sequence is drawn for itself, from its own state.
    [[nodiscard]] bool single() const { return sequences == 1; }
    [[nodiscard]] bool cells() const { return single() && pixels >= kCellPixels; }
    [[nodiscard]] bool details() const { return single() && pixels >= kDetailPixels; }

    [[nodiscard]] SequenceZoom in() const;
    [[nodiscard]] SequenceZoom out() const;
    /// The closest zoom that shows \a count sequences in \a width pixels.
    [[nodiscard]] static SequenceZoom fitting(quint64 count, int width);

    friend bool operator==(const SequenceZoom&, const SequenceZoom&) = default;
};

/// Sequence numbers to pixels and back. Pixels count from sequence 0 in 64 bits, so that neither
/// scrolling nor appending moves a column by a fraction; x is what is left of that on the screen.
class SequenceAxis
{
public:
    SequenceAxis() = default;
    SequenceAxis(SequenceZoom zoom, qint64 left, int width);

    [[nodiscard]] const SequenceZoom& zoom() const { return m_zoom; }
    [[nodiscard]] qint64 left() const { return m_left; }
    [[nodiscard]] int width() const { return m_width; }
    void setLeft(qint64 left) { m_left = left; }
    void setWidth(int width) { m_width = width; }

    [[nodiscard]] qint64 pixelOf(quint64 seq) const;
    [[nodiscard]] quint64 seqOfPixel(qint64 pixel) const;
    /// Left edge of a sequence; far outside the screen it is cut to +-2^24.
    [[nodiscard]] int xOf(quint64 seq) const;
    /// First sequence that is drawn at x.
    [[nodiscard]] quint64 seqAt(int x) const;
    [[nodiscard]] quint64 firstVisible() const { return seqAt(0); }
    [[nodiscard]] quint64 lastVisible() const;

    /// Left edge that keeps \a seq where it is now when the zoom changes.
    [[nodiscard]] SequenceAxis zoomed(SequenceZoom zoom, int anchorX) const;
    /// Distance between labels in sequences (1, 2 or 5 times a power of ten), at least \a minPixels
    /// apart.
    [[nodiscard]] quint64 labelStep(int minPixels) const;

private:
    SequenceZoom m_zoom;
    qint64 m_left = 0;
    int m_width = 0;
};

} // namespace jetglass::axis
