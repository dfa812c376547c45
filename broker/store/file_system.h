// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// An open file. Offsets and sizes in bytes.
class File
{
public:
    virtual ~File() = default;
    /// Writes all of the pieces at \a offset with as few system calls as possible; a short write is
    /// continued.
    virtual Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) = 0;
    /// Reads up to \a size bytes; fewer only at the end of the file.
    virtual Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const = 0;
    virtual Result<std::uint64_t> size() const = 0;
    virtual Result<void> truncate(std::uint64_t size) = 0;
    virtual Result<void> syncData() = 0; ///< fdatasync
    virtual Result<void> startWriteBack(
        std::uint64_t offset, std::uint64_t size) = 0; ///< a hint; never blocks
    /// Keeps other processes that ask for a lock on these bytes out until the file is closed.
    /// Errc::InUse if one of them has it. Nothing where there are no other processes.
    virtual Result<void> lockRange(std::uint64_t /*offset*/, std::uint64_t /*size*/) { return {}; }
};

/// The seam under the store: every byte, SQLite's included, goes through it, so that faults and
/// simulation see all. Errors carry path and reason; Errc::NoSpace for a full disk.
class FileSystem
{
public:
    enum class Mode : std::uint8_t
    {
        Read,
        ReadWrite,
        Create
    };
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) = 0;
    virtual Result<std::vector<std::string>> list(
        const std::string& directory) = 0; ///< names, sorted
    virtual Result<void> makeDirectories(const std::string& path) = 0;
    virtual Result<void> remove(const std::string& path) = 0;
    virtual Result<void> removeTree(const std::string& path) = 0;
    virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    virtual Result<void> syncDirectory(const std::string& path) = 0;
    virtual bool exists(const std::string& path) = 0;
    /// As File::size(), perhaps without opening it.
    virtual Result<std::uint64_t> fileSize(const std::string& path)
    {
        const auto file = open(path, Mode::Read);
        return file ? (*file)->size() : Result<std::uint64_t>(file.error());
    }
    /// Takes an advisory lock for the life of the returned object. Errc::InUse if a living process
    /// holds it.
    virtual Result<std::shared_ptr<void>> lock(const std::string& path) = 0;
    virtual std::uint64_t freeSpace(const std::string& path) = 0;
};

} // namespace jetglass::store
