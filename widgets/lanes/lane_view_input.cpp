// SPDX-License-Identifier: GPL-3.0-or-later
// The hand side of LaneView: mouse, wheel, keys, tooltips, zoom.
#include "lanes/lane_view.h"
#include "lanes/lane_words.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace jetglass::lanes {

using axis::SequenceZoom;

namespace {

constexpr int kNotch = 120; ///< eighths of a degree in one step of a wheel
constexpr int kWheelPixels = 96;

} // namespace

void LaneView::setZoom(SequenceZoom zoom)
{
    changeZoom(zoom, std::nullopt);
}

void LaneView::zoomIn()
{
    changeZoom(zoom().in(), std::nullopt);
}

void LaneView::zoomOut()
{
    stepZoom(false, std::nullopt);
}

void LaneView::stepZoom(bool in, std::optional<int> anchorX)
{
    if (!in && !isEmpty()) {
        // No further out than the whole stream: a step more would show nothing new.
        const quint64 count = m_source->lastSeq() - firstShown() + 1;
        const auto whole = SequenceZoom::fitting(count, m_layout.axis().width() / 2);
        const SequenceZoom next = zoom().out();
        const bool further = next.sequences > whole.sequences
            || (next.single() && whole.single() && next.pixels < whole.pixels);
        if (further && !next.cells()) {
            return;
        }
    }
    changeZoom(in ? zoom().in() : zoom().out(), anchorX);
}

void LaneView::resetZoom()
{
    changeZoom(SequenceZoom{}, std::nullopt);
}

void LaneView::zoomToFit()
{
    if (isEmpty()) {
        return;
    }
    const quint64 count = m_source->lastSeq() - firstShown() + 1;
    changeZoom(SequenceZoom::fitting(count, m_layout.axis().width() - tailRoom()), std::nullopt);
}

void LaneView::changeZoom(SequenceZoom zoom, std::optional<int> anchorX)
{
    if (zoom == this->zoom()) {
        return;
    }
    const bool selectionOnScreen =
        m_selection.seq != 0 && window().contains(m_selection.seq) && !anchorX;
    const int anchor = anchorX.value_or(
        selectionOnScreen ? m_layout.axis().xOf(m_selection.seq) : m_layout.axis().width() / 2);
    const axis::SequenceAxis next = m_layout.axis().zoomed(zoom, anchor);
    m_layout.setAxis(next);
    m_painter.forgetTimed();
    m_lastWindow = {};
    m_scroll.setRange(next.left(), next.left(), 1);
    m_scroll.setPosition(next.left());
    if (!isEmpty()) {
        const qint64 first = next.pixelOf(firstShown()) - 6;
        const qint64 end = next.pixelOf(lastShown() + 1) + tailRoom();
        m_scroll.setRange(first, end - next.width(), next.width());
    }
    updateBounds();
    viewport()->update();
    emit zoomChanged();
}

void LaneView::showFrom(quint64 seq)
{
    scrollTo(m_layout.axis().pixelOf(seq) - 6, true);
}

void LaneView::ensureVisible(quint64 seq)
{
    if (isEmpty()) {
        return;
    }
    const int x = m_layout.axis().xOf(seq);
    const int cell = m_layout.cellWidth();
    const int width = m_layout.axis().width();
    if (x >= 0 && x + cell <= width) {
        return;
    }
    const qint64 pixel = m_layout.axis().pixelOf(seq);
    const bool near = x > -width && x < 2 * width;
    if (!near) {
        scrollTo(pixel - width / 2, true);
    } else {
        scrollTo(x < 0 ? pixel - cell : pixel + cell + cell - width, true);
    }
}

void LaneView::pick(quint64 seq, int lane)
{
    const LaneSelection before = m_selection;
    select(seq, lane);
    if (before != m_selection) {
        emit selected(m_selection.seq, m_selection.lane);
    }
}

bool LaneView::moveSelection(int key, bool control)
{
    if (isEmpty()) {
        return false;
    }
    const quint64 first = firstShown();
    const quint64 last = lastShown();
    const axis::SeqRange now = window();
    const quint64 page = std::max<quint64>(1, now.count() > 2 ? now.count() - 1 : 1);
    const quint64 step = zoom().sequences;
    LaneSelection next = m_selection;
    if (next.seq == 0) {
        next = {std::clamp(now.last, first, last), kStreamLane};
        if (key == Qt::Key_Home || key == Qt::Key_End) {
            next.seq = key == Qt::Key_Home ? first : last;
        }
    } else {
        const auto back = [&](quint64 by) { return next.seq > by + first ? next.seq - by : first; };
        const auto ahead = [&](quint64 by) {
            return last - std::min(last, next.seq) > by ? next.seq + by : last;
        };
        switch (key) {
        case Qt::Key_Left:
            next.seq = back(control ? page / 2 : step);
            break;
        case Qt::Key_Right:
            next.seq = ahead(control ? page / 2 : step);
            break;
        case Qt::Key_PageUp:
            next.seq = back(page);
            break;
        case Qt::Key_PageDown:
            next.seq = ahead(page);
            break;
        case Qt::Key_Home:
            next.seq = first;
            break;
        case Qt::Key_End:
            next.seq = last;
            break;
        case Qt::Key_Up:
            next.lane = std::max(next.lane - 1, kStreamLane);
            break;
        case Qt::Key_Down:
            next.lane = std::min(next.lane + 1, m_layout.laneCount() - 1);
            break;
        default:
            return false;
        }
    }
    ensureVisible(next.seq);
    if (key == Qt::Key_End) {
        setFollowing(true);
    }
    if (next.lane >= 0) {
        const QRect row = m_layout.laneRow(next.lane);
        const QRect area = m_layout.lanesArea();
        QScrollBar* bar = verticalScrollBar();
        if (row.top() < area.top()) {
            bar->setValue(bar->value() + row.top() - area.top());
        } else if (row.bottom() > area.bottom()) {
            bar->setValue(bar->value() + row.bottom() - area.bottom());
        }
    }
    pick(next.seq, next.lane);
    return true;
}

