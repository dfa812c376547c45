// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <QPoint>

namespace jetglass::window {

class MainWindow;

/// What can be done with one message: select it, follow its events, publish it again, replay from
/// it, purge up to it. Without a connection only what looks is offered.
void openMessageMenu(MainWindow& window, quint64 seq, ConsumerId consumer, const QPoint& globalPos);

} // namespace jetglass::window
