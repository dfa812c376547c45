// SPDX-License-Identifier: GPL-3.0-or-later
// The hand side of MessageTable: keys, wheel, mouse, tooltips.
#include "messages/message_table.h"
#include "style/words.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>

namespace jetglass::messages {

using style::Words;

namespace {

constexpr int kNotch = 120; ///< eighths of a degree in one step of a wheel
constexpr int kRowsPerNotch = 3;

} // namespace

void MessageTable::keyPressEvent(QKeyEvent* event)
{
    if (m_source == nullptr || m_layout.isEmpty()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const quint64 page = m_layout.pageRows();
    const quint64 start =
        std::clamp(m_current.value_or(m_layout.lastVisible()), m_layout.first, m_layout.last);
    quint64 next = start;
    switch (event->key()) {
    case Qt::Key_Up:
        next = m_current ? start - std::min<quint64>(1, start - m_layout.first) : start;
        break;
    case Qt::Key_Down:
        next = m_current ? std::min(start + 1, m_layout.last) : start;
        break;
    case Qt::Key_PageUp:
        next = start - std::min(page, start - m_layout.first);
        break;
    case Qt::Key_PageDown:
        next = start + std::min(page, m_layout.last - start);
        break;
    case Qt::Key_Home:
        next = m_layout.first;
        break;
    case Qt::Key_End:
        next = m_layout.last;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current) {
            emit activated(currentSeq());
        }
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    setCurrent(next, true);
    if (event->key() == Qt::Key_End) {
        setFollowing(true);
    }
}

void MessageTable::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ShiftModifier)
        || std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y())) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    const int exact = event->pixelDelta().y();
    qint64 by = exact;
    if (exact == 0) {
        m_wheelRest += event->angleDelta().y() * kRowsPerNotch * m_layout.rowHeight;
        by = m_wheelRest / kNotch;
        m_wheelRest %= kNotch;
    }
    scrollTo(m_layout.top - by, true);
    event->accept();
}

void MessageTable::mousePressEvent(QMouseEvent* event)
{
    const auto position = m_layout.positionAt(event->position().toPoint().y());
    if (event->button() == Qt::LeftButton && position) {
        setCurrent(*position, true);
    }
}

void MessageTable::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto position = m_layout.positionAt(event->position().toPoint().y());
    if (event->button() == Qt::LeftButton && position && position == m_current) {
        emit activated(currentSeq());
    }
}

void MessageTable::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (m_current) {
            const QPoint at(m_metrics.pad, m_layout.yOf(*m_current) + m_layout.rowHeight);
            emit contextMenuRequested(currentSeq(), viewport()->mapToGlobal(at));
        }
        return;
    }
    const auto position = m_layout.positionAt(event->pos().y());
    if (position) {
        setCurrent(*position, true);
        emit contextMenuRequested(currentSeq(), event->globalPos());
    }
}

void MessageTable::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void MessageTable::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool MessageTable::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_source == nullptr) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto position = m_layout.positionAt(help->pos().y());
    const items::MessageItem* item = position ? m_source->row(*position) : nullptr;
    const int column = m_header->logicalIndexAt(help->pos().x());
    QString text;
    if (item != nullptr && item->stored && column >= 0) {
        // Only what was cut, and the date that the short time leaves out.
        const QString whole = cellText(*item, column);
        const int room = m_header->sectionSize(column) - m_metrics.pad * 2;
        if (column == Time) {
            text = Words::dateTime(item->time);
        } else if (QFontMetrics(m_metrics.body).horizontalAdvance(whole) > room) {
            text = whole;
        }
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(), text, viewport());
    }
    return true;
}

} // namespace jetglass::messages