void LaneView::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_0:
        if (control) {
            resetZoom();
            return;
        }
        break;
    case Qt::Key_F:
        if (event->modifiers() == Qt::NoModifier) {
            zoomToFit();
            return;
        }
        break;
    case Qt::Key_Escape:
        if (m_selection.seq != 0) {
            pick(0, kStreamLane);
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selection.seq != 0) {
            emit activated(m_selection.seq, m_selection.lane);
            return;
        }
        break;
    default:
        if (moveSelection(event->key(), control)) {
            return;
        }
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void LaneView::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        m_wheelRest += angle.y() != 0 ? angle.y() : angle.x();
        const int x = static_cast<int>(event->position().x()) - m_layout.headerWidth();
        while (std::abs(m_wheelRest) >= kNotch) {
            const bool in = m_wheelRest > 0;
            // At the live edge the newest message is the anchor, or zooming would lose it.
            const std::optional<int> anchor =
                m_following ? std::nullopt : std::optional(std::max(0, x));
            stepZoom(in, anchor);
            m_wheelRest += in ? -kNotch : kNotch;
        }
        event->accept();
        return;
    }
    const bool sideways = std::abs(angle.x()) > std::abs(angle.y())
        || event->modifiers().testFlag(Qt::ShiftModifier) || verticalScrollBar()->maximum() == 0;
    if (!sideways) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    const QPoint pixels = event->pixelDelta();
    const int raw = std::abs(angle.x()) > std::abs(angle.y()) ? angle.x() : angle.y();
    const int exact = std::abs(pixels.x()) > std::abs(pixels.y()) ? pixels.x() : pixels.y();
    const int by = exact != 0 ? exact : raw * kWheelPixels / kNotch;
    scrollTo(m_scroll.position() - by, true);
    event->accept();
}

void LaneView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    m_press = event->position().toPoint();
    m_pressLeft = m_scroll.position();
    m_panning = false;
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_press || !event->buttons().testFlag(Qt::LeftButton)) {
        return;
    }
    const QPoint moved = event->position().toPoint() - *m_press;
    if (!m_panning && std::abs(moved.x()) >= QApplication::startDragDistance()
        && m_press->x() >= m_layout.headerWidth()) {
        m_panning = true;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (m_panning) {
        scrollTo(m_pressLeft - moved.x(), true);
    }
}

void LaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_press) {
        return;
    }
    m_press.reset();
    if (m_panning) {
        m_panning = false;
        viewport()->unsetCursor();
        return;
    }
    const LaneHit hit = m_layout.hit(event->position().toPoint());
    if (hit.part == LaneHit::Part::Header) {
        emit headerClicked(hit.lane);
        return;
    }
    const bool onMessage = !isEmpty() && hit.seq >= firstShown() && hit.seq <= lastShown();
    if (hit.part == LaneHit::Part::Cells || hit.part == LaneHit::Part::Axis) {
        pick(onMessage ? hit.seq : 0, onMessage && hit.lane >= 0 ? hit.lane : kStreamLane);
    } else {
        pick(0, kStreamLane);
    }
}

void LaneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const LaneHit hit = m_layout.hit(event->position().toPoint());
    if (hit.part == LaneHit::Part::Cells && m_selection.seq == hit.seq && hit.seq != 0) {
        emit activated(hit.seq, hit.lane);
    }
}

void LaneView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (byKey && m_selection.seq != 0) {
        const QRect cell = m_layout.cellRect(m_selection.lane, m_selection.seq);
        emit contextMenuRequested(
            m_selection.seq, m_selection.lane, viewport()->mapToGlobal(cell.center()));
        return;
    }
    const LaneHit hit = m_layout.hit(event->pos());
    const bool onMessage = hit.part == LaneHit::Part::Cells && !isEmpty() && hit.seq >= firstShown()
        && hit.seq <= lastShown();
    if (onMessage) {
        pick(hit.seq, hit.lane);
    }
    if (hit.part == LaneHit::Part::Cells || hit.part == LaneHit::Part::Header) {
        emit contextMenuRequested(onMessage ? hit.seq : 0, hit.lane, event->globalPos());
    }
}

void LaneView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    announce();
    viewport()->update();
}

void LaneView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

QString LaneView::tooltipAt(const QPoint& point) const
{
    const LaneHit hit = m_layout.hit(point);
    if (hit.part == LaneHit::Part::Header) {
        return headerWords(*m_source, hit.lane);
    }
    if (hit.part != LaneHit::Part::Cells || isEmpty() || hit.seq < firstShown()
        || hit.seq > lastShown()) {
        return {};
    }
    const int top = m_layout.cellTop(hit.lane);
    if (point.y() < top || point.y() > top + m_layout.cellHeight(hit.lane)) {
        return {};
    }
    if (zoom().single()) {
        return cellWords(*m_source, hit.lane, hit.seq, true);
    }
    return m_density ? densityWords(*m_source, *m_density, hit.lane, hit.seq) : QString();
}

bool LaneView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_source == nullptr) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tooltipAt(help->pos());
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(), text, viewport());
    }
    return true;
}

} // namespace jetglass::lanes
