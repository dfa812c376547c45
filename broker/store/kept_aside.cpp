// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/kept_aside.h"

#include "store/whole_file.h"

#include <algorithm>

namespace jetglass::store {

namespace {

std::string nameAside(const std::string& path, int n)
{
    return path + (n < 2 ? ".damaged" : ".damaged-" + std::to_string(n));
}

} // namespace

std::string asideName(
    FileSystem& files, const std::string& path, std::initializer_list<const char*> endings)
{
    for (int n = 1;; ++n) {
        std::string name = nameAside(path, n);
        if (std::none_of(endings.begin(), endings.end(), [&](const char* ending) {
                return files.exists(name + ending);
            }))
            return name;
    }
}

Result<std::string> setAside(FileSystem& files, const std::string& path)
{
    std::string name = asideName(files, path);
    if (auto moved = files.rename(path, name); !moved)
        return moved.error();
    return name;
}

Result<std::string> keepCopy(FileSystem& files, const std::string& path)
{
    const auto bytes = readFile(files, path);
    if (!bytes)
        return bytes.error();
    for (int n = 1; files.exists(nameAside(path, n)); ++n)
        if (const auto kept = readFile(files, nameAside(path, n)); kept && *kept == *bytes)
            return nameAside(path, n);
    std::string name = asideName(files, path);
    if (auto written = writeFile(files, name, *bytes, Durable::Yes); !written) {
        // Half a copy would pass for the file.
        if (files.exists(name))
            static_cast<void>(files.remove(name).ok());
        return written.error();
    }
    return name;
}

} // namespace jetglass::store
