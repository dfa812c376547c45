// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

namespace jetglass::window {

class MainWindow;

/// Opens the forms and dialogs that act, with what is selected in the window.
namespace acting {
bool canAct(const MainWindow& window);
void newStream(MainWindow& window);
void newConsumer(MainWindow& window);
void edit(MainWindow& window); ///< the selected consumer, else the stream
void remove(MainWindow& window);
void purge(MainWindow& window);
void replay(MainWindow& window);
/// Answers in place of the client that holds the selected message; \a consumer 0 = the selected
/// one, or the first that has it pending.
void overrideDelivery(MainWindow& window, ConsumerId consumer = {});
} // namespace acting

} // namespace jetglass::window
