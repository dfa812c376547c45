// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/why_card.h"

#include "style/theme.h"
#include "text/breakable.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace jetglass::pages {

WhyCard::WhyCard(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_settings(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(4);
    for (QLabel* label : {m_title, m_text, m_settings}) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    m_title->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::PlainText);
    m_settings->setTextFormat(Qt::RichText);
    m_settings->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    connect(m_settings, &QLabel::linkActivated, this, &WhyCard::settingClicked);
}

void WhyCard::setExplanation(const text::Explanation& explanation)
{
    m_tone = explanation.tone;
    m_title->setText(text::breakable(explanation.title));
    m_text->setText(text::breakable(explanation.sentences.join(QLatin1Char('\n'))));
    QStringList links;
    for (const QString& setting : explanation.settings)
        links << QStringLiteral("<a href=\"%1\">%1</a>").arg(setting.toHtmlEscaped());
    m_settings->setText(links.join(QStringLiteral(" &nbsp; ")));
    m_settings->setVisible(!links.isEmpty());
    setAccessibleName(explanation.title);
    setAccessibleDescription(explanation.sentences.join(QLatin1Char('\n')));
    update();
}

void WhyCard::paintEvent(QPaintEvent*)
{
    const style::Theme& theme = style::Theme::of(palette());
    QColor fill = theme.raised;
    QColor border = theme.line;
    if (m_tone == items::Tone::Waiting) {
        fill = theme.amberFill;
        border = theme.amberBorder;
    } else if (m_tone == items::Tone::Blocked) {
        fill = theme.redFill;
        border = theme.redBorder;
    } else if (m_tone == items::Tone::Done) {
        fill = theme.greenFill;
        border = theme.greenBorder;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(border);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

} // namespace jetglass::pages
