// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/explain_text.h"

#include <QFrame>

class QLabel;

namespace jetglass::pages {

/// The answer to "why?" on a tinted card: title, sentences, the settings that govern it.
class WhyCard final : public QFrame
{
    Q_OBJECT
public:
    explicit WhyCard(QWidget* parent = nullptr);

    void setExplanation(const text::Explanation& explanation);

signals:
    void settingClicked(const QString& setting);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    items::Tone m_tone = items::Tone::Normal;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_settings;
};

} // namespace jetglass::pages
