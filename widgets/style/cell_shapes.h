// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "style/theme.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace jetglass::style {

/// Draws one cell: box, shape, rest of its time (0..1) and a count ("" = none). Used once per tile
/// of the atlas and by legends, so it may take its time.
void paintCell(QPainter& painter,
    const QRectF& cell,
    const StateLook& look,
    double left,
    const QString& count,
    const QString& fontFamily);

/// Diagonal lines: a sequence that is not in the stream any more.
void paintHatch(QPainter& painter, const QRectF& cell, const QColor& line, const QColor& border);

/// A pale block in place of what is not known yet.
void paintLoadingCell(QPainter& painter, const QRectF& cell, const QColor& fill);

} // namespace jetglass::style
