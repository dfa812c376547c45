// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/text_cache.h"

#include <QPainter>

#include <cmath>

namespace jetglass::style {

namespace {

/// Countdown texts change all the time: old ones have to go at some point.
constexpr qsizetype kMost = 2000;

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
    Entry entry{QStaticText(text), 0};
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
    painter.drawStaticText(topLeft, entry(text).text);
}

} // namespace jetglass::style
