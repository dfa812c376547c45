// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/config_value.h"

#include <string>

namespace jetglass::daemon {

/// "sha256:" and the hash of what the file says: layout, comments and the order of keys do not
/// count. The same as the reference server's, which hashes the values as JSON text.
std::string digestOf(const ConfigValue& root);

} // namespace jetglass::daemon
