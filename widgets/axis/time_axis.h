// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace jetglass::axis {

/// Moments (wall ms) to pixels and back, and how far apart labels belong.
class TimeAxis
{
public:
    TimeAxis() = default;
    TimeAxis(qint64 firstMs, qint64 lastMs, int width);

    [[nodiscard]] qint64 firstMs() const { return m_first; }
    [[nodiscard]] qint64 lastMs() const { return m_last; }
    [[nodiscard]] double xOf(qint64 ms) const;
    [[nodiscard]] qint64 msAt(double x) const;
    /// A round step (1, 2, 5, 10, 15, 30 of a unit) of at least \a minPixels.
    [[nodiscard]] qint64 labelStepMs(int minPixels) const;
    /// First label at or after the left edge.
    [[nodiscard]] qint64 firstLabelMs(qint64 stepMs) const;

private:
    qint64 m_first = 0;
    qint64 m_last = 1;
    int m_width = 1;
};

} // namespace jetglass::axis
