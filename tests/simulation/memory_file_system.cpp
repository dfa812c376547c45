// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_file_system.h"

#include <algorithm>
#include <set>
#include <utility>

namespace jetglass::simulation {

class MemoryFile final : public store::File
{
public:
    MemoryFile(MemoryFileSystem& system, MemoryFileSystem::NodePtr node)
        : m_system(system)
        , m_node(std::move(node))
    {
    }
    Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
    {
        MemoryFileSystem::Change change{offset, {}, false};
        for (const std::string_view piece : pieces)
            change.bytes += piece;
        m_system.changeContent(*m_node, std::move(change));
        return {};
    }
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
    {
        const std::string& bytes = m_node->bytes;
        if (offset >= bytes.size())
            return std::size_t{0};
        return bytes.copy(into, size, static_cast<std::size_t>(offset));
    }
    Result<std::uint64_t> size() const override { return std::uint64_t{m_node->bytes.size()}; }
    Result<void> truncate(std::uint64_t size) override
    {
        m_system.changeContent(*m_node, {size, {}, true});
        return {};
    }
    Result<void> syncData() override
    {
        m_system.count(nullptr, nullptr);
        if (m_system.m_dead)
            return {};
        for (const auto& change : m_node->unsynced)
            MemoryFileSystem::apply(m_node->durable, change);
        m_node->unsynced.clear();
        return {};
    }
    Result<void> startWriteBack(std::uint64_t, std::uint64_t) override { return {}; }

private:
    MemoryFileSystem& m_system;
    MemoryFileSystem::NodePtr m_node;
};

void MemoryFileSystem::apply(std::string& bytes, const Change& change)
{
    if (change.truncates) {
        bytes.resize(change.offset);
        return;
    }
    if (change.offset > bytes.size())
        bytes.resize(change.offset);
    bytes.replace(change.offset, change.bytes.size(), change.bytes);
}

void MemoryFileSystem::apply(Names& names, const NameChange& change)
{
    if (!change.gone.empty()) {
        NodePtr node;
        // A directory takes along what is in it.
        const std::string front = change.gone + "/";
        std::vector<std::pair<std::string, NodePtr>> inside;
        for (auto it = names.lower_bound(front); it != names.end() && it->first.starts_with(front);
             it = names.erase(it))
            inside.emplace_back(it->first.substr(front.size()), it->second);
        names.erase(change.gone);
        if (!change.made.empty())
            for (auto& [name, one] : inside)
                names[change.made + "/" + name] = one;
    }
    if (!change.made.empty())
        names[change.made] = change.node;
}

void MemoryFileSystem::dieNow()
{
    if (m_dead)
        return;
    m_dead = true;
    m_namesAtDeath = m_names;
}

void MemoryFileSystem::count(Node* node, const Change* change)
{
    ++m_changes;
    if (m_dead || m_left-- > 0)
        return;
    dieNow();
    if (node == nullptr || change == nullptr || change->truncates || change->bytes.empty())
        return;
    // The last write got as far as some byte of it.
    Change part{
        change->offset, change->bytes.substr(0, m_random.below(change->bytes.size())), false};
    if (part.bytes.empty())
        return;
    node->atDeath = node->bytes;
    apply(*node->atDeath, part);
    if (m_keepsUnsynced)
        node->unsynced.push_back(std::move(part));
}

void MemoryFileSystem::changeContent(Node& node, Change change)
{
    count(&node, &change);
    if (m_dead && !node.atDeath)
        node.atDeath = node.bytes;
    apply(node.bytes, change);
    if (!m_dead && m_keepsUnsynced)
        node.unsynced.push_back(std::move(change));
}

void MemoryFileSystem::changeName(NameChange change)
{
    count(nullptr, nullptr);
    apply(m_names, change);
    if (!m_dead && m_keepsUnsynced)
        m_journal.push_back(std::move(change));
}

void MemoryFileSystem::recoverContent(Node& node, Crash crash)
{
    if (crash == Crash::Kill) {
        if (node.atDeath)
            node.bytes = std::move(*node.atDeath);
    } else {
        const std::size_t kept = m_random.below(node.unsynced.size() + 1);
        for (std::size_t i = 0; i < kept; ++i)
            apply(node.durable, node.unsynced[i]);
        if (kept < node.unsynced.size() && m_random.chance(50)) {
            Change part = node.unsynced[kept];
            part.bytes.resize(m_random.below(part.bytes.size() + 1));
            if (!part.truncates && !part.bytes.empty())
                apply(node.durable, part);
        }
        node.bytes = node.durable;
    }
    node.atDeath.reset();
    if (m_keepsUnsynced && crash == Crash::PowerLoss)
        node.unsynced.clear();
}

void MemoryFileSystem::recover(Crash crash)
{
    dieNow();
    if (crash == Crash::Kill) {
        m_names = std::move(m_namesAtDeath);
    } else {
        const std::size_t kept = m_random.below(m_journal.size() + 1);
        for (std::size_t i = 0; i < kept; ++i)
            apply(m_durableNames, m_journal[i]);
        m_journal.clear();
        m_names = m_durableNames;
    }
    m_namesAtDeath.clear();
    for (auto& [path, node] : m_names)
        recoverContent(*node, crash);
    m_dead = false;
    m_left = ~std::uint64_t{0};
}

std::uint64_t MemoryFileSystem::bytesStored() const
{
    std::uint64_t sum = 0;
    for (const auto& [path, node] : m_names)
        sum += node->bytes.size();
    return sum;
}

Result<std::unique_ptr<store::File>> MemoryFileSystem::open(const std::string& path, Mode mode)
{
    auto it = m_names.find(path);
    if (it == m_names.end()) {
        if (mode != Mode::Create || !m_names.contains(path.substr(0, path.rfind('/'))))
            return Error{Errc::NotFound, path + ": not there", 0, 0};
        changeName({{}, path, std::make_shared<Node>()});
        it = m_names.find(path);
    }
    if (it->second->directory)
        return Error{Errc::Io, path + ": is a directory", 0, 0};
    return std::unique_ptr<store::File>(std::make_unique<MemoryFile>(*this, it->second));
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& directory)
{
    if (!m_names.contains(directory))
        return Error{Errc::NotFound, directory + ": not there", 0, 0};
    std::vector<std::string> names;
    const std::string front = directory + "/";
    for (auto it = m_names.lower_bound(front); it != m_names.end() && it->first.starts_with(front);
         ++it)
        if (it->first.find('/', front.size()) == std::string::npos)
            names.push_back(it->first.substr(front.size()));
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> MemoryFileSystem::makeDirectories(const std::string& path)
{
    for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        if (!m_names.contains(part)) {
            auto node = std::make_shared<Node>();
            node->directory = true;
            changeName({{}, part, std::move(node)});
        }
        if (at == std::string::npos)
            return {};
    }
}

Result<void> MemoryFileSystem::remove(const std::string& path)
{
    if (!m_names.contains(path))
        return Error{Errc::NotFound, path + ": not there", 0, 0};
    changeName({path, {}, {}});
    return {};
}

Result<void> MemoryFileSystem::removeTree(const std::string& path)
{
    if (m_names.contains(path))
        changeName({path, {}, {}});
    return {};
}

Result<void> MemoryFileSystem::rename(const std::string& from, const std::string& to)
{
    const auto it = m_names.find(from);
    if (it == m_names.end())
        return Error{Errc::NotFound, from + ": not there", 0, 0};
    changeName({from, to, it->second});
    return {};
}

Result<void> MemoryFileSystem::syncDirectory(const std::string& /*path*/)
{
    count(nullptr, nullptr);
    if (m_dead)
        return {};
    for (const NameChange& change : m_journal)
        apply(m_durableNames, change);
    m_journal.clear();
    return {};
}

Result<std::shared_ptr<void>> MemoryFileSystem::lock(const std::string& /*path*/)
{
    return std::shared_ptr<void>(std::make_shared<int>(0));
}

} // namespace jetglass::simulation
