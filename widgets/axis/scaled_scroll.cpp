// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/scaled_scroll.h"

#include <algorithm>
#include <cmath>

namespace jetglass::axis {

namespace {

constexpr qint64 kBarMost = 1 << 30;

} // namespace

void ScaledScroll::setRange(qint64 first, qint64 last, qint64 page)
{
    m_first = first;
    m_last = std::max(first, last);
    m_page = std::max<qint64>(page, 1);
    m_position = std::clamp(m_position, m_first, m_last);
}

bool ScaledScroll::setPosition(qint64 position)
{
    const qint64 next = std::clamp(position, m_first, m_last);
    const bool changed = next != m_position;
    m_position = next;
    return changed;
}

int ScaledScroll::barMaximum() const
{
    return static_cast<int>(std::min(m_last - m_first, kBarMost));
}

int ScaledScroll::barPage() const
{
    const qint64 span = m_last - m_first;
    if (span <= kBarMost) {
        return static_cast<int>(std::min(m_page, kBarMost));
    }
    const double share = static_cast<double>(m_page) / static_cast<double>(span);
    return std::max(1, static_cast<int>(share * static_cast<double>(kBarMost)));
}

int ScaledScroll::barValue() const
{
    const qint64 span = m_last - m_first;
    if (span <= kBarMost) {
        return static_cast<int>(m_position - m_first);
    }
    if (m_position == m_last) {
        return static_cast<int>(kBarMost);
    }
    const double share = static_cast<double>(m_position - m_first) / static_cast<double>(span);
    return static_cast<int>(share * static_cast<double>(kBarMost));
}

qint64 ScaledScroll::positionOf(int value) const
{
    const qint64 span = m_last - m_first;
    if (span <= kBarMost) {
        return m_first + std::clamp<qint64>(value, 0, span);
    }
    if (value >= kBarMost) {
        return m_last;
    }
    const double share = static_cast<double>(std::max(value, 0)) / static_cast<double>(kBarMost);
    return m_first + static_cast<qint64>(share * static_cast<double>(span));
}

} // namespace jetglass::axis
