// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/latin_text.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QPainter>

#include <algorithm>

namespace jetglass::style {

void LatinText::setFont(const QFont& font)
{
    m_font = QRawFont::fromFont(font, QFontDatabase::Latin);
    const QFontMetricsF metrics(font);
    m_height = metrics.height();
    m_ascent = metrics.ascent();
    m_complete = m_font.isValid();
    for (std::size_t i = 0; i < kCount && m_complete; ++i) {
        const QChar c = i == kEllipsis ? QChar(0x2026) : QChar(static_cast<char16_t>(kFirst + i));
        int found = 1;
        m_complete = m_font.glyphIndexesForChars(&c, 1, &m_glyphs[i], &found) && m_glyphs[i] != 0;
        m_advances[i] = metrics.horizontalAdvance(c);
    }
}

bool LatinText::covers(QStringView text) const
{
    return m_complete && std::all_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() >= kFirst && c.unicode() <= kLast;
    });
}

qreal LatinText::width(QStringView text) const
{
    qreal sum = 0;
    for (const QChar c : text) {
        sum += m_advances[indexOf(c)];
    }
    return sum;
}

void LatinText::add(std::size_t index)
{
    m_run.push_back(m_glyphs[index]);
    m_positions.emplace_back(m_end, 0);
    m_end += m_advances[index];
}

void LatinText::draw(QPainter& painter,
    const QRectF& room,
    Qt::Alignment side,
    Qt::TextElideMode mode,
    QStringView text)
{
    m_run.clear();
    m_positions.clear();
    m_end = 0;
    // How many characters of the beginning and of the end fit beside the ellipsis.
    qsizetype head = text.size();
    qsizetype tail = 0;
    if (width(text) > room.width()) {
        const qreal left = room.width() - m_advances[kEllipsis];
        const bool middle = mode == Qt::ElideMiddle;
        qreal used = 0;
        head = 0;
        while (head + tail < text.size()) {
            const bool back = middle && tail < head;
            const QChar next = back ? text[text.size() - 1 - tail] : text[head];
            used += m_advances[indexOf(next)];
            if (used > left) {
                break;
            }
            ++(back ? tail : head);
        }
    }
    for (const QChar c : text.first(head)) {
        add(indexOf(c));
    }
    if (head + tail < text.size()) {
        add(kEllipsis);
    }
    for (const QChar c : text.last(tail)) {
        add(indexOf(c));
    }
    if (m_run.empty()) {
        return;
    }
    QGlyphRun run;
    run.setRawFont(m_font);
    run.setRawData(m_run.data(), m_positions.data(), static_cast<int>(m_run.size()));
    const qreal left = side.testFlag(Qt::AlignRight) ? room.right() - m_end : room.left();
    const qreal baseline = room.top() + (room.height() - m_height) / 2 + m_ascent;
    painter.drawGlyphRun(QPointF(std::max(left, room.left()), baseline), run);
}

} // namespace jetglass::style
