// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

namespace jetglass::store {

/// The operating system's files. Any thread.
class PosixFileSystem : public FileSystem
{
public:
    Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> makeDirectories(const std::string& path) override;
    Result<void> remove(const std::string& path) override;
    Result<void> removeTree(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> syncDirectory(const std::string& path) override;
    bool exists(const std::string& path) override;
    Result<std::uint64_t> fileSize(const std::string& path) override;
    Result<std::shared_ptr<void>> lock(const std::string& path) override;
    std::uint64_t freeSpace(const std::string& path) override;
};

} // namespace jetglass::store
