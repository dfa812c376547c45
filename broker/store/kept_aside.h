// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <initializer_list>
#include <string>

namespace jetglass::store {

/// What is found damaged is kept as it was, for whoever wants to look at it or save more of it: as
/// <path>.damaged, then .damaged-2 and so on. Nothing ever takes the place of such a file.

/// The first name that is free; with \a endings, free with each of them behind it.
[[nodiscard]] std::string asideName(
    FileSystem& files, const std::string& path, std::initializer_list<const char*> endings = {""});
/// Renames the file; gives its new name.
[[nodiscard]] Result<std::string> setAside(FileSystem& files, const std::string& path);
/// For a file that goes on to be used, mended: copies it, durably. One that was copied before just
/// as it is now is not copied again.
[[nodiscard]] Result<std::string> keepCopy(FileSystem& files, const std::string& path);

} // namespace jetglass::store
