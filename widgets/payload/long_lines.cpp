// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/long_lines.h"

namespace jetglass::payload {

QString breakLongLines(const QString& text, bool& broken)
{
    broken = false;
    QString out;
    qsizetype lineStart = 0; ///< of the line, or of the part after its last break
    qsizetype taken = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'\n') {
            lineStart = i + 1;
        } else if (i - lineStart >= kLongestLine && !text[i].isLowSurrogate()) {
            out += QStringView(text).mid(taken, i - taken);
            out += u'\n';
            taken = i;
            lineStart = i;
            broken = true;
        }
    }
    if (!broken) {
        return text;
    }
    return out += QStringView(text).mid(taken);
}

} // namespace jetglass::payload
