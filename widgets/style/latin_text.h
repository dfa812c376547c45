// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRawFont>
#include <QString>

#include <array>
#include <vector>

class QPainter;

namespace jetglass::style {

/// Single lines of plain Latin text, drawn without laying them out: a glyph and an advance for each
/// printable ASCII character are looked up once per font. Rows that are new in every frame cost a
/// fraction of what a text layout takes. Text that needs shaping is not for this: see covers().
class LatinText
{
public:
    void setFont(const QFont& font);
    /// Whether each character stands for itself; false while the font has no glyph for one of them.
    [[nodiscard]] bool covers(QStringView text) const;
    /// \pre covers(text)
    [[nodiscard]] qreal width(QStringView text) const;
    /// Draws with the painter's pen into \a room, vertically centred, cut with an ellipsis where
    /// it does not fit. \pre covers(text)
    void draw(QPainter& painter,
        const QRectF& room,
        Qt::Alignment side,
        Qt::TextElideMode mode,
        QStringView text);

private:
    static constexpr char16_t kFirst = u' ';
    static constexpr char16_t kLast = u'~';
    static constexpr std::size_t kCount = kLast - kFirst + 2; ///< the last one is the ellipsis
    static constexpr std::size_t kEllipsis = kCount - 1;

    [[nodiscard]] static std::size_t indexOf(QChar c)
    {
        return static_cast<std::size_t>(c.unicode() - kFirst);
    }
    void add(std::size_t index);

    QRawFont m_font;
    std::array<quint32, kCount> m_glyphs{};
    std::array<qreal, kCount> m_advances{};
    qreal m_height = 0;
    qreal m_ascent = 0;
    bool m_complete = false;
    std::vector<quint32> m_run; ///< of the text that is being drawn
    std::vector<QPointF> m_positions;
    qreal m_end = 0;
};

} // namespace jetglass::style
