// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_item.h"
#include "items/message_state.h"

#include <QCoreApplication>
#include <QString>

namespace jetglass::style {

/// Words for what the views paint, in the reader's language with the field's own term where there
/// is one. Built when asked for, never stored, so that a language change needs no more than a
/// repaint.
class Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)

public:
    [[nodiscard]] static QString state(items::CellState state); ///< "acked above the floor"
    [[nodiscard]] static QString stateMeaning(items::CellState state); ///< one sentence
    [[nodiscard]] static QString removal(items::RemovalCause cause); ///< "removed by max_age"
    [[nodiscard]] static QString cell(
        const items::LaneCell& cell, qint64 now, const QString& holder); ///< state, count, time
    [[nodiscard]] static QString seq(quint64 seq); ///< ungrouped, as the clients print it
    [[nodiscard]] static QString count(quint64 count); ///< grouped by the locale
    [[nodiscard]] static QString size(quint64 bytes);
    [[nodiscard]] static QString duration(qint64 ns); ///< "7.6 s", "2 min 5 s"
    [[nodiscard]] static QString timeOfDay(qint64 wallNs); ///< local, to the millisecond
    [[nodiscard]] static QString dateTime(qint64 wallNs);
};

} // namespace jetglass::style
