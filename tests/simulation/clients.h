// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world.h"

namespace jetglass::simulation {

/// \name What clients do by chance
/// Each does one thing, or nothing if there is nothing to do it with.
/// @{
void publishSomething(World& world);
void askForMessages(World& world);
/// Looks at what has come to somebody, and answers deliveries.
void readInbox(World& world);
void operateStream(World& world);
void operateConsumer(World& world);
/// @}

/// Acknowledges everything in the inboxes and asks for more, so that all comes to an end.
void finishWork(World& world);

} // namespace jetglass::simulation
