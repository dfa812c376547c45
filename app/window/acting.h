// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
} // namespace acting

} // namespace jetglass::window
