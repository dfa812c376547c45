// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/reader_act.h"

#include "minimap/overview_strip.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

namespace jetglass::tests {

std::function<void(int)> readerAct(const QString& name, const Place& place, int frames)
{
    if (name == QLatin1String("wheel") || name == QLatin1String("zoom")) {
        const bool zoom = name == QLatin1String("zoom");
        return [area = place.area, zoom, frames](int i) {
            const QPointF at = area->viewport()->rect().center();
            const bool back = zoom ? i / 20 % 2 == 0 : i < frames / 2;
            const QPoint notch(0, zoom ? (back ? -120 : 120) : back ? 240 : -120);
            QWheelEvent wheel(at,
                area->viewport()->mapToGlobal(at),
                QPoint(),
                notch,
                Qt::NoButton,
                zoom ? Qt::ControlModifier : Qt::NoModifier,
                Qt::NoScrollPhase,
                false);
            QApplication::sendEvent(area->viewport(), &wheel);
        };
    }
    if (name == QLatin1String("keys")) {
        return [area = place.area, step = place.back](
                   int i) { QTest::keyClick(area, i % 3 == 0 ? Qt::Key_PageUp : step); };
    }
    if (name == QLatin1String("thumb")) {
        return [bar = place.bar, frames](int i) {
            bar->setSliderDown(true);
            const auto range = static_cast<double>(bar->maximum() - bar->minimum());
            const double share = 1 - std::abs(2.0 * i / frames - 1);
            bar->setSliderPosition(bar->minimum() + static_cast<int>(share * range));
        };
    }
    if (name == QLatin1String("strip")) {
        return [strip = place.strip, frames](int i) {
            const QRect track = strip->trackRect();
            const QPoint at(track.left() + track.width() * i / frames, track.center().y());
            if (i == 0)
                QTest::mousePress(strip, Qt::LeftButton, {}, at);
            QMouseEvent move(QEvent::MouseMove,
                at,
                strip->mapToGlobal(at),
                Qt::NoButton,
                Qt::LeftButton,
                Qt::NoModifier);
            QApplication::sendEvent(strip, &move);
            if (i == frames - 1)
                QTest::mouseRelease(strip, Qt::LeftButton, {}, at);
        };
    }
    return [](int) {};
}

} // namespace jetglass::tests
