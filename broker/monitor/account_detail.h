// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "monitor/source.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace jetglass::monitor {

/// Adds what one account gives to others and takes from them, by its configuration and by what
/// every account has of the system account: the members mappings, exports and imports of accountz,
/// each only if there is something in it.
void addExchange(nlohmann::ordered_json& json, const Source& source, const std::string& account);

} // namespace jetglass::monitor
