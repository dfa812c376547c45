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

/// A sequence that is not in the stream: diagonal lines in a box for what was there once, an
/// empty, dotted one for what never was.
void paintGap(QPainter& painter, const QRectF& cell, const Theme& theme, items::Gap gap);

/// A pale block in place of what is not known yet.
void paintLoadingCell(QPainter& painter, const QRectF& cell, const QColor& fill);

} // namespace jetglass::style
