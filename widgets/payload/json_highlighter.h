// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "style/theme.h"

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace jetglass::payload {

/// Colours keys, strings, numbers and the three words of JSON. Off for text and hex.
class JsonHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit JsonHighlighter(QTextDocument* document);
    void setTheme(const style::Theme& theme);
    void setActive(bool active);

protected:
    void highlightBlock(const QString& text) override;

private:
    bool m_active = false;
    QTextCharFormat m_key;
    QTextCharFormat m_string;
    QTextCharFormat m_number;
    QTextCharFormat m_word;
};

} // namespace jetglass::payload
