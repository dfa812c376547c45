// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"
#include "style/theme.h"

#include <QPixmap>
#include <QRectF>
#include <QSize>

#include <vector>

class QPainter;

namespace jetglass::style {

/// Whole cells (box, shape, ring, number), drawn once per size and theme and copied from then on:
/// one blit a cell, no path and no allocation in a frame. Tiles are made when first asked for.
class GlyphAtlas
{
public:
    static constexpr int kRingSteps = 24;
    static constexpr int kCounts = 10; ///< none, 2..9, more

    /// Tiles are opaque, on the colour of the \a ground they will lie on: copying is a third of the
    /// work of blending. Forgets all tiles if anything differs from before.
    void setUp(const Theme& theme,
        const QColor& ground,
        QSize cell,
        qreal devicePixelRatio,
        const QString& fontFamily);

    /// Draws one cell with its top left corner at \a x, \a y. \a left is the rest of its time,
    /// 0..1.
    void drawCell(
        QPainter& painter, int x, int y, items::CellState state, quint32 deliveries, double left);
    void drawLoading(QPainter& painter, int x, int y);
    void drawGap(QPainter& painter, int x, int y, items::Gap gap);

    [[nodiscard]] QSize cellSize() const { return m_cell; }
    [[nodiscard]] int tileCount() const { return m_used; }
    /// Below this the shapes are not recognisable: cells are then plain rectangles.
    [[nodiscard]] static bool hasShapes(QSize cell)
    {
        return cell.width() >= 11 && cell.height() >= 11;
    }
    [[nodiscard]] static bool hasRing(items::CellState state)
    {
        return state == items::CellState::Delivered || state == items::CellState::InProgress
            || state == items::CellState::Naked;
    }
    [[nodiscard]] static int ringStep(double left);

private:
    void blit(QPainter& painter, int x, int y, std::size_t key);
    void render(std::size_t key, int tile);
    [[nodiscard]] QRectF tileRect(int tile) const;
    void grow();

    const Theme* m_theme = nullptr;
    QColor m_ground;
    QSize m_cell;
    qreal m_ratio = 1;
    QString m_family;
    QPixmap m_sheet;
    int m_columns = 1;
    int m_capacity = 0;
    int m_used = 0;
    std::vector<int> m_tiles; ///< by key, -1 = not made yet
};

} // namespace jetglass::style
