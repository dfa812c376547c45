// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"

#include <string>
#include <vector>

namespace jetglass::host {

/// What a reload changes, as lines of the log ("Reloaded: max_payload = 1024"), or the first thing
/// that cannot change while the broker runs (core.md 5.4): then nothing may change.
Result<std::vector<std::string>> planReload(const BrokerConfig& old, const BrokerConfig& wanted);

} // namespace jetglass::host
