// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>

namespace jetglass::messages {

/// Rows to pixels and back, in 64 bits: row \a position begins at pixel position * rowHeight. No
/// painter, no source.
struct MessageLayout
{
    qint64 top = 0; ///< pixel at the upper edge of the viewport
    int height = 0; ///< of the viewport
    int rowHeight = 20;
    quint64 first = 1; ///< positions that exist
    quint64 last = 0;

    [[nodiscard]] bool isEmpty() const { return last < first; }
    [[nodiscard]] qint64 pixelOf(quint64 position) const;
    [[nodiscard]] int yOf(quint64 position) const;
    [[nodiscard]] quint64 firstVisible() const;
    [[nodiscard]] quint64 lastVisible() const; ///< also if only partly in view
    [[nodiscard]] quint64 pageRows() const; ///< whole rows in view, at least 1
    [[nodiscard]] std::optional<quint64> positionAt(int y) const;
    [[nodiscard]] qint64 lowestTop() const;
    [[nodiscard]] qint64 highestTop() const; ///< the last row is wholly in view there
    /// The top that shows \a position with as little movement as possible.
    [[nodiscard]] qint64 topShowing(quint64 position) const;
};

} // namespace jetglass::messages
