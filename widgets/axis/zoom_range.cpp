// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/zoom_range.h"

#include <algorithm>

namespace jetglass::axis {

bool ZoomRange::setWhole(SeqRange whole)
{
    if (whole == m_whole) {
        return false;
    }
    m_whole = whole;
    m_window = fitted(m_window);
    if (m_selection && !m_whole.contains(*m_selection)) {
        m_selection.reset();
    }
    return true;
}

bool ZoomRange::setWindow(SeqRange window)
{
    const SeqRange next = fitted(window);
    const bool changed = next != m_window;
    m_window = next;
    return changed;
}

bool ZoomRange::moveWindow(quint64 first)
{
    if (m_window.isEmpty()) {
        return false;
    }
    const quint64 width = m_window.count();
    const quint64 latest = m_whole.last - width + 1;
    const quint64 start = std::clamp(first, m_whole.first, std::max(latest, m_whole.first));
    return setWindow({start, start + width - 1});
}

bool ZoomRange::select(std::optional<quint64> seq)
{
    const std::optional<quint64> next = seq && m_whole.contains(*seq) ? seq : std::nullopt;
    const bool changed = next != m_selection;
    m_selection = next;
    return changed;
}

quint64 ZoomRange::seqAtShare(double share) const
{
    if (m_whole.isEmpty()) {
        return m_whole.first;
    }
    const double span = static_cast<double>(m_whole.count());
    const auto offset = static_cast<quint64>(std::clamp(share, 0.0, 1.0) * span);
    return m_whole.first + std::min(offset, m_whole.count() - 1);
}

double ZoomRange::shareOf(quint64 seq) const
{
    if (m_whole.isEmpty() || seq <= m_whole.first) {
        return 0;
    }
    const quint64 offset = std::min(seq - m_whole.first, m_whole.count());
    return static_cast<double>(offset) / static_cast<double>(m_whole.count());
}

SeqRange ZoomRange::fitted(SeqRange window) const
{
    if (window.isEmpty() || m_whole.isEmpty()) {
        return {};
    }
    const quint64 first = std::clamp(window.first, m_whole.first, m_whole.last);
    const quint64 last = std::clamp(window.last, m_whole.first, m_whole.last);
    return {first, last};
}

} // namespace jetglass::axis
