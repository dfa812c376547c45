// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host/bus_handlers.h"

namespace jetglass::host {

/// Answers the JetStream API for an account that has no JetStream while others have: error 10039,
/// so that nobody waits for a timeout.
void refuseJetStream(BusHandlers& handlers, streams::Bus& bus);

} // namespace jetglass::host
