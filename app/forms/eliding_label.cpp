// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/eliding_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include <algorithm>

namespace jetglass::forms {

ElidingLabel::ElidingLabel(QWidget* parent, Qt::TextElideMode mode)
    : QLabel(parent)
    , m_mode(mode)
{
    setTextFormat(Qt::PlainText);
}

QSize ElidingLabel::minimumSizeHint() const
{
    constexpr int kFewLetters = 6;
    const QSize all = QLabel::minimumSizeHint();
    return {std::min(all.width(), fontMetrics().averageCharWidth() * kFewLetters), all.height()};
}

bool ElidingLabel::isElided() const
{
    return fontMetrics().horizontalAdvance(text()) > contentsRect().width();
}

bool ElidingLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !isElided())
        return QLabel::event(event);
    const QString more = toolTip().isEmpty() ? QString() : QLatin1Char('\n') + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text() + more, this);
    return true;
}

void ElidingLabel::paintEvent(QPaintEvent* event)
{
    if (!isElided())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    const QRect room = contentsRect();
    style()->drawItemText(&painter,
        room,
        static_cast<int>(alignment()),
        palette(),
        isEnabled(),
        fontMetrics().elidedText(text(), m_mode, room.width()),
        foregroundRole());
}

} // namespace jetglass::forms
