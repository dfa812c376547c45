// SPDX-License-Identifier: GPL-3.0-or-later
#include "faulty_file_system.h"

#include <algorithm>
#include <utility>

namespace jetglass::store {

namespace {

class FaultyFile final : public File
{
public:
    FaultyFile(FaultyFileSystem& system,
        std::shared_ptr<FaultyFileSystem::Content> content,
        std::string path)
        : m_system(system)
        , m_content(std::move(content))
        , m_path(std::move(path))
    {
    }
    Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
    {
        std::string all;
        for (const std::string_view piece : pieces)
            all += piece;
        ++m_system.writes;
        const bool fails = m_system.mustFail();
        const bool full = all.size() > m_system.space;
        if (fails || full)
            all.resize(m_system.shortWrites ? all.size() / 2 : 0);
        else
            m_system.space -= all.size();
        std::string& bytes = m_content->bytes;
        bytes.resize(std::max<std::size_t>(bytes.size(), offset + all.size()));
        std::copy(all.begin(), all.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        if (full)
            return Error{Errc::NoSpace, m_path + ": no space left", 0, 0};
        return fails ? Result<void>(m_system.failure(m_path)) : Result<void>();
    }
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
    {
        const std::string& bytes = m_content->bytes;
        const std::size_t n = offset < bytes.size() ? std::min(size, bytes.size() - offset) : 0;
        std::copy_n(bytes.data() + std::min<std::size_t>(offset, bytes.size()), n, into);
        ++m_system.reads;
        m_system.bytesRead += n;
        return n;
    }
    Result<std::uint64_t> size() const override { return std::uint64_t{m_content->bytes.size()}; }
    Result<void> truncate(std::uint64_t size) override
    {
        if (m_system.mustFail())
            return m_system.failure(m_path);
        m_content->bytes.resize(size);
        return {};
    }
    Result<void> syncData() override
    {
        if (m_system.failSyncs > 0) {
            --m_system.failSyncs;
            return m_system.failure(m_path);
        }
        m_content->synced = m_content->bytes;
        return {};
    }
    Result<void> startWriteBack(std::uint64_t, std::uint64_t) override { return {}; }

private:
    FaultyFileSystem& m_system;
    std::shared_ptr<FaultyFileSystem::Content> m_content;
    std::string m_path;
};

} // namespace

bool FaultyFileSystem::mustFail()
{
    ++changes;
    if (m_tripped && failForever)
        return true;
    if (failAfter < 0)
        return false;
    if (failAfter-- > 0)
        return false;
    m_tripped = true;
    return true;
}

void FaultyFileSystem::crash()
{
    for (auto& [path, content] : contents)
        content->bytes = content->synced;
}

Result<std::unique_ptr<File>> FaultyFileSystem::open(const std::string& path, Mode mode)
{
    auto it = contents.find(path);
    if (it == contents.end()) {
        if (mode != Mode::Create)
            return Error{Errc::NotFound, path + ": not there", 0, 0};
        if (mustFail())
            return failure(path);
        it = contents.emplace(path, std::make_shared<Content>()).first;
    }
    return std::unique_ptr<File>(std::make_unique<FaultyFile>(*this, it->second, path));
}

Result<std::vector<std::string>> FaultyFileSystem::list(const std::string& directory)
{
    std::set<std::string> names;
    const std::string prefix = directory + "/";
    for (const auto& [path, content] : contents)
        if (path.starts_with(prefix))
            names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
    return std::vector<std::string>(names.begin(), names.end());
}

Result<void> FaultyFileSystem::makeDirectories(const std::string& path)
{
    m_directories.insert(path);
    return {};
}

Result<void> FaultyFileSystem::remove(const std::string& path)
{
    if (mustFail())
        return failure(path);
    contents.erase(path);
    return {};
}

Result<void> FaultyFileSystem::removeTree(const std::string& path)
{
    std::erase_if(contents, [&](const auto& entry) { return entry.first.starts_with(path); });
    return {};
}

Result<void> FaultyFileSystem::rename(const std::string& from, const std::string& to)
{
    if (mustFail())
        return failure(from);
    contents[to] = contents[from];
    contents.erase(from);
    return {};
}

Result<void> FaultyFileSystem::syncDirectory(const std::string& path)
{
    syncedDirectories.insert(path);
    return {};
}

bool FaultyFileSystem::exists(const std::string& path)
{
    const auto below = contents.lower_bound(path + "/");
    return contents.contains(path) || m_directories.contains(path)
        || (below != contents.end() && below->first.starts_with(path + "/"));
}

Result<std::shared_ptr<void>> FaultyFileSystem::lock(const std::string& /*path*/)
{
    return std::shared_ptr<void>(std::make_shared<int>(0));
}

} // namespace jetglass::store
