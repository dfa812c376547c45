// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/run_files.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace jetglass::host {

namespace {

/// Pollers must never see half a file.
Result<void> writeWhole(const std::string& path, const std::string& text)
{
    const std::string temporary = path + ".tmp";
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream || std::rename(temporary.c_str(), path.c_str()) != 0) {
        const std::string reason = std::generic_category().message(errno);
        std::remove(temporary.c_str());
        return Error{Errc::Io, "could not write " + path + ": " + reason};
    }
    return {};
}

void removeFile(std::string& path)
{
    if (!path.empty())
        std::remove(path.c_str());
    path.clear();
}

} // namespace

RunFiles::~RunFiles()
{
    removeAll();
}

Result<void> RunFiles::writePid(const std::string& file)
{
    if (file != m_pidFile)
        removeFile(m_pidFile);
    if (file.empty())
        return {};
    auto written = writeWhole(file, std::to_string(::getpid()));
    if (written)
        m_pidFile = file;
    return written;
}

Result<void> RunFiles::writePorts(
    const std::string& directory, const std::string& executable, const PortUrls& urls)
{
    removeFile(m_portsFile);
    if (directory.empty())
        return {};
    nlohmann::ordered_json ports;
    for (const auto& [listener, url] : urls)
        ports[listener] = nlohmann::ordered_json::array({url});
    const std::string name = executable + '_' + std::to_string(::getpid()) + ".ports";
    const std::string path = (std::filesystem::path(directory) / name).string();
    auto written = writeWhole(path, base::jsonText(ports));
    if (written)
        m_portsFile = path;
    return written;
}

void RunFiles::removeAll()
{
    removeFile(m_pidFile);
    removeFile(m_portsFile);
}

} // namespace jetglass::host
