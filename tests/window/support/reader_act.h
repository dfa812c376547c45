// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QAbstractScrollArea;
class QScrollBar;

namespace jetglass::minimap {
class OverviewStrip;
}

namespace jetglass::tests {

/// Where somebody reads: the scrolled view, its bar, the strip over the whole stream.
struct Place
{
    QAbstractScrollArea* area = nullptr;
    QScrollBar* bar = nullptr;
    minimap::OverviewStrip* strip = nullptr;
    Qt::Key back = Qt::Key_Left; ///< to the message before
};

/// What the reader does in frame i of \a frames: "wheel", "zoom", "keys", "thumb", "strip";
/// nothing by any other name.
[[nodiscard]] std::function<void(int)> readerAct(
    const QString& name, const Place& place, int frames);

} // namespace jetglass::tests
