// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/posix_file_system.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace jetglass::store {

namespace {

Error systemError(const std::string& path, const char* action, int number)
{
    Errc code = Errc::Io;
    if (number == ENOSPC || number == EDQUOT)
        code = Errc::NoSpace;
    else if (number == ENOENT)
        code = Errc::NotFound;
    return {
        code, path + ": cannot " + action + ": " + std::generic_category().message(number), 0, 0};
}

/// A descriptor that closes itself.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

class PosixFile final : public File
{
public:
    PosixFile(int descriptor, std::string path)
        : m_descriptor(descriptor)
        , m_path(std::move(path))
    {
    }

    Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override;
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override;
    Result<std::uint64_t> size() const override;
    Result<void> truncate(std::uint64_t size) override;
    Result<void> syncData() override;
    Result<void> startWriteBack(std::uint64_t offset, std::uint64_t size) override;
    Result<void> lockRange(std::uint64_t offset, std::uint64_t size) override;

private:
    Result<void> writeSome(std::uint64_t& offset, std::span<iovec> vectors);
    Descriptor m_descriptor;
    std::string m_path;
};

Result<void> PosixFile::writeSome(std::uint64_t& offset, std::span<iovec> vectors)
{
    while (!vectors.empty()) {
        const ssize_t n = ::pwritev(m_descriptor.number(),
            vectors.data(),
            static_cast<int>(vectors.size()),
            static_cast<off_t>(offset));
        if (n < 0) {
            if (errno == EINTR)
                continue;
            return systemError(m_path, "write", errno);
        }
        offset += static_cast<std::uint64_t>(n);
        auto left = static_cast<std::size_t>(n);
        while (!vectors.empty() && left >= vectors.front().iov_len) {
            left -= vectors.front().iov_len;
            vectors = vectors.subspan(1);
        }
        if (!vectors.empty()) {
            vectors.front().iov_base = static_cast<char*>(vectors.front().iov_base) + left;
            vectors.front().iov_len -= left;
        }
    }
    return {};
}

Result<void> PosixFile::write(std::uint64_t offset, std::span<const std::string_view> pieces)
{
    std::array<iovec, 64> vectors{};
    while (!pieces.empty()) {
        const std::size_t n = std::min(pieces.size(), vectors.size());
        for (std::size_t i = 0; i < n; ++i)
            vectors[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
        if (auto done = writeSome(offset, std::span(vectors).first(n)); !done)
            return done;
        pieces = pieces.subspan(n);
    }
    return {};
}

Result<std::size_t> PosixFile::read(std::uint64_t offset, char* into, std::size_t size) const
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::pread(
            m_descriptor.number(), into + done, size - done, static_cast<off_t>(offset + done));
        if (n < 0) {
            if (errno == EINTR)
                continue;
            return systemError(m_path, "read", errno);
        }
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    return done;
}

Result<std::uint64_t> PosixFile::size() const
{
    struct stat info
    {
    };
    if (::fstat(m_descriptor.number(), &info) != 0)
        return systemError(m_path, "ask for the size", errno);
    return static_cast<std::uint64_t>(info.st_size);
}

Result<void> PosixFile::truncate(std::uint64_t size)
{
    if (::ftruncate(m_descriptor.number(), static_cast<off_t>(size)) != 0)
        return systemError(m_path, "truncate", errno);
    return {};
}

Result<void> PosixFile::syncData()
{
    if (::fdatasync(m_descriptor.number()) != 0)
        return systemError(m_path, "sync", errno);
    return {};
}

Result<void> PosixFile::startWriteBack(std::uint64_t offset, std::uint64_t size)
{
    // A hint: where it is not known it does nothing.
    ::sync_file_range(m_descriptor.number(),
        static_cast<off_t>(offset),
        static_cast<off_t>(size),
        SYNC_FILE_RANGE_WRITE);
    return {};
}

/// A lock of this open file: those of the process would go with the next close of the same file.
Result<void> PosixFile::lockRange(std::uint64_t offset, std::uint64_t size)
{
    struct flock range
    {
    };
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = static_cast<off_t>(offset);
    range.l_len = static_cast<off_t>(size);
    if (::fcntl(m_descriptor.number(), F_OFD_SETLK, &range) == 0)
        return {};
    if (errno == EAGAIN || errno == EACCES)
        return Error{Errc::InUse, m_path + ": another program has it open", 0, 0};
    return systemError(m_path, "lock", errno);
}

} // namespace

Result<std::unique_ptr<File>> PosixFileSystem::open(const std::string& path, Mode mode)
{
    int flags = O_CLOEXEC;
    flags |= mode == Mode::Read ? O_RDONLY : O_RDWR;
    if (mode == Mode::Create)
        flags |= O_CREAT;
    const int descriptor = ::open(path.c_str(), flags, 0640);
    if (descriptor < 0)
        return systemError(path, "open", errno);
    return std::unique_ptr<File>(std::make_unique<PosixFile>(descriptor, path));
}

Result<std::vector<std::string>> PosixFileSystem::list(const std::string& directory)
{
    std::vector<std::string> names;
    std::error_code failure;
    std::filesystem::directory_iterator it(directory, failure);
    if (failure)
        return systemError(directory, "list", failure.value());
    for (; it != std::filesystem::directory_iterator(); it.increment(failure)) {
        names.push_back(it->path().filename().string());
        if (failure)
            return systemError(directory, "list", failure.value());
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> PosixFileSystem::makeDirectories(const std::string& path)
{
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (failure)
        return systemError(path, "make the directory", failure.value());
    return {};
}

Result<void> PosixFileSystem::remove(const std::string& path)
{
    if (::unlink(path.c_str()) != 0)
        return systemError(path, "remove", errno);
    return {};
}

Result<void> PosixFileSystem::removeTree(const std::string& path)
{
    std::error_code failure;
    std::filesystem::remove_all(path, failure);
    if (failure)
        return systemError(path, "remove", failure.value());
    return {};
}

Result<void> PosixFileSystem::rename(const std::string& from, const std::string& to)
{
    if (::rename(from.c_str(), to.c_str()) != 0)
        return systemError(from, "rename", errno);
    return {};
}

Result<void> PosixFileSystem::syncDirectory(const std::string& path)
{
    const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number() < 0 || ::fsync(directory.number()) != 0)
        return systemError(path, "sync", errno);
    return {};
}

bool PosixFileSystem::exists(const std::string& path)
{
    return ::access(path.c_str(), F_OK) == 0;
}

Result<std::uint64_t> PosixFileSystem::fileSize(const std::string& path)
{
    struct stat info
    {
    };
    if (::stat(path.c_str(), &info) != 0)
        return systemError(path, "stat", errno);
    return static_cast<std::uint64_t>(info.st_size);
}

Result<std::shared_ptr<void>> PosixFileSystem::lock(const std::string& path)
{
    auto held =
        std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (held->number() < 0)
        return systemError(path, "open", errno);
    if (::flock(held->number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return Error{Errc::InUse, path + ": another broker uses this directory", 0, 0};
        return systemError(path, "lock", errno);
    }
    return std::shared_ptr<void>(std::move(held));
}

std::uint64_t PosixFileSystem::freeSpace(const std::string& path)
{
    struct statvfs info
    {
    };
    if (::statvfs(path.c_str(), &info) != 0)
        return 0;
    return std::uint64_t{info.f_bavail} * std::uint64_t{info.f_frsize};
}

} // namespace jetglass::store
