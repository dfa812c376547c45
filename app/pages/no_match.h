// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace jetglass::pages {

/// Stands where a filter left nothing: says so, and takes the filter away again.
class NoMatch final : public QLabel
{
    Q_OBJECT
public:
    explicit NoMatch(QWidget* parent = nullptr);

    /// What was looked for and not found; empty hides the line.
    void setWords(const QString& words);

signals:
    void clearWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString m_words;
};

} // namespace jetglass::pages
