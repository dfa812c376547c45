// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace jetglass::store {

/// A file system in memory that does what disks do on bad days: the n-th changing call fails
/// (perhaps after a part of a write), space runs out, a crash loses what was not synced.
class FaultyFileSystem final : public FileSystem
{
public:
    /// \name Faults
    /// @{
    int failAfter = -1; ///< so many changing calls still succeed, then one fails; -1 = never
    bool failForever = false; ///< and all after it
    bool shortWrites = false; ///< the failing write leaves half of its bytes
    std::uint64_t space = ~std::uint64_t{0}; ///< bytes that may still be written
    int failSyncs = 0; ///< so many syncs fail
    /// Everything that was written but not synced is gone.
    void crash();
    std::uint64_t changes = 0; ///< changing calls so far
    std::uint64_t reads = 0;
    std::uint64_t bytesRead = 0;
    std::uint64_t writes = 0;
    std::set<std::string> syncedDirectories;
    /// @}

    struct Content
    {
        std::string bytes;
        std::string synced;
    };
    std::map<std::string, std::shared_ptr<Content>> contents;

    Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> makeDirectories(const std::string& path) override;
    Result<void> remove(const std::string& path) override;
    Result<void> removeTree(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> syncDirectory(const std::string& path) override;
    bool exists(const std::string& path) override;
    Result<std::shared_ptr<void>> lock(const std::string& path) override;
    std::uint64_t freeSpace(const std::string& /*path*/) override { return space; }

    /// Counts a changing call and says whether it must fail.
    bool mustFail();
    Error failure(const std::string& path) const
    {
        return {Errc::Io, path + ": injected fault", 0, 0};
    }

private:
    std::set<std::string> m_directories;
    bool m_tripped = false;
};

} // namespace jetglass::store
