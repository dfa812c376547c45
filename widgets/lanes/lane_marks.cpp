// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of LanePainter that put words and lines around the cells: axis, cursor, floor, notes,
// headers, selection.
#include "lanes/lane_painter.h"
#include "style/words.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <optional>

namespace jetglass::lanes {

using style::Words;

namespace {

struct LaneTexts
{
    Q_DECLARE_TR_FUNCTIONS(Lanes)
};

constexpr int kLineWidth = 2;

/// A sequence on screen, or left or right of it.
enum class Side
{
    Left,
    Inside,
    Right
};

Side sideOf(int x, int width)
{
    if (x < 0) {
        return Side::Left;
    }
    return x > width ? Side::Right : Side::Inside;
}

} // namespace

void LanePainter::paintAxis(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    const QRect rect = layout.axisRect();
    if (frame.last < frame.first) {
        return;
    }
    painter.save();
    painter.setClipRect(rect & frame.dirty);
    const auto& axis = layout.axis();
    const QString widest = Words::seq(frame.last);
    const int least = static_cast<int>(widest.size()) * m_metrics.smallDigit + m_metrics.pad * 2;
    const quint64 step = axis.labelStep(least);
    const quint64 from = std::max(axis.firstVisible(), frame.first);
    quint64 seq = from == 0 ? step : (from + step - 1) / step * step;
    // One label earlier, whose end may reach into the view.
    seq = seq > step && seq - step >= frame.first ? seq - step : seq;
    const quint64 last = std::min(axis.lastVisible(), frame.last);
    for (; seq <= last; seq += step) {
        const QString text = Words::seq(seq);
        const int center = rect.left() + axis.xOf(seq) + layout.cellWidth() / 2;
        const bool chosen = seq == frame.selection.seq;
        drawSmall(painter,
            QPoint(center - smallWidth(text, chosen) / 2, rect.top() + m_metrics.gap),
            text,
            chosen ? m_theme->accent : m_theme->muted,
            chosen);
        painter.fillRect(center, rect.bottom() - 2, 1, 3, m_theme->faint);
        if (seq > last - std::min(last, step)) {
            break;
        }
    }
    painter.restore();
}

void LanePainter::paintStreamMarks(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    const items::StreamItem& stream = frame.source->stream();
    const QRect area = layout.cellsArea();
    painter.save();
    painter.setClipRect(area & layout.streamRow() & frame.dirty);
    const int y = layout.markLine(kStreamLane, 0);
    int taken = area.left();
    if (stream.nextOut != 0 && !stream.nextOutText.isEmpty()) {
        const int x = layout.axis().xOf(stream.nextOut);
        const QColor& color = m_theme->tone(stream.nextOutTone);
        const int width = smallWidth(stream.nextOutText, true);
        if (sideOf(x, area.width()) == Side::Inside) {
            const int left = area.left() + x - (layout.cellGap() + kLineWidth) / 2;
            // A bracket around the lower left corner: "this one goes first".
            painter.fillRect(left,
                layout.cellTop(kStreamLane) - 1,
                kLineWidth,
                layout.cellHeight(kStreamLane) + 4,
                color);
            painter.fillRect(left,
                layout.cellTop(kStreamLane) + layout.cellHeight(kStreamLane) + 1,
                std::max(layout.cellWidth(), 8),
                kLineWidth,
                color);
            const int at =
                std::clamp(left, area.left(), std::max(area.left(), area.right() - width));
            drawSmall(painter, QPoint(at, y), stream.nextOutText, color, true);
            taken = at + width;
        } else if (x < 0) {
            const QString text = QStringLiteral("\u25C2 ") % stream.nextOutText;
            drawSmall(painter, QPoint(area.left(), y), text, color, true);
            taken = area.left() + smallWidth(text, true);
        }
    }
    if (frame.last >= frame.first) {
        QString text = LaneTexts::tr("last %1").arg(frame.source->lastSeq());
        if (m_densityEstimated && !layout.axis().zoom().single()) {
            text += QStringLiteral(" · ") % LaneTexts::tr("counts partly estimated");
        }
        if (!stream.tailText.isEmpty()) {
            text += QStringLiteral(" · ") % stream.tailText;
        }
        const int end = layout.axis().xOf(frame.source->lastSeq()) + layout.cellWidth();
        const int right = area.left() + std::min(end, area.width() - m_metrics.gap);
        const int left = right - smallWidth(text, false);
        if (left > taken + m_metrics.pad && end <= area.width()) {
            drawSmall(painter, QPoint(left, y), text, m_theme->muted, false);
        }
    }
    painter.restore();
}

void LanePainter::paintLaneMarks(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const items::LaneItem& item = frame.source->lanes()[static_cast<std::size_t>(lane)];
    const QRect area = layout.cellsArea();
    const int halfGap = (layout.cellGap() + kLineWidth) / 2;
    Mark floor{layout.axis().xOf(item.ackFloor + 1) - halfGap, {}};
    Mark cursor{layout.axis().xOf(item.delivered + 1) - halfGap, {}};
    const bool same = item.ackFloor == item.delivered;
    if (item.delivered == 0) {
        cursor.text = LaneTexts::tr("nothing delivered yet");
    } else if (same) {
        floor.text = LaneTexts::tr("ack floor %1 = delivered").arg(item.ackFloor);
    } else {
        cursor.text = LaneTexts::tr("delivered %1").arg(item.delivered);
        if (item.ackFloor != 0) {
            floor.text = LaneTexts::tr("ack floor %1").arg(item.ackFloor);
        }
    }
    const int top = layout.cellTop(lane) - 4;
    const int height = layout.cellHeight(lane) + 8 + m_metrics.smallLine;
    if (sideOf(floor.x, area.width()) == Side::Inside && !floor.text.isEmpty()) {
        painter.fillRect(area.left() + floor.x, top, kLineWidth, height, m_theme->greenBorder);
    }
    if (sideOf(cursor.x, area.width()) == Side::Inside) {
        painter.fillRect(area.left() + cursor.x, top, kLineWidth, height, m_theme->accent);
    }
    const std::optional<int> gate = gateOf(frame, item);
    if (gate) {
        paintGate(painter, frame, lane, *gate);
    }
    const int y = layout.markLine(lane, 0);
    const auto [left, right] = paintMarkLabels(painter, area, y, floor, cursor, gate);
    if (!item.pull.isEmpty()) {
        paintPull(painter, area, y, left, right, item.pull);
    }
}

/// The floor's label ends at its line, the cursor's begins at its own; whatever lies outside is
/// pinned to the edge with an arrow. Returns what they cover.
std::pair<int, int> LanePainter::paintMarkLabels(
    QPainter& painter, const QRect& area, int y, Mark floor, Mark cursor, std::optional<int> gate)
{
    const int width = area.width();
    const auto pin = [width](Mark& mark) {
        const Side side = mark.text.isEmpty() ? Side::Inside : sideOf(mark.x, width);
        if (side == Side::Left) {
            mark.text.prepend(QStringLiteral("\u25C2 "));
        } else if (side == Side::Right) {
            mark.text.append(QStringLiteral(" \u25B8"));
        }
    };
    pin(floor);
    pin(cursor);
    const int gap = m_metrics.gap;
    const int floorWidth = floor.text.isEmpty() ? 0 : smallWidth(floor.text, true);
    const int cursorWidth = cursor.text.isEmpty() ? 0 : smallWidth(cursor.text, true);
    int floorLeft =
        std::clamp(floor.x - gap - floorWidth, gap, std::max(gap, width - floorWidth - gap));
    if (sideOf(floor.x, width) == Side::Inside && floor.x < floorWidth + 2 * gap) {
        floorLeft = floor.x + kLineWidth + gap; // no room left of its line
    }
    int cursorLeft =
        std::clamp(cursor.x + kLineWidth + gap, gap, std::max(gap, width - cursorWidth - gap));
    const bool cursorInside = sideOf(cursor.x, width) == Side::Inside;
    if (cursorInside && cursor.x + kLineWidth + gap + cursorWidth > width) {
        cursorLeft = cursor.x - gap - cursorWidth;
    }
    if (floorWidth > 0 && cursorWidth > 0) {
        const bool overlap = cursorLeft < floorLeft + floorWidth + m_metrics.pad
            && cursorLeft + cursorWidth + m_metrics.pad > floorLeft;
        if (overlap && (floorLeft <= gap || floorLeft > floor.x)) {
            cursorLeft = floorLeft + floorWidth + m_metrics.pad;
        } else if (overlap) {
            floorLeft = cursorLeft - m_metrics.pad - floorWidth;
        }
    }
    if (floorWidth > 0) {
        // A pinned label may lie across a line, which would strike it through.
        const auto crossed = [floorLeft, floorWidth](int x) {
            return x + kLineWidth > floorLeft && x < floorLeft + floorWidth;
        };
        if ((cursorInside && crossed(cursor.x)) || (gate && crossed(*gate))) {
            painter.fillRect(area.left() + floorLeft - 1,
                y,
                floorWidth + 2,
                m_metrics.smallLine,
                m_theme->window);
        }
        drawSmall(painter, QPoint(area.left() + floorLeft, y), floor.text, m_theme->green, true);
    }
    if (cursorWidth > 0) {
        drawSmall(painter, QPoint(area.left() + cursorLeft, y), cursor.text, m_theme->accent, true);
    }
    const int left = floorWidth == 0 ? cursorLeft
        : cursorWidth == 0           ? floorLeft
                                     : std::min(floorLeft, cursorLeft);
    const int right = std::max(floorWidth == 0 ? 0 : floorLeft + floorWidth,
        cursorWidth == 0 ? 0 : cursorLeft + cursorWidth);
    return {area.left() + left, area.left() + right};
}

/// An open request for messages: a pill beside the labels.
void LanePainter::paintPull(
    QPainter& painter, const QRect& area, int y, int left, int right, const QString& text)
{
    const int width = smallWidth(text, true) + m_metrics.pad;
    int at = right + m_metrics.pad;
    if (at + width > area.right()) {
        at = left - m_metrics.pad - width;
    }
    if (at < area.left()) {
        return;
    }
    const QRectF pill(at + 0.5, y - 0.5, width, m_metrics.smallLine + 1);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(m_theme->accent);
    painter.setBrush(m_theme->selection);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawSmall(painter, QPoint(at + m_metrics.pad / 2, y), text, m_theme->accent, true);
}

/// Where the line of what holds the consumer up stands, if it is on screen.
std::optional<int> LanePainter::gateOf(const LaneFrame& frame, const items::LaneItem& item)
{
    const LaneLayout& layout = *frame.layout;
    if (item.stall.isEmpty()) {
        return std::nullopt;
    }
    const quint64 at = item.stallSeq != 0 ? item.stallSeq : item.delivered + 1;
    const int x = layout.axis().xOf(at) - (layout.cellGap() + kLineWidth) / 2;
    return sideOf(x, layout.cellsArea().width()) == Side::Inside ? std::optional(x) : std::nullopt;
}

/// A closed gate: the line has a bar at both ends.
void LanePainter::paintGate(QPainter& painter, const LaneFrame& frame, int lane, int x)
{
    const LaneLayout& layout = *frame.layout;
    const int top = layout.cellTop(lane) - 4;
    const int bottom = layout.markLine(lane, 1) + m_metrics.smallLine - 2;
    const int left = layout.cellsArea().left() + x;
    painter.fillRect(left, top, kLineWidth, bottom - top, m_theme->redBorder);
    painter.fillRect(left - 4, top, 8 + kLineWidth, kLineWidth, m_theme->redBorder);
    painter.fillRect(left - 4, bottom - kLineWidth, 8 + kLineWidth, kLineWidth, m_theme->redBorder);
}

void LanePainter::paintNotes(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const items::LaneItem& item = frame.source->lanes()[static_cast<std::size_t>(lane)];
    const QRect area = layout.cellsArea();
    const int y = layout.markLine(lane, 1);
    int stallLeft = area.right() + 1;
    int stallRight = area.left();
    if (!item.stall.isEmpty()) {
        const quint64 at = item.stallSeq != 0 ? item.stallSeq : item.delivered + 1;
        const int x = layout.axis().xOf(at) - (layout.cellGap() + kLineWidth) / 2;
        const int width = smallWidth(item.stall, true);
        const int wanted = x + kLineWidth + m_metrics.gap;
        const int left = wanted + width > area.width() && x - m_metrics.gap - width >= 0
            ? std::min(x - m_metrics.gap * 2, area.width()) - width
            : std::clamp(wanted, 0, std::max(0, area.width() - width));
        stallLeft = area.left() + left;
        stallRight = stallLeft + width;
        drawSmall(painter, QPoint(stallLeft, y), item.stall, m_theme->red, true);
    }
    if (item.floorNote.isEmpty()) {
        return;
    }
    const int width = smallWidth(item.floorNote, false);
    const int x = layout.axis().xOf(item.ackFloor + 1);
    int left = area.left() + std::clamp(x, 0, std::max(0, area.width() - width));
    if (!item.stall.isEmpty() && left < stallRight && left + width > stallLeft) {
        // Clear of the gate's bars, which stand a little out to the left of its words.
        left = stallLeft - m_metrics.pad * 2 - width;
        if (left < area.left()) {
            left = stallRight + m_metrics.pad;
        }
    }
    const int room = area.right() - m_metrics.gap - left;
    const QString note = room >= width
        ? item.floorNote
        : QFontMetrics(m_metrics.small).elidedText(item.floorNote, Qt::ElideRight, room);
    drawSmall(painter, QPoint(left, y), note, m_theme->amber, false);
}

void LanePainter::paintHeader(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const QRect row = lane == kStreamLane ? layout.streamRow() : layout.laneRow(lane);
    const QRect column(0, row.top(), layout.headerWidth(), row.height());
    if (!column.intersects(frame.dirty)) {
        return;
    }
    QString name;
    QString kind;
    QString status;
    items::Tone tone{};
    if (lane == kStreamLane) {
        const items::StreamItem& stream = frame.source->stream();
        name = stream.name;
        kind = stream.kind;
        status = stream.status;
        tone = stream.statusTone;
    } else {
        const items::LaneItem& item = frame.source->lanes()[static_cast<std::size_t>(lane)];
        name = item.inferred ? QStringLiteral("\u2248 ") % item.name : item.name;
        kind = item.kind;
        status = item.status;
        tone = item.statusTone;
    }
    painter.save();
    painter.setClipRect(column & frame.dirty, Qt::IntersectClip);
    if (lane != kStreamLane && lane == frame.selection.lane && frame.selection.seq != 0) {
        painter.fillRect(column.left(), column.top() + 1, 3, column.height() - 1, m_theme->accent);
    }
    const int left = column.left() + m_metrics.pad;
    const int room = column.width() - m_metrics.pad * 2;
    int y = layout.cellTop(lane) - 2;
    painter.setFont(m_metrics.strong);
    painter.setPen(m_theme->text);
    m_strong.draw(painter, QPoint(left, y), elided(name, room, m_metrics.strong, Qt::ElideMiddle));
    y += m_metrics.line;
    drawSmall(painter, QPoint(left, y), elided(kind, room, m_metrics.small), m_theme->muted, false);
    y += m_metrics.smallLine;
    const bool strong = tone != items::Tone::Muted;
    drawSmall(painter,
        QPoint(left, y),
        elided(status, room, strong ? m_metrics.smallStrong : m_metrics.small),
        m_theme->tone(tone),
        strong);
    painter.restore();
}

void LanePainter::paintSelection(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    if (frame.selection.seq != 0) {
        painter.save();
        painter.setClipRect(layout.cellsArea().united(layout.axisRect()) & frame.dirty);
        const QRect cell = layout.cellRect(kStreamLane, frame.selection.seq);
        const int bottom = layout.lanesBottom();
        QPen pen(m_theme->accent, 2);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        const int out = layout.axis().zoom().cells() ? 2 : 3;
        const int top = layout.axisRect().bottom() - 1;
        painter.drawRect(QRect(cell.left() - out, top, cell.width() + out * 2, bottom - top));
        if (frame.selection.lane >= 0 && frame.selection.lane < layout.laneCount()
            && layout.axis().zoom().cells()) {
            painter.setClipRect(
                layout.cellsArea() & layout.lanesArea() & frame.dirty, Qt::IntersectClip);
            painter.drawRect(
                layout.cellRect(frame.selection.lane, frame.selection.seq).adjusted(0, 0, 0, 0));
        }
        painter.restore();
    }
    if (frame.focused) {
        painter.setPen(m_theme->accent);
        painter.setBrush(Qt::NoBrush);
        const QRect all(
            0, 0, layout.headerWidth() + layout.axis().width(), layout.cellsArea().bottom() + 1);
        painter.drawRect(all.adjusted(0, 0, -1, -1));
    }
}

const QString& LanePainter::elided(
    const QString& text, int width, const QFont& font, Qt::TextElideMode mode)
{
    if (m_elideWidth != width) {
        m_elideWidth = width;
        m_elided.clear();
    }
    // Status lines change often; the cache must not keep every second of a countdown.
    if (m_elided.size() > 500) {
        m_elided.clear();
    }
    const QString key = text % (font.bold() ? QLatin1Char('b') : QLatin1Char('n'))
        % QString::number(font.pointSizeF());
    const auto found = m_elided.constFind(key);
    if (found != m_elided.constEnd()) {
        return *found;
    }
    return *m_elided.insert(key, QFontMetrics(font).elidedText(text, mode, width));
}

} // namespace jetglass::lanes
