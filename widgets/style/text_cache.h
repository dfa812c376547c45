// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>

class QPainter;

namespace jetglass::style {

/// Laid-out single lines by text, so that a label which stays is not laid out again in each frame.
/// One cache per font.
class TextCache
{
public:
    void setFont(const QFont& font);
    [[nodiscard]] const QFont& font() const { return m_font; }
    [[nodiscard]] int width(const QString& text);
    /// Draws with the painter's font and pen; the caller has set this cache's font. Texts at the
    /// same height stand on one line, also where another font lends its letters.
    void draw(QPainter& painter, QPointF topLeft, const QString& text);
    void clear() { m_texts.clear(); }

private:
    struct Entry
    {
        QStaticText text;
        int width = 0;
        qreal lift = 0; ///< by how much its letters are higher than the font's own
    };
    const Entry& entry(const QString& text);

    QFont m_font;
    QHash<QString, Entry> m_texts;
};

} // namespace jetglass::style
