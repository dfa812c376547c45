// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/text_cache.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace jetglass::style {

namespace {

/// Countdown texts change all the time: old ones have to go at some point.
constexpr qsizetype kMost = 2000;

constexpr char16_t kLastOfOwn = 0x24F; ///< Latin, which the font itself has

/// A text with letters of another font (Chinese, arrows) is laid out as high as that font wants,
/// and its letters stand lower than those of a plain text beside it.
qreal liftOf(const QString& text, const QFont& font)
{
    const bool own =
        std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() <= kLastOfOwn; });
    if (own) {
        return 0;
    }
    QTextLayout layout(text, font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    return line.isValid() ? line.ascent() - QFontMetricsF(font).ascent() : 0;
}

} // namespace

void TextCache::setFont(const QFont& font)
{
    m_font = font;
    m_texts.clear();
}

const TextCache::Entry& TextCache::entry(const QString& text)
{
    const auto found = m_texts.constFind(text);
    if (found != m_texts.constEnd()) {
        return *found;
    }
    if (m_texts.size() >= kMost) {
        m_texts.clear();
    }
    Entry entry{QStaticText(text), 0, std::round(liftOf(text, m_font))};
    entry.text.setTextFormat(Qt::PlainText);
    entry.text.prepare(QTransform(), m_font);
    entry.width = static_cast<int>(std::ceil(entry.text.size().width()));
    return *m_texts.insert(text, entry);
}

int TextCache::width(const QString& text)
{
    return entry(text).width;
}

void TextCache::draw(QPainter& painter, QPointF topLeft, const QString& text)
{
    const Entry& known = entry(text);
    painter.drawStaticText(topLeft - QPointF(0, known.lift), known.text);
}

} // namespace jetglass::style
