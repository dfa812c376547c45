// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <string>
#include <vector>

namespace jetglass::host {

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
    /// <directory>/<executable>_<pid>.ports; empty urls leave the member out.
    Result<void> writePorts(const std::string& directory,
        const std::string& executable,
        const std::vector<std::string>& clientUrls,
        const std::vector<std::string>& monitorUrls);
    void removeAll();

private:
    std::string m_pidFile;
    std::string m_portsFile;
};

} // namespace jetglass::host
