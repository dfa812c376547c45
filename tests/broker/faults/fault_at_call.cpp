// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_at_call.h"

#include <utility>

namespace jetglass::faults {

namespace {

class CountedFile final : public store::File
{
public:
    CountedFile(FaultAtCall& system, std::unique_ptr<store::File> under, std::string path)
        : m_system(system)
        , m_under(std::move(under))
        , m_path(std::move(path))
    {
    }
    Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
    {
        auto passed = m_system.pass(Call::Write, m_path);
        if (passed)
            return m_under->write(offset, pieces);
        std::string all;
        for (const std::string_view piece : pieces)
            all += piece;
        all.resize(all.size() / 2);
        const std::string_view half[]{all};
        if (m_system.writesHalf() && !all.empty())
            static_cast<void>(m_under->write(offset, half).ok());
        return passed;
    }
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
    {
        if (auto passed = m_system.pass(Call::Read, m_path); !passed)
            return passed.error();
        return m_under->read(offset, into, size);
    }
    Result<std::uint64_t> size() const override
    {
        if (auto passed = m_system.pass(Call::Size, m_path); !passed)
            return passed.error();
        return m_under->size();
    }
    Result<void> truncate(std::uint64_t size) override
    {
        auto passed = m_system.pass(Call::Truncate, m_path);
        return passed ? m_under->truncate(size) : passed;
    }
    Result<void> syncData() override
    {
        auto passed = m_system.pass(Call::SyncData, m_path);
        return passed ? m_under->syncData() : passed;
    }
    Result<void> startWriteBack(std::uint64_t, std::uint64_t) override { return {}; }

private:
    FaultAtCall& m_system;
    std::unique_ptr<store::File> m_under;
    std::string m_path;
};

} // namespace

const char* nameOf(Call call)
{
    static constexpr const char* kNames[]{"open",
        "create",
        "list",
        "mkdir",
        "remove",
        "remove tree",
        "rename",
        "sync directory",
        "write",
        "read",
        "size",
        "truncate",
        "sync data"};
    return kNames[static_cast<std::size_t>(call)];
}

const char* nameOf(Fault fault)
{
    static constexpr const char* kNames[]{
        "EIO", "ENOSPC", "short write", "failed sync", "failed rename"};
    return kNames[static_cast<std::size_t>(fault)];
}

bool canMeet(Fault fault, Call call)
{
    const bool sync = call == Call::SyncData || call == Call::SyncDirectory;
    switch (fault) {
    case Fault::Io:
        return !sync && call != Call::Rename;
    case Fault::NoSpace:
        return call == Call::Write || call == Call::Create || call == Call::MakeDirectories;
    case Fault::ShortWrite:
        return call == Call::Write;
    case Fault::FailedSync:
        return sync;
    case Fault::FailedRename:
        return call == Call::Rename;
    }
    return false;
}

void FaultAtCall::failAt(std::size_t call, Fault fault, bool lasting)
{
    m_at = call;
    m_fault = fault;
    m_lasting = lasting;
    m_armed = true;
}

Result<void> FaultAtCall::pass(Call call, const std::string& path)
{
    const std::size_t number = m_calls.size();
    m_calls.push_back({call, path});
    const bool due = number == m_at || (m_lasting && number > m_at);
    if (!m_armed || !due || !canMeet(m_fault, call))
        return {};
    ++m_hits;
    return Error{
        m_fault == Fault::NoSpace ? Errc::NoSpace : Errc::Io, path + ": injected fault", 0, 0};
}

Result<std::unique_ptr<store::File>> FaultAtCall::open(const std::string& path, Mode mode)
{
    const bool makes = mode == Mode::Create && !m_under.exists(path);
    if (auto passed = pass(makes ? Call::Create : Call::Open, path); !passed)
        return passed.error();
    auto file = m_under.open(path, mode);
    if (!file)
        return file.error();
    return std::unique_ptr<store::File>(
        std::make_unique<CountedFile>(*this, std::move(*file), path));
}

Result<std::vector<std::string>> FaultAtCall::list(const std::string& directory)
{
    if (auto passed = pass(Call::List, directory); !passed)
        return passed.error();
    return m_under.list(directory);
}

Result<void> FaultAtCall::makeDirectories(const std::string& path)
{
    auto passed = pass(Call::MakeDirectories, path);
    return passed ? m_under.makeDirectories(path) : passed;
}

Result<void> FaultAtCall::remove(const std::string& path)
{
    auto passed = pass(Call::Remove, path);
    return passed ? m_under.remove(path) : passed;
}

Result<void> FaultAtCall::removeTree(const std::string& path)
{
    auto passed = pass(Call::RemoveTree, path);
    return passed ? m_under.removeTree(path) : passed;
}

Result<void> FaultAtCall::rename(const std::string& from, const std::string& to)
{
    auto passed = pass(Call::Rename, from);
    return passed ? m_under.rename(from, to) : passed;
}

Result<void> FaultAtCall::syncDirectory(const std::string& path)
{
    auto passed = pass(Call::SyncDirectory, path);
    return passed ? m_under.syncDirectory(path) : passed;
}

} // namespace jetglass::faults
