// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/cell_shapes.h"

#include <QFont>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace jetglass::style {

namespace {

constexpr qreal kRadius = 3;

/// Empty cells stay empty at any size; filled ones turn solid when their shape has no room.
bool isHollow(const StateLook& look)
{
    return look.border != look.fill && look.shape != Shape::Ring && look.shape != Shape::RingDots
        && look.shape != Shape::Clock && look.shape != Shape::Flag;
}

void paintBox(QPainter& painter, const QRectF& cell, const StateLook& look, bool shapes)
{
    const QRectF box = cell.adjusted(0.5, 0.5, -0.5, -0.5);
    const qreal radius = std::min(kRadius, cell.width() / 5);
    QPen pen(look.border.isValid() ? look.border : look.fill, 1);
    if (look.dashed) {
        pen.setDashPattern({2.5, 2});
    }
    painter.setPen(look.border.isValid() ? pen : QPen(Qt::NoPen));
    painter.setBrush(shapes || isHollow(look) ? look.fill : look.solid);
    painter.drawRoundedRect(box, radius, radius);
}

QPen strokePen(const QColor& color, qreal width)
{
    return QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
}

void paintCheck(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke)
{
    painter.setPen(strokePen(ink, stroke));
    const QPointF points[] = {{r.left() + r.width() * 0.26, r.top() + r.height() * 0.53},
        {r.left() + r.width() * 0.43, r.top() + r.height() * 0.70},
        {r.left() + r.width() * 0.75, r.top() + r.height() * 0.31}};
    painter.drawPolyline(points, 3);
}

void paintCross(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke)
{
    const qreal in = r.width() * 0.3;
    const QRectF x = r.adjusted(in, in, -in, -in);
    painter.setPen(strokePen(ink, stroke));
    painter.drawLine(x.topLeft(), x.bottomRight());
    painter.drawLine(x.topRight(), x.bottomLeft());
}

void paintFlag(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke)
{
    const qreal x = r.left() + r.width() * 0.32;
    const qreal top = r.top() + r.height() * 0.22;
    painter.setPen(strokePen(ink, stroke));
    painter.drawLine(QPointF(x, top), QPointF(x, r.top() + r.height() * 0.8));
    QPainterPath cloth(QPointF(x, top));
    cloth.lineTo(r.left() + r.width() * 0.78, r.top() + r.height() * 0.36);
    cloth.lineTo(x, r.top() + r.height() * 0.52);
    cloth.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPath(cloth);
}

/// The rest of the time as an arc that shrinks towards twelve o'clock, over a pale full circle.
void paintRing(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke, double left)
{
    QColor track = ink;
    track.setAlphaF(0.22F);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(track, stroke));
    painter.drawEllipse(r);
    if (left > 0) {
        painter.setPen(QPen(ink, stroke, Qt::SolidLine, Qt::FlatCap));
        painter.drawArc(r, 90 * 16, static_cast<int>(std::lround(-left * 360 * 16)));
    }
}

void paintClock(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke, double left)
{
    paintRing(painter, r, ink, stroke, left);
    painter.setPen(strokePen(ink, stroke));
    const QPointF c = r.center();
    painter.drawLine(c, QPointF(c.x(), c.y() - r.height() * 0.3));
    painter.drawLine(c, QPointF(c.x() + r.width() * 0.22, c.y() + r.height() * 0.1));
}

void paintLoop(QPainter& painter, const QRectF& r, const QColor& ink, qreal stroke)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, stroke, Qt::SolidLine, Qt::FlatCap));
    painter.drawArc(r, 50 * 16, 280 * 16);
    // The head sits where the arc starts and points back down the circle.
    constexpr double kStart = 50.0 * 3.14159265358979 / 180.0;
    const QPointF tip(r.center().x() + std::cos(kStart) * r.width() / 2,
        r.center().y() - std::sin(kStart) * r.height() / 2);
    const qreal a = r.width() * 0.3;
    QPainterPath head(QPointF(tip.x() + a * 0.75, tip.y() - a * 0.75));
    head.lineTo(tip.x() + a * 0.75, tip.y() + a * 0.75);
    head.lineTo(tip.x() - a * 0.75, tip.y() + a * 0.6);
    head.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPath(head);
}

void paintText(QPainter& painter,
    const QRectF& r,
    const QString& text,
    const QColor& ink,
    const QString& family,
    qreal pixels)
{
    QFont font(family);
    font.setPixelSize(std::max(7, static_cast<int>(std::lround(pixels))));
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(r, Qt::AlignCenter, text);
}

void paintSpot(QPainter& painter, const QPointF& c, qreal radius, const QColor& ink)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(c, radius, radius);
}

/// A count in the lower right corner, for shapes that have no room for it inside.
void paintCornerCount(QPainter& painter,
    const QRectF& cell,
    const StateLook& look,
    const QString& count,
    const QString& family)
{
    const qreal size = std::clamp(cell.height() * 0.36, 7.0, 11.0);
    const QRectF corner(cell.right() - size * (count.size() > 1 ? 1.35 : 0.85) - 1.5,
        cell.bottom() - size - 1,
        size * (count.size() > 1 ? 1.35 : 0.85),
        size);
    paintText(painter, corner, count, look.ink, family, size);
}

