// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/consume_page.h"

#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QSpinBox>
#include <QTableView>

namespace jetglass::pages {

using client::AckKind;

/// One letter each while the list or a button has the focus; text fields keep their letters.
bool ConsumePage::actOnKey(const QKeyEvent& event)
{
    if (event.modifiers() != Qt::NoModifier)
        return false;
    switch (event.key()) {
    case Qt::Key_A:
        answerSelected(AckKind::Ack);
        return true;
    case Qt::Key_N:
        answerSelected(AckKind::Nak);
        return true;
    case Qt::Key_D:
        answerSelected(AckKind::NakDelay);
        return true;
    case Qt::Key_P:
        answerSelected(AckKind::InProgress);
        return true;
    case Qt::Key_T:
        answerSelected(AckKind::Term);
        return true;
    case Qt::Key_X:
        ackNext();
        return true;
    case Qt::Key_F:
        fetch();
        return true;
    default:
        return false;
    }
}

bool ConsumePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == view() && event->type() == QEvent::KeyPress
        && actOnKey(*static_cast<QKeyEvent*>(event)))
        return true;
    return QWidget::eventFilter(watched, event);
}

void ConsumePage::keyPressEvent(QKeyEvent* event)
{
    // The number fields pass Return on when they have taken what was typed.
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && (m_batch->hasFocus() || m_expires->hasFocus()))
        return fetch();
    if (!actOnKey(*event))
        QWidget::keyPressEvent(event);
}

} // namespace jetglass::pages
