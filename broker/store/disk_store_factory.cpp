// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_cache.h"
#include "store/catalog_copy.h"
#include "store/file_consumer_log.h"
#include "store/file_store.h"
#include "store/memory_store.h"
#include "store/sqlite_catalog.h"
#include "store/store_factory.h"

#include <optional>
#include <set>
#include <utility>

namespace jetglass::store {

namespace {

/// Stands in the folder of a stream that is not in the catalog yet.
constexpr const char* kUnfinished = "/unfinished";
constexpr std::size_t kPoolBytes = 64U << 20U; ///< memory that is kept for the next block

/// Account names may hold anything; a folder name may not.
std::string folderName(const std::string& account)
{
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string name;
    for (const char c : account) {
        const bool plain =
            c > ' ' && c != '/' && c != '%' && c != 127 && (c != '.' || !name.empty());
        if (plain) {
            name += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        name += '%';
        name += kDigits[byte >> 4U];
        name += kDigits[byte & 15U];
    }
    return name;
}

class DiskStoreFactory final : public StoreFactory
{
public:
    DiskStoreFactory(
        FileSystem& files, Worker& worker, const StoreSettings& settings, std::string directory)
        : m_directory(std::move(directory))
        , m_cache(settings.cacheBytes)
        , m_context{files, worker, m_cache, std::make_shared<BufferPool>(kPoolBytes), settings}
    {
    }
    DiskStoreFactory(const DiskStoreFactory&) = delete;
    DiskStoreFactory& operator=(const DiskStoreFactory&) = delete;
    ~DiskStoreFactory() override { m_context.worker.drain(); }

    Result<void> open();
    Catalog& catalog() override { return *m_catalog; }
    Result<std::unique_ptr<MessageStore>> openStream(const StreamConfig& config) override;
    Result<std::unique_ptr<ConsumerLog>> openConsumerLog(const StreamConfig& config) override;
    Result<void> beginStream(const StreamConfig& config) override;
    void keepStream(const StreamConfig& config) override;
    Result<std::unique_ptr<HistoryLog>> openHistoryLog(const StreamConfig& config) override;
    Result<void> removeStream(const StreamConfig& config) override;
    void dispose(std::shared_ptr<void> remains) override
    {
        m_context.worker.run([remains = std::move(remains)]() mutable { remains.reset(); }, {});
    }
    [[nodiscard]] const std::vector<std::string>& report() const override { return m_report; }

private:
    [[nodiscard]] std::string folder(const StreamConfig& config) const
    {
        return m_directory + "/streams/" + config.name;
    }
    Result<std::unique_ptr<Catalog>> rescueCatalog(const Error& damage);
    Result<void> moveToTrash(const std::string& path);
    Result<void> removeUnfinished();
    void removeLater(std::string path);

    std::string m_directory;
    std::shared_ptr<void> m_lock;
    BlockCache m_cache;
    FileStoreContext m_context;
    std::unique_ptr<Catalog> m_catalog;
    std::vector<std::string> m_report;
    std::uint64_t m_nextTrash = 1;
};

Result<void> DiskStoreFactory::open()
{
    FileSystem& files = m_context.files;
    if (auto made = files.makeDirectories(m_directory + "/streams"); !made)
        return made;
    auto lock = files.lock(m_directory);
    if (!lock)
        return lock.error();
    m_lock = std::move(*lock);
    auto catalog = openSqliteCatalog(
        files, m_context.worker, m_directory + "/catalog.sqlite", m_context.settings.syncAlways);
    if (!catalog && catalog.error().code == Errc::Corrupt)
        catalog = rescueCatalog(catalog.error());
    if (!catalog)
        return catalog.error();
    m_catalog = keepCopies(std::move(*catalog), files, m_context.worker, m_directory + "/streams");
    // What was being deleted when the last broker ended.
    const std::string trash = m_directory + "/trash";
    if (files.exists(trash))
        removeLater(trash);
    return removeUnfinished();
}

/// The damaged file is set aside and a new one made of the streams' own copies. If one of them has
/// none, nothing is touched: whoever has a copy of the file loses nothing.
Result<std::unique_ptr<Catalog>> DiskStoreFactory::rescueCatalog(const Error& damage)
{
    FileSystem& files = m_context.files;
    const std::string path = m_directory + "/catalog.sqlite";
    auto copies = readCopies(files, m_directory + "/streams");
    if (!copies)
        return copies.error();
    if (!copies->without.empty())
        return Error{Errc::Corrupt,
            damage.text + "; there is no copy of the configuration of stream '"
                + copies->without.front()
                + "', so nothing was changed: put a good catalog.sqlite in its place",
            0,
            0};
    std::string aside = path + ".damaged";
    for (int n = 2; files.exists(aside); ++n)
        aside = path + ".damaged-" + std::to_string(n);
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        if (files.exists(path + ending))
            if (auto moved = files.rename(path + ending, aside + ending); !moved)
                return moved.error();
    auto catalog = openSqliteCatalog(files, m_context.worker, path, m_context.settings.syncAlways);
    if (!catalog)
        return catalog.error();
    std::size_t consumers = 0;
    auto failed = std::make_shared<Result<void>>();
    for (CopiedStream& one : copies->streams) {
        consumers += one.consumers.size();
        (*catalog)->saveRestored(
            one.stream, std::move(one.consumers), [failed](const Result<void>& saved) {
                if (!saved)
                    *failed = saved;
            });
    }
    (*catalog)->flush();
    m_report.push_back(damage.text + "; set aside as " + aside + " and made anew with "
        + std::to_string(copies->streams.size()) + " streams and " + std::to_string(consumers)
        + " consumers, which begin at their deliver policy again");
    if (!failed->ok())
        return failed->error();
    return catalog;
}

/// A stream whose making was cut short: it is there as a whole if the catalog has it, else not at
/// all.
Result<void> DiskStoreFactory::removeUnfinished()
{
    FileSystem& files = m_context.files;
    const auto folders = files.list(m_directory + "/streams");
    if (!folders)
        return folders.error();
    std::optional<std::set<std::string>> known;
    for (const std::string& name : *folders) {
        const std::string path = m_directory + "/streams/" + name;
        if (!files.exists(path + kUnfinished))
            continue;
        if (!known) {
            const auto streams = m_catalog->loadStreams();
            if (!streams)
                return streams.error();
            known.emplace();
            for (const CatalogStream& stream : *streams)
                known->insert(stream.name);
        }
        auto done = known->contains(name) ? files.remove(path + kUnfinished) : moveToTrash(path);
        if (!done)
            return done;
    }
    return {};
}

Result<std::unique_ptr<MessageStore>> DiskStoreFactory::openStream(const StreamConfig& config)
{
    if (config.storage == Storage::Memory)
        return std::unique_ptr<MessageStore>(std::make_unique<MemoryStore>(m_context.pool));
    auto store = FileStore::open(m_context, folder(config) + "/msgs", m_report);
    if (store)
        (*store)->setCompression(config.compression == Compression::S2);
    return store;
}

Result<std::unique_ptr<ConsumerLog>> DiskStoreFactory::openConsumerLog(const StreamConfig& config)
{
    if (config.storage == Storage::Memory)
        return std::unique_ptr<ConsumerLog>(std::make_unique<MemoryConsumerLog>());
    if (auto made = m_context.files.makeDirectories(folder(config)); !made)
        return made.error();
    return FileConsumerLog::open(
        m_context.files, m_context.worker, folder(config) + "/consumers.log", m_report);
}

Result<void> DiskStoreFactory::beginStream(const StreamConfig& config)
{
    if (auto removed = removeStream(config); !removed || config.storage == Storage::Memory)
        return removed;
    FileSystem& files = m_context.files;
    if (auto made = files.makeDirectories(folder(config)); !made)
        return made;
    const auto mark = files.open(folder(config) + kUnfinished, FileSystem::Mode::Create);
    return mark ? Result<void>() : mark.error();
}

void DiskStoreFactory::keepStream(const StreamConfig& config)
{
    const std::string mark = folder(config) + kUnfinished;
    // If it stays, the next start finds the stream in the catalog and tries again.
    if (m_context.files.exists(mark))
        static_cast<void>(m_context.files.remove(mark).ok());
}

Result<std::unique_ptr<HistoryLog>> DiskStoreFactory::openHistoryLog(const StreamConfig& config)
{
    if (config.storage == Storage::Memory)
        return std::unique_ptr<HistoryLog>();
    if (auto made = m_context.files.makeDirectories(folder(config)); !made)
        return made.error();
    return HistoryLog::open(m_context.files, folder(config) + "/history.log");
}

Result<void> DiskStoreFactory::removeStream(const StreamConfig& config)
{
    if (!m_context.files.exists(folder(config)))
        return {};
    return moveToTrash(folder(config));
}

Result<void> DiskStoreFactory::moveToTrash(const std::string& path)
{
    FileSystem& files = m_context.files;
    const std::string trash = m_directory + "/trash";
    if (auto made = files.makeDirectories(trash); !made)
        return made;
    std::string target;
    do
        target = trash + "/" + std::to_string(m_nextTrash++);
    while (files.exists(target));
    if (auto moved = files.rename(path, target); !moved)
        return moved;
    removeLater(std::move(target));
    return {};
}

void DiskStoreFactory::removeLater(std::string path)
{
    m_context.worker.run(
        [&files = m_context.files, path = std::move(path)] {
            // What stays is tried again at the next start.
            static_cast<void>(files.removeTree(path).ok());
        },
        {});
}

} // namespace

Result<std::unique_ptr<StoreFactory>> openStoreFactory(
    FileSystem& files, Worker& worker, const StoreSettings& settings, const std::string& account)
{
    auto factory = std::make_unique<DiskStoreFactory>(
        files, worker, settings, settings.directory + "/" + folderName(account));
    if (auto opened = factory->open(); !opened)
        return opened.error();
    return std::unique_ptr<StoreFactory>(std::move(factory));
}

} // namespace jetglass::store
