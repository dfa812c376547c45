// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/json_highlighter.h"

namespace jetglass::payload {

JsonHighlighter::JsonHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
}

void JsonHighlighter::setTheme(const style::Theme& theme)
{
    m_key.setForeground(theme.codeKey);
    m_string.setForeground(theme.codeString);
    m_number.setForeground(theme.codeNumber);
    m_word.setForeground(theme.codeWord);
    rehighlight();
}

void JsonHighlighter::setActive(bool active)
{
    m_active = active;
}

void JsonHighlighter::highlightBlock(const QString& text)
{
    if (!m_active) {
        return;
    }
    const int size = static_cast<int>(text.size());
    for (int i = 0; i < size; ++i) {
        const QChar c = text[i];
        if (c == u'"') {
            int end = i + 1;
            while (end < size && text[end] != u'"') {
                end += text[end] == u'\\' ? 2 : 1;
            }
            end = std::min(end + 1, size);
            int after = end;
            while (after < size && text[after] == u' ') {
                ++after;
            }
            setFormat(i, end - i, after < size && text[after] == u':' ? m_key : m_string);
            i = end - 1;
        } else if (c.isDigit() || c == u'-') {
            int end = i + 1;
            while (
                end < size && (text[end].isDigit() || QStringView(u".eE+-").contains(text[end]))) {
                ++end;
            }
            setFormat(i, end - i, m_number);
            i = end - 1;
        } else if (c.isLetter()) {
            int end = i + 1;
            while (end < size && text[end].isLetter()) {
                ++end;
            }
            setFormat(i, end - i, m_word);
            i = end - 1;
        }
    }
}

} // namespace jetglass::payload
