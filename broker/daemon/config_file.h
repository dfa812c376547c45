// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetglass::daemon {

/// What a configuration file says, and all that is wrong with it.
struct LoadedConfig
{
    BrokerConfig config;
    std::vector<std::string> errors; ///< one line each, with file:line:col; not empty = unusable
    std::vector<std::string> warnings;
    bool misused = false; ///< some warning is reason enough to refuse a file that is only checked
};

/// The file's settings over the defaults (core.md 5.2).
LoadedConfig loadConfigFile(const std::string& file);
LoadedConfig loadConfigText(std::string_view text, const std::string& file);

} // namespace jetglass::daemon
