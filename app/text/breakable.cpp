// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/breakable.h"

namespace jetglass::text {

QString breakable(const QString& text)
{
    constexpr int kRun = 20;
    constexpr QChar kZeroWidthSpace(0x200B);
    QString out;
    out.reserve(text.size() + text.size() / 8);
    int run = 0;
    for (const QChar c : text) {
        if (run >= kRun && !c.isSpace() && !c.isLowSurrogate() && !c.isMark()) {
            out += kZeroWidthSpace;
            run = 0;
        }
        out += c;
        const bool joint = c == QLatin1Char('.') || c == QLatin1Char('-') || c == QLatin1Char('_');
        if (joint && run > 4)
            out += kZeroWidthSpace;
        run = c.isSpace() || (joint && run > 4) ? 0 : run + 1;
    }
    return out;
}

} // namespace jetglass::text
