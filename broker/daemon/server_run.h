// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/options.h"

#include <string>

namespace jetglass::daemon {

/// Runs the server until a signal or its own end. Returns the exit code. \a executable: basename of
/// argv[0].
int runServer(const Options& options, const std::string& executable);
/// -t: says on stderr whether the configuration file is good.
int checkConfiguration(const Options& options);

} // namespace jetglass::daemon