void paintNumberedRing(QPainter& painter,
    const QRectF& ring,
    const QColor& ink,
    qreal stroke,
    double left,
    const QString& number,
    const QString& family)
{
    paintRing(painter, ring, ink, stroke, left);
    if (number.isEmpty()) {
        return;
    }
    paintText(painter, ring, number, ink, family, ring.height() * (number.size() > 1 ? 0.5 : 0.62));
}

void paintDottedRing(
    QPainter& painter, const QRectF& ring, const QColor& ink, qreal stroke, double left)
{
    paintRing(painter, ring, ink, stroke, left);
    const qreal step = ring.width() * 0.22;
    for (int i = -1; i <= 1; ++i) {
        paintSpot(painter, ring.center() + QPointF(i * step, 0), stroke * 0.6, ink);
    }
}

} // namespace

void paintCell(QPainter& painter,
    const QRectF& cell,
    const StateLook& look,
    double left,
    const QString& count,
    const QString& fontFamily)
{
    const qreal side = std::min(cell.width(), cell.height());
    const bool timed =
        look.shape == Shape::Ring || look.shape == Shape::RingDots || look.shape == Shape::Clock;
    // A wide cell keeps its right side free for the words of its countdown.
    const qreal left0 =
        timed && cell.width() > cell.height() * 1.7 ? cell.left() : cell.center().x() - side / 2;
    const QRectF square(left0, cell.center().y() - side / 2, side, side);
    const bool shapes = side >= 11;
    if (look.border.isValid()) {
        paintBox(painter, cell, look, shapes);
    }
    if (look.shape == Shape::Dot) {
        paintSpot(painter, cell.center(), std::clamp(side * 0.11, 1.0, 3.0), look.ink);
        return;
    }
    if (look.shape == Shape::Dash) {
        const qreal half = std::clamp(side * 0.16, 1.5, 4.0);
        painter.fillRect(
            QRectF(cell.center().x() - half, cell.center().y() - 0.75, half * 2, 1.5), look.ink);
        return;
    }
    if (look.shape == Shape::Empty || !shapes) {
        return;
    }
    const qreal stroke = std::clamp(side / 13.0, 1.3, 2.2);
    const qreal in = std::max(3.0, side * 0.17);
    const QRectF ring = square.adjusted(in, in, -in, -in);
    const bool roomInside = side >= 18;
    QString corner = count;
    switch (look.shape) {
    case Shape::Ring:
        corner = corner.isEmpty() ? QStringLiteral("1") : corner;
        paintNumberedRing(
            painter, ring, look.ink, stroke, left, roomInside ? corner : QString(), fontFamily);
        corner.clear();
        break;
    case Shape::RingDots:
        paintDottedRing(painter, ring, look.ink, stroke, left);
        break;
    case Shape::Clock:
        paintClock(painter, ring, look.ink, stroke, left);
        break;
    case Shape::Loop:
        paintLoop(painter, ring.adjusted(1, 1, -1, -1), look.ink, stroke);
        break;
    case Shape::Check:
        paintCheck(painter, square, look.ink, stroke);
        break;
    case Shape::Cross:
        paintCross(painter, square, look.ink, stroke);
        break;
    case Shape::Flag:
        paintFlag(painter, square, look.ink, stroke);
        break;
    case Shape::Speck:
        paintSpot(painter, cell.center(), std::clamp(side * 0.1, 1.5, 3.0), look.ink);
        break;
    case Shape::Dot:
    case Shape::Dash:
    case Shape::Empty:
        break;
    }
    if (!corner.isEmpty() && roomInside) {
        paintCornerCount(painter, cell, look, corner, fontFamily);
    }
}

void paintGap(QPainter& painter, const QRectF& cell, const Theme& theme, items::Gap gap)
{
    const QColor& line = gap == items::Gap::Lost ? theme.redBorder : theme.faint;
    const QRectF box = cell.adjusted(0.5, 0.5, -0.5, -0.5);
    const qreal radius = std::min(kRadius, cell.width() / 5);
    if (gap == items::Gap::Skipped) {
        QPen dots(theme.muted, 1);
        dots.setDashPattern({1, 2});
        painter.setPen(dots);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, radius, radius);
        return;
    }
    painter.save();
    QPainterPath clip;
    clip.addRoundedRect(box, radius, radius);
    painter.setClipPath(clip, Qt::IntersectClip);
    painter.setPen(QPen(line, 1));
    constexpr int kStep = 5;
    for (qreal x = box.left() - box.height(); x < box.right(); x += kStep) {
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    }
    painter.restore();
    painter.setPen(QPen(line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, radius, radius);
}

void paintLoadingCell(QPainter& painter, const QRectF& cell, const QColor& fill)
{
    const qreal inY = cell.height() * 0.3;
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(cell.adjusted(1, inY, -1, -inY), 2, 2);
}

} // namespace jetglass::style
