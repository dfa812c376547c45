// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <string>

namespace jetglass::store {

/// All bytes of a file.
[[nodiscard]] Result<std::string> readAll(const File& file);
[[nodiscard]] Result<std::string> readFile(FileSystem& files, const std::string& path);

} // namespace jetglass::store
