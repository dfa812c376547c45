// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>

namespace jetglass::axis {

/// Both ends belong to it; empty when last < first.
struct SeqRange
{
    quint64 first = 1;
    quint64 last = 0;

    [[nodiscard]] bool isEmpty() const { return last < first; }
    [[nodiscard]] quint64 count() const { return isEmpty() ? 0 : last - first + 1; }
    [[nodiscard]] bool contains(quint64 seq) const { return seq >= first && seq <= last; }
    [[nodiscard]] bool contains(const SeqRange& other) const
    {
        return other.isEmpty() || (other.first >= first && other.last <= last);
    }
    friend bool operator==(const SeqRange&, const SeqRange&) = default;
};

/// The whole contains the window, and the selection lies in the whole. Setters keep that true and
/// return whether anything changed.
class ZoomRange
{
public:
    [[nodiscard]] const SeqRange& whole() const { return m_whole; }
    [[nodiscard]] const SeqRange& window() const { return m_window; }
    [[nodiscard]] const std::optional<quint64>& selection() const { return m_selection; }

    bool setWhole(SeqRange whole);
    bool setWindow(SeqRange window);
    /// Same width, new place.
    bool moveWindow(quint64 first);
    bool select(std::optional<quint64> seq);

    /// Where a share 0..1 of the whole lies, and back.
    [[nodiscard]] quint64 seqAtShare(double share) const;
    [[nodiscard]] double shareOf(quint64 seq) const;

private:
    [[nodiscard]] SeqRange fitted(SeqRange window) const;

    SeqRange m_whole;
    SeqRange m_window;
    std::optional<quint64> m_selection;
};

} // namespace jetglass::axis
