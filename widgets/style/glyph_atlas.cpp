// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/glyph_atlas.h"

#include "style/cell_shapes.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetglass::style {

namespace {

constexpr std::size_t kSteps = GlyphAtlas::kRingSteps + 1;
constexpr std::size_t kPerState = kSteps * GlyphAtlas::kCounts;
constexpr std::size_t kLoadingKey = items::kCellStateCount * kPerState;
constexpr std::size_t kGapKey = kLoadingKey + 1; ///< and those of the other kinds of gaps
constexpr std::size_t kKeyCount = kGapKey + static_cast<std::size_t>(items::Gap::Lost) + 1;

int countIndex(quint32 deliveries)
{
    if (deliveries < 2) {
        return 0;
    }
    return deliveries > 9 ? GlyphAtlas::kCounts - 1 : static_cast<int>(deliveries) - 1;
}

QString countText(std::size_t index)
{
    if (index == 0) {
        return {};
    }
    return index == GlyphAtlas::kCounts - 1 ? QStringLiteral("9+") : QString::number(index + 1);
}

} // namespace

int GlyphAtlas::ringStep(double left)
{
    return static_cast<int>(std::ceil(std::clamp(left, 0.0, 1.0) * kRingSteps));
}

void GlyphAtlas::setUp(const Theme& theme,
    const QColor& ground,
    QSize cell,
    qreal devicePixelRatio,
    const QString& fontFamily)
{
    if (m_theme == &theme && m_ground == ground && m_cell == cell
        && qFuzzyCompare(m_ratio, devicePixelRatio) && m_family == fontFamily) {
        return;
    }
    m_theme = &theme;
    m_ground = ground;
    m_cell = cell;
    m_ratio = devicePixelRatio;
    m_family = fontFamily;
    m_used = 0;
    m_capacity = 0;
    m_sheet = QPixmap();
    m_tiles.assign(kKeyCount, -1);
}

void GlyphAtlas::drawCell(
    QPainter& painter, int x, int y, items::CellState state, quint32 deliveries, double left)
{
    const auto step = static_cast<std::size_t>(hasRing(state) ? ringStep(left) : 0);
    blit(painter,
        x,
        y,
        static_cast<std::size_t>(state) * kPerState + step * kCounts
            + static_cast<std::size_t>(countIndex(deliveries)));
}

void GlyphAtlas::drawLoading(QPainter& painter, int x, int y)
{
    blit(painter, x, y, kLoadingKey);
}

void GlyphAtlas::drawGap(QPainter& painter, int x, int y, items::Gap gap)
{
    blit(painter, x, y, kGapKey + static_cast<std::size_t>(gap));
}

void GlyphAtlas::blit(QPainter& painter, int x, int y, std::size_t key)
{
    if (m_tiles[key] < 0) {
        if (m_used == m_capacity) {
            grow();
        }
        m_tiles[key] = m_used++;
        render(key, m_tiles[key]);
    }
    painter.drawPixmap(QPointF(x, y), m_sheet, tileRect(m_tiles[key]));
}

QRectF GlyphAtlas::tileRect(int tile) const
{
    const int w = static_cast<int>(std::ceil(m_cell.width() * m_ratio));
    const int h = static_cast<int>(std::ceil(m_cell.height() * m_ratio));
    const int row = tile / m_columns;
    return QRectF((tile % m_columns) * w, row * h, w, h);
}

void GlyphAtlas::grow()
{
    constexpr int kFirst = 32;
    m_columns = kFirst;
    const int capacity = m_capacity == 0 ? kFirst : m_capacity * 2;
    const QRectF last = tileRect(capacity - 1);
    QPixmap sheet(static_cast<int>(last.right()), static_cast<int>(last.bottom()));
    sheet.fill(m_ground);
    if (m_used > 0) {
        QPainter painter(&sheet);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        QPixmap old = m_sheet;
        old.setDevicePixelRatio(1);
        painter.drawPixmap(0, 0, old);
    }
    m_sheet = sheet;
    m_sheet.setDevicePixelRatio(m_ratio);
    m_capacity = capacity;
}

void GlyphAtlas::render(std::size_t key, int tile)
{
    QPainter painter(&m_sheet);
    const QRectF source = tileRect(tile);
    painter.translate(source.topLeft() / m_ratio);
    const QRectF cell(QPointF(0, 0), QSizeF(m_cell));
    painter.setClipRect(cell);
    const bool smooth = hasShapes(m_cell);
    painter.setRenderHint(QPainter::Antialiasing, smooth);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    if (key == kLoadingKey) {
        paintLoadingCell(painter, cell, m_theme->neutralFill);
    } else if (key >= kGapKey) {
        paintGap(painter, cell, *m_theme, static_cast<items::Gap>(key - kGapKey));
    } else {
        const std::size_t state = key / kPerState;
        const std::size_t step = (key % kPerState) / kCounts;
        paintCell(painter,
            cell,
            m_theme->states[state],
            static_cast<double>(step) / static_cast<double>(kRingSteps),
            countText(key % kCounts),
            m_family);
    }
}

} // namespace jetglass::style
