// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes in a window of their own, on a style that does not depend on the machine.
#pragma once

#include "lanes/lane_view.h"
#include "support/picture.h"
#include "support/sample_lanes.h"

#include <QApplication>
#include <QStyleFactory>
#include <QTest>

namespace jetglass::tests {

/// One lane in which every sequence has the same state.
inline void fillUniform(SampleLanes& source, items::CellState state, quint64 last = 100)
{
    source.setStream({}, [](quint64) {
        items::StreamCell cell;
        cell.stored = true;
        return cell;
    });
    const qint64 now = source.now();
    items::LaneItem item;
    item.name = QStringLiteral("c");
    source.addLane(item, [state, now](quint64) {
        items::LaneCell cell;
        cell.state = state;
        cell.deliveries = 1;
        cell.since = now;
        cell.deadline = now + 1000;
        return cell;
    });
    source.setBounds(1, last);
}

/// The light theme and one style, whatever the machine has.
inline void setStyleAndTheme()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(style::Theme::light().palette());
}

inline void show(lanes::LaneView& view, SampleLanes& source, QSize size = {1000, 500})
{
    view.resize(size);
    view.setSource(&source);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
}

} // namespace jetglass::tests
