// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "daemon/config_value.h"

#include <string>
#include <string_view>

namespace jetglass::daemon {

/// Reads NATS's configuration grammar (core.md 5.1), includes and variables resolved, into one map.
/// Errors: Io (a file cannot be read), InvalidArgument; the text begins with file:line:col.
Result<ConfigValue> parseConfigText(std::string_view text, const std::string& file);
Result<ConfigValue> parseConfigFile(const std::string& file);

/// Reads a file whole.
Result<std::string> readFile(const std::string& path);

} // namespace jetglass::daemon
