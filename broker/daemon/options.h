// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"

#include <functional>
#include <string>
#include <vector>

namespace jetglass::daemon {

/// What the command line asks for (core.md 4). Flags win over the configuration file: they are kept
/// as changes that are applied to whatever the file says, again at each reload.
struct Options
{
    enum class Action
    {
        Run,
        Help,
        HelpTls,
        Version,
        CheckConfig
    };
    Action action = Action::Run;
    std::string configFile;
    std::string signal; ///< "CMD" or "CMD=PID"; not empty: send it and leave
    std::vector<std::function<void(BrokerConfig&)>> changes;
    std::vector<std::string> warnings;
    std::string error; ///< not empty: unusable, the text says why
};

/// \a arguments without the program's name. One or two dashes, "-x v" and "-x=v", booleans also
/// "-x=false".
Options parseOptions(const std::vector<std::string>& arguments);
std::string usage();

} // namespace jetglass::daemon
