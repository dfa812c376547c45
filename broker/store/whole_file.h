// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <string>
#include <string_view>

namespace jetglass::store {

/// All bytes of a file.
[[nodiscard]] Result<std::string> readAll(const File& file);
[[nodiscard]] Result<std::string> readFile(FileSystem& files, const std::string& path);

enum class Durable : bool
{
    No,
    Yes ///< on the disk when the call returns
};
/// The file holds \a bytes and nothing else. A crash may leave a part of them.
[[nodiscard]] Result<void> writeFile(
    FileSystem& files, const std::string& path, std::string_view bytes, Durable durable);
/// As a whole or not at all: written beside it as <path>.new, then renamed over it.
[[nodiscard]] Result<void> replaceFile(
    FileSystem& files, const std::string& path, std::string_view bytes, Durable durable);

} // namespace jetglass::store
