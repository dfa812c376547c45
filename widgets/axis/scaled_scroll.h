// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace jetglass::axis {

/// A 64-bit position behind a scroll bar of 32 bits. The position stays exact: the bar's value is
/// only used when the reader drags the bar itself.
class ScaledScroll
{
public:
    /// Positions go from \a first to \a last (the last one at which a page still fits).
    void setRange(qint64 first, qint64 last, qint64 page);
    /// Cut to the range; returns true if it changed.
    bool setPosition(qint64 position);

    [[nodiscard]] qint64 first() const { return m_first; }
    [[nodiscard]] qint64 last() const { return m_last; }
    [[nodiscard]] qint64 position() const { return m_position; }
    [[nodiscard]] bool atEnd() const { return m_position >= m_last; }

    [[nodiscard]] int barMaximum() const;
    [[nodiscard]] int barPage() const;
    [[nodiscard]] int barValue() const;
    [[nodiscard]] qint64 positionOf(int barValue) const;

private:
    qint64 m_first = 0;
    qint64 m_last = 0;
    qint64 m_page = 1;
    qint64 m_position = 0;
};

} // namespace jetglass::axis
