// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/no_match.h"

#include "forms/tone.h"

#include <QEvent>

namespace jetglass::pages {

namespace {

constexpr qsizetype kMostShown = 60;

}

NoMatch::NoMatch(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    setMargin(12);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QLabel::linkActivated, this, &NoMatch::clearWanted);
    hide();
}

void NoMatch::setWords(const QString& words)
{
    m_words = words;
    retranslate();
    setVisible(!words.isEmpty());
}

void NoMatch::retranslate()
{
    QString shown = m_words;
    if (shown.size() > kMostShown)
        shown = shown.left(kMostShown) + QStringLiteral("…");
    forms::say(this,
        forms::Tone::Quiet,
        QStringLiteral("%1<br><a href=\"clear\">%2</a>")
            .arg(tr("Nothing matches “%1”.").arg(shown.toHtmlEscaped()), tr("Clear the filter")));
}

void NoMatch::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QLabel::changeEvent(event);
}

} // namespace jetglass::pages
