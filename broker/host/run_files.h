// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <string>
#include <utility>
#include <vector>

namespace jetglass::host {

/// URLs by what is reached there: "nats", "monitoring", "websocket".
using PortUrls = std::vector<std::pair<std::string, std::string>>;

/// The pid file and the ports file of a running server (core.md 6.4): written whole, taken away at
/// the end.
class RunFiles
{
public:
    RunFiles() = default;
    ~RunFiles();
    RunFiles(const RunFiles&) = delete;
    RunFiles& operator=(const RunFiles&) = delete;

    /// Digits only, no newline: readers parse the whole file.
    Result<void> writePid(const std::string& file);
    /// <directory>/<executable>_<pid>.ports
    Result<void> writePorts(
        const std::string& directory, const std::string& executable, const PortUrls& urls);
    void removeAll();

private:
    std::string m_pidFile;
    std::string m_portsFile;
};

} // namespace jetglass::host
