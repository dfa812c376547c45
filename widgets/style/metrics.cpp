// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/metrics.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetrics>

#include <algorithm>

namespace jetglass::style {

namespace {

QFont scaled(const QFont& font, qreal factor)
{
    QFont result = font;
    if (font.pixelSize() > 0) {
        result.setPixelSize(std::max(9, static_cast<int>(font.pixelSize() * factor)));
    } else {
        result.setPointSizeF(std::max(6.5, font.pointSizeF() * factor));
    }
    return result;
}

} // namespace

qreal pixelSize(const QFont& font)
{
    return QFontInfo(font).pixelSize();
}

QFont fixedFont(const QFont& font)
{
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (font.pixelSize() > 0) {
        mono.setPixelSize(font.pixelSize());
    } else {
        mono.setPointSizeF(font.pointSizeF());
    }
    return mono;
}

Metrics Metrics::of(const QFont& font)
{
    Metrics m;
    m.body = font;
    m.strong = font;
    m.strong.setBold(true);
    m.small = scaled(font, 0.88);
    m.smallStrong = m.small;
    m.smallStrong.setBold(true);
    m.mono = fixedFont(font);
    const QFontMetrics body(m.strong);
    const QFontMetrics small(m.smallStrong);
    m.line = body.height();
    m.smallLine = small.height();
    m.smallDigit = small.horizontalAdvance(QLatin1Char('0'));
    m.gap = std::max(3, m.line / 5);
    m.pad = std::max(8, m.line / 2);
    return m;
}

} // namespace jetglass::style
