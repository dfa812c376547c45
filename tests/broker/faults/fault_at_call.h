// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetglass::faults {

enum class Call : std::uint8_t
{
    Open,
    Create,
    List,
    MakeDirectories,
    Remove,
    RemoveTree,
    Rename,
    SyncDirectory,
    Write,
    Read,
    Size,
    Truncate,
    SyncData
};

enum class Fault : std::uint8_t
{
    Io, ///< EIO, of any call but those below
    NoSpace, ///< of what needs room
    ShortWrite, ///< half of the bytes are written, then EIO
    FailedSync, ///< fdatasync of a file or a directory
    FailedRename
};
inline constexpr Fault kFaults[]{
    Fault::Io, Fault::NoSpace, Fault::ShortWrite, Fault::FailedSync, Fault::FailedRename};

[[nodiscard]] const char* nameOf(Call call);
[[nodiscard]] const char* nameOf(Fault fault);
[[nodiscard]] bool canMeet(Fault fault, Call call);

/// Counts every call that goes through it to another file system, and lets the n-th one fail, or
/// that one and all later ones that the kind of fault can meet.
class FaultAtCall final : public store::FileSystem
{
public:
    explicit FaultAtCall(store::FileSystem& under)
        : m_under(under)
    {
    }
    void failAt(std::size_t call, Fault fault, bool lasting);
    /// The disk is well again.
    void heal() { m_armed = false; }
    [[nodiscard]] bool failsOrFailed() const { return m_armed && m_hits > 0; }
    /// All calls so far; the first one has number 0.
    struct Made
    {
        Call call{};
        std::string path;
    };
    [[nodiscard]] const std::vector<Made>& calls() const { return m_calls; }
    /// Counts a call; what it fails with, if it does.
    Result<void> pass(Call call, const std::string& path);
    /// After a failed pass(): half of the bytes go to the file.
    [[nodiscard]] bool writesHalf() const { return m_fault == Fault::ShortWrite; }

    Result<std::unique_ptr<store::File>> open(const std::string& path, Mode mode) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> makeDirectories(const std::string& path) override;
    Result<void> remove(const std::string& path) override;
    Result<void> removeTree(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> syncDirectory(const std::string& path) override;
    bool exists(const std::string& path) override { return m_under.exists(path); }
    Result<std::shared_ptr<void>> lock(const std::string& path) override
    {
        return m_under.lock(path);
    }
    std::uint64_t freeSpace(const std::string& path) override { return m_under.freeSpace(path); }

private:
    store::FileSystem& m_under;
    std::vector<Made> m_calls;
    std::size_t m_at = 0;
    std::size_t m_hits = 0;
    Fault m_fault{};
    bool m_lasting = false;
    bool m_armed = false;
};

} // namespace jetglass::faults
