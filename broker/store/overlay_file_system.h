// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace jetglass::store {

/// What another file system has, and on top of it, in memory, whatever is changed: for looking what
/// would come of a change. Nothing reaches the one below. A file is held as a whole from its first
/// change on. Paths are compared as text. One thread.
class OverlayFileSystem final : public FileSystem
{
public:
    /// \a below must outlive it.
    explicit OverlayFileSystem(FileSystem& below)
        : m_below(below)
    {
    }

    Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> makeDirectories(const std::string& path) override;
    Result<void> remove(const std::string& path) override;
    Result<void> removeTree(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> syncDirectory(const std::string& /*path*/) override { return {}; }
    bool exists(const std::string& path) override;
    /// Nobody else can see what is done here.
    Result<std::shared_ptr<void>> lock(const std::string& path) override;
    std::uint64_t freeSpace(const std::string& path) override { return m_below.freeSpace(path); }

    struct Content;

private:
    /// What is said of a path, and of all below it that has no node of its own.
    struct Node
    {
        enum class Kind : std::uint8_t
        {
            Gone,
            File, ///< content
            Directory, ///< made here, nothing below
            Moved ///< lies at \a source
        };
        Kind kind = Kind::Gone;
        std::shared_ptr<Content> content{};
        std::string source{};
    };
    using Nodes = std::map<std::string, Node>;

    /// Where the path leads below, through what was renamed; empty if nothing of it is there.
    [[nodiscard]] std::string belowPath(const std::string& path) const;
    void forget(const std::string& path);

    FileSystem& m_below;
    Nodes m_nodes; ///< what was changed, by path; the longest prefix of a path decides
};

} // namespace jetglass::store
