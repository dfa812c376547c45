// SPDX-License-Identifier: GPL-3.0-or-later
// A rename of a directory is one node at each end: nothing of it is read.
#include "store/overlay_file_system.h"

#include "store/whole_file.h"

#include <algorithm>
#include <set>
#include <utility>

namespace jetglass::store {

struct OverlayFileSystem::Content
{
    std::unique_ptr<File> below; ///< while nothing has changed
    std::string bytes;
};

namespace {

using Content = OverlayFileSystem::Content;

Error missing(const std::string& path)
{
    return {Errc::NotFound, path + ": not there", 0, 0};
}

std::string parentOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

class OverlayFile final : public File
{
public:
    OverlayFile(std::shared_ptr<Content> content, bool writable, std::string path)
        : m_content(std::move(content))
        , m_writable(writable)
        , m_path(std::move(path))
    {
    }

    Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
    {
        if (auto own = take(); !own)
            return own;
        std::string& bytes = m_content->bytes;
        for (const std::string_view piece : pieces) {
            bytes.resize(std::max<std::size_t>(bytes.size(), offset + piece.size()));
            std::copy(piece.begin(), piece.end(), bytes.data() + offset);
            offset += piece.size();
        }
        return {};
    }
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
    {
        if (m_content->below)
            return m_content->below->read(offset, into, size);
        const std::string& bytes = m_content->bytes;
        if (offset >= bytes.size())
            return std::size_t{0};
        const std::size_t n = std::min<std::size_t>(size, bytes.size() - offset);
        std::copy_n(bytes.data() + offset, n, into);
        return n;
    }
    Result<std::uint64_t> size() const override
    {
        return m_content->below ? m_content->below->size()
                                : Result<std::uint64_t>(m_content->bytes.size());
    }
    Result<void> truncate(std::uint64_t size) override
    {
        if (auto own = take(); !own)
            return own;
        m_content->bytes.resize(size);
        return {};
    }
    Result<void> syncData() override { return {}; }
    Result<void> startWriteBack(std::uint64_t /*offset*/, std::uint64_t /*size*/) override
    {
        return {};
    }

private:
    /// From now on it differs from what lies below.
    Result<void> take()
    {
        if (!m_writable)
            return Error{Errc::Io, m_path + ": was opened for reading", 0, 0};
        if (!m_content->below)
            return {};
        auto bytes = readAll(*m_content->below);
        if (!bytes)
            return bytes.error();
        m_content->bytes = std::move(*bytes);
        m_content->below.reset();
        return {};
    }

    std::shared_ptr<Content> m_content;
    bool m_writable;
    std::string m_path;
};

} // namespace

std::string OverlayFileSystem::belowPath(const std::string& path) const
{
    for (std::size_t end = path.size(); end != std::string::npos && end > 0;
         end = path.rfind('/', end - 1U)) {
        const auto found = m_nodes.find(path.substr(0, end));
        if (found == m_nodes.end())
            continue;
        return found->second.kind == Node::Kind::Moved ? found->second.source + path.substr(end)
                                                       : std::string();
    }
    return path;
}

Result<std::unique_ptr<File>> OverlayFileSystem::open(const std::string& path, Mode mode)
{
    auto found = m_nodes.find(path);
    const bool known = found != m_nodes.end() && found->second.kind == Node::Kind::File;
    if (!known) {
        auto content = std::make_shared<Content>();
        const std::string source = belowPath(path);
        auto file = source.empty() ? Result<std::unique_ptr<File>>(missing(path))
                                   : m_below.open(source, Mode::Read);
        if (file)
            content->below = std::move(*file);
        else if (file.error().code != Errc::NotFound || mode != Mode::Create)
            return file.error();
        else if (!exists(parentOf(path)))
            return missing(path);
        if (mode == Mode::Read)
            return std::unique_ptr<File>(std::make_unique<OverlayFile>(content, false, path));
        found = m_nodes.insert_or_assign(path, Node{Node::Kind::File, std::move(content)}).first;
    }
    return std::unique_ptr<File>(
        std::make_unique<OverlayFile>(found->second.content, mode != Mode::Read, path));
}

Result<std::vector<std::string>> OverlayFileSystem::list(const std::string& directory)
{
    std::set<std::string> names;
    const std::string source = belowPath(directory);
    const auto below = source.empty() ? Result<std::vector<std::string>>(missing(directory))
                                      : m_below.list(source);
    if (below)
        names.insert(below->begin(), below->end());
    const std::string front = directory + "/";
    const auto own = m_nodes.find(directory);
    bool made = own != m_nodes.end() && own->second.kind == Node::Kind::Directory;
    for (auto node = m_nodes.lower_bound(front);
         node != m_nodes.end() && node->first.starts_with(front);
         ++node) {
        const std::string rest = node->first.substr(front.size());
        const std::string name = rest.substr(0, rest.find('/'));
        if (node->second.kind != Node::Kind::Gone) {
            names.insert(name);
            made = true;
        } else if (rest == name) {
            names.erase(name);
        }
    }
    if (!below && !made)
        return below.error();
    return std::vector<std::string>(names.begin(), names.end());
}

Result<void> OverlayFileSystem::makeDirectories(const std::string& path)
{
    for (std::size_t end = path.find('/', 1); end != std::string::npos;
         end = path.find('/', end + 1U))
        if (const std::string part = path.substr(0, end); !exists(part))
            m_nodes.insert_or_assign(part, Node{Node::Kind::Directory});
    if (!exists(path))
        m_nodes.insert_or_assign(path, Node{Node::Kind::Directory});
    return {};
}

/// What was said of the path and of what lies under it counts no more.
void OverlayFileSystem::forget(const std::string& path)
{
    const std::string front = path + "/";
    m_nodes.erase(path);
    auto node = m_nodes.lower_bound(front);
    while (node != m_nodes.end() && node->first.starts_with(front))
        node = m_nodes.erase(node);
}

Result<void> OverlayFileSystem::remove(const std::string& path)
{
    if (!exists(path))
        return missing(path);
    return removeTree(path);
}

Result<void> OverlayFileSystem::removeTree(const std::string& path)
{
    forget(path);
    m_nodes.insert_or_assign(path, Node{Node::Kind::Gone});
    return {};
}

Result<void> OverlayFileSystem::rename(const std::string& from, const std::string& to)
{
    if (!exists(from) || !exists(parentOf(to)))
        return missing(from);
    if (to.starts_with(from + "/"))
        return Error{Errc::Io, from + ": cannot be moved into itself", 0, 0};
    Nodes moved;
    const auto own = m_nodes.find(from);
    moved[to] = own != m_nodes.end() ? own->second : Node{Node::Kind::Moved, {}, belowPath(from)};
    const std::string front = from + "/";
    for (auto node = m_nodes.lower_bound(front);
         node != m_nodes.end() && node->first.starts_with(front);
         ++node)
        moved[to + node->first.substr(from.size())] = node->second;
    static_cast<void>(removeTree(from).ok());
    forget(to);
    m_nodes.merge(moved);
    return {};
}

bool OverlayFileSystem::exists(const std::string& path)
{
    if (const auto found = m_nodes.find(path); found != m_nodes.end())
        return found->second.kind != Node::Kind::Gone;
    const std::string source = belowPath(path);
    return !source.empty() && m_below.exists(source);
}

Result<std::shared_ptr<void>> OverlayFileSystem::lock(const std::string& /*path*/)
{
    return std::shared_ptr<void>(std::make_shared<int>(0));
}

} // namespace jetglass::store
