// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_cache.h"
#include "store/catalog_copy.h"
#include "store/file_consumer_log.h"
#include "store/file_store.h"
#include "store/kept_aside.h"
#include "store/memory_store.h"
#include "store/sqlite_catalog.h"
#include "store/store_factory.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace jetglass::store {

namespace {

using Kind = RecoveryFinding::Kind;

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

void removeLater(FileSystem& files, Worker& worker, std::string path)
{
    worker.run(
        [&files, path = std::move(path)] {
            // What stays is tried again at the next start.
            static_cast<void>(files.removeTree(path).ok());
        },
        {});
}

class DiskStoreFactory final : public StoreFactory
{
public:
    DiskStoreFactory(
        FileSystem& files, Worker& worker, const StoreSettings& settings, std::string directory)
        : m_directory(std::move(directory))
        , m_cache(settings.cacheBytes)
        , m_context{
              files, worker, m_cache, std::make_shared<BufferPool>(kPoolBytes, &worker), settings}
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
    Result<bool> beginCreate(const StreamConfig& config) override;
    Result<void> beginRemoval(const StreamConfig& config) override;
    void keepStream(const StreamConfig& config) override;
    Result<std::unique_ptr<HistoryLog>> openHistoryLog(const StreamConfig& config) override;
    Result<void> removeStream(const StreamConfig& config) override;
    void dispose(std::shared_ptr<void> remains) override
    {
        m_context.worker.run([remains = std::move(remains)]() mutable { remains.reset(); }, {});
    }
    void note(const RecoveryFinding& finding) override { m_report.push_back(finding); }
    [[nodiscard]] const RecoveryReport& report() const override { return m_report; }

private:
    [[nodiscard]] std::string folder(const StreamConfig& config) const
    {
        return m_directory + "/streams/" + config.name;
    }
    [[nodiscard]] std::string catalogPath() const { return m_directory + "/catalog.sqlite"; }
    Result<std::optional<Kind>> catalogAbsent();
    Result<std::string> setCatalogAside();
    Result<std::unique_ptr<Catalog>> rescueCatalog(const Error& damage);
    Result<RecoveryFinding> bringBack(Catalog& catalog, std::vector<CopiedStream> copies);
    Result<void> matchFolders(std::optional<Kind> absent);
    Result<void> finishRemovals(const std::vector<CatalogStream>& streams);
    Result<void> moveToTrash(const std::string& path);
    Result<void> removeUnfinished(
        const std::vector<std::string>& folders, const std::set<std::string>& known);

    std::string m_directory;
    std::shared_ptr<void> m_lock;
    BlockCache m_cache;
    FileStoreContext m_context;
    RecoveryReport m_report; ///< the catalog adds to it
    std::unique_ptr<Catalog> m_catalog;
    std::map<std::string, CatalogEnd> m_ends; ///< of streams that have not been opened yet
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
    auto absent = catalogAbsent();
    if (!absent)
        return absent.error();
    auto catalog =
        openSqliteCatalog(files, m_context.worker, catalogPath(), m_context.settings.syncAlways);
    if (!catalog && catalog.error().code == Errc::Corrupt)
        catalog = rescueCatalog(catalog.error());
    if (!catalog)
        return catalog.error();
    m_catalog = std::move(*catalog);
    if (auto matched = matchFolders(*absent); !matched)
        return matched;
    auto ends = m_catalog->loadEnds();
    if (!ends)
        return ends.error();
    for (CatalogEnd& end : *ends) {
        const std::string name = end.stream;
        m_ends[name] = std::move(end);
    }
    // Only now: what is missing of the copies is made, folders included.
    m_catalog = keepCopies(
        std::move(m_catalog), files, m_context.worker, m_directory + "/streams", m_report);
    // What was being deleted when the last broker ended.
    const std::string trash = m_directory + "/trash";
    if (files.exists(trash))
        removeLater(files, m_context.worker, trash);
    return {};
}

/// Whether there is no file of the catalog, or nothing in it; SQLite takes either for a new one. A
/// log that belonged to it is kept for whoever asks: SQLite would delete it.
Result<std::optional<Kind>> DiskStoreFactory::catalogAbsent()
{
    FileSystem& files = m_context.files;
    const std::string path = catalogPath();
    Kind absent = Kind::CatalogMissing;
    if (files.exists(path)) {
        auto file = files.open(path, FileSystem::Mode::Read);
        if (!file)
            return file.error();
        const auto size = (*file)->size();
        if (!size)
            return size.error();
        if (*size > 0)
            return std::optional<Kind>();
        absent = Kind::CatalogEmpty;
    }
    if (files.exists(path + "-wal"))
        if (auto moved = setCatalogAside(); !moved)
            return moved.error();
    return std::optional(absent);
}

/// The new name of the catalog's files.
Result<std::string> DiskStoreFactory::setCatalogAside()
{
    FileSystem& files = m_context.files;
    const std::string path = catalogPath();
    const std::string aside = asideName(files, path, {"", "-wal"});
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        if (files.exists(path + ending))
            if (auto moved = files.rename(path + ending, aside + ending); !moved)
                return moved.error();
    return aside;
}

/// The damaged file is set aside; the new one is filled from the streams' own copies. If one of
/// them has none, nothing is touched: whoever has a copy of the file loses nothing.
Result<std::unique_ptr<Catalog>> DiskStoreFactory::rescueCatalog(const Error& damage)
{
    auto copies = readCopies(m_context.files, m_directory + "/streams", {});
    if (!copies)
        return copies.error();
    if (!copies->without.empty())
        return Error{Errc::Corrupt,
            damage.text + "; there is no copy of the configuration of stream '"
                + copies->without.front()
                + "', so nothing was changed: put a good catalog.sqlite in its place",
            0,
            0};
    const auto aside = setCatalogAside();
    if (!aside)
        return aside.error();
    auto catalog = openSqliteCatalog(
        m_context.files, m_context.worker, catalogPath(), m_context.settings.syncAlways);
    if (!catalog)
        return catalog.error();
    auto back = bringBack(**catalog, std::move(copies->streams));
    if (!back)
        return back.error();
    const std::string front = catalogPath() + ": ";
    back->kind = Kind::CatalogDamaged;
    back->aside = *aside;
    back->detail = damage.text.substr(damage.text.starts_with(front) ? front.size() : 0);
    m_report.push_back(std::move(*back));
    return catalog;
}

/// Puts copies into the catalog; what it has of their consumers stays as it is. Answers what came
/// back, without a kind.
Result<RecoveryFinding> DiskStoreFactory::bringBack(
    Catalog& catalog, std::vector<CopiedStream> copies)
{
    FileSystem& files = m_context.files;
    RecoveryFinding back{.file = catalogPath()};
    std::set<std::string> wanted;
    for (CopiedStream& one : copies) {
        auto all = catalog.loadConsumers(one.stream.name);
        if (!all)
            return all.error();
        std::set<std::string> known;
        for (const CatalogConsumer& consumer : *all)
            known.insert(consumer.name);
        // Without the snapshots that they go on from, the log's records mean nothing.
        const std::string log = m_directory + "/streams/" + one.stream.name + "/consumers.log";
        if (known.empty() && files.exists(log))
            if (auto moved = setAside(files, log); !moved)
                return moved.error();
        for (CatalogConsumer& consumer : one.consumers)
            if (!known.contains(consumer.name))
                all->push_back(std::move(consumer));
        back.consumers += all->size();
        back.streams.push_back(one.stream.name);
        wanted.insert(one.stream.name);
        catalog.saveRestored(one.stream, std::move(*all), {});
    }
    catalog.flush();
    // The answers may not have come yet: what is there says it.
    const auto streams = catalog.loadStreams();
    if (!streams)
        return streams.error();
    for (const CatalogStream& stream : *streams)
        wanted.erase(stream.name);
    if (!wanted.empty())
        return Error{Errc::Io,
            catalogPath() + ": stream '" + *wanted.begin() + "' cannot be brought back",
            0,
            0};
    return back;
}

/// Folders and catalog are to agree on which streams there are. \a absent says what was wrong with
/// the file of the catalog.
Result<void> DiskStoreFactory::matchFolders(std::optional<Kind> absent)
{
    const auto folders = m_context.files.list(m_directory + "/streams");
    if (!folders)
        return folders.error();
    const auto streams = m_catalog->loadStreams();
    if (!streams)
        return streams.error();
    std::set<std::string> known;
    for (const CatalogStream& stream : *streams)
        known.insert(stream.name);
    if (auto done = removeUnfinished(*folders, known); !done)
        return done;
    if (auto done = finishRemovals(*streams); !done)
        return done;
    auto copies = readCopies(m_context.files, m_directory + "/streams", known);
    if (!copies)
        return copies.error();
    for (const std::string& name : copies->without)
        m_report.push_back(
            {.kind = Kind::UnknownStreamLeft, .file = (m_directory + "/streams/").append(name)});
    if (copies->streams.empty())
        return {};
    auto back = bringBack(*m_catalog, std::move(copies->streams));
    if (!back) {
        m_report.push_back(
            {.kind = Kind::CatalogNotRestored, .file = catalogPath(), .detail = back.error().text});
        return {};
    }
    back->kind = absent.value_or(Kind::CatalogLostStreams);
    m_report.push_back(std::move(*back));
    return {};
}

/// A folder in the trash whose stream the catalog still has: the broker ended between the two
/// steps of its removal.
Result<void> DiskStoreFactory::finishRemovals(const std::vector<CatalogStream>& streams)
{
    FileSystem& files = m_context.files;
    const std::string trash = m_directory + "/trash";
    if (!files.exists(trash))
        return {};
    const auto folders = files.list(trash);
    if (!folders)
        return folders.error();
    for (const std::string& folder : *folders) {
        const auto copy = readStreamCopy(files, (trash + "/").append(folder));
        if (!copy || files.exists(m_directory + "/streams/" + copy->name))
            continue;
        for (const CatalogStream& stream : streams)
            if (stream.name == copy->name && stream.created == copy->created)
                m_catalog->removeStream(stream.name, {});
    }
    m_catalog->flush();
    return {};
}

/// A stream whose making was cut short: it is there as a whole if the catalog has it, else not at
/// all.
Result<void> DiskStoreFactory::removeUnfinished(
    const std::vector<std::string>& folders, const std::set<std::string>& known)
{
    FileSystem& files = m_context.files;
    for (const std::string& name : folders) {
        const std::string path = m_directory + "/streams/" + name;
        if (!files.exists(path + kUnfinished))
            continue;
        auto done = known.contains(name) ? files.remove(path + kUnfinished) : moveToTrash(path);
        if (!done)
            return done;
    }
    return {};
}

Result<std::unique_ptr<MessageStore>> DiskStoreFactory::openStream(const StreamConfig& config)
{
    if (config.storage == Storage::Memory)
        return std::unique_ptr<MessageStore>(std::make_unique<MemoryStore>(m_context.pool));
    // Whoever comes later under that name is another stream.
    EndMemory end{std::exchange(m_ends[config.name], {}), {}};
    m_ends.erase(config.name);
    end.known.stream = config.name;
    end.remember = [this](const CatalogEnd& now) { m_catalog->saveEnd(now); };
    auto store = FileStore::open(m_context, folder(config) + "/msgs", m_report, end);
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

Result<bool> DiskStoreFactory::beginCreate(const StreamConfig& config)
{
    FileSystem& files = m_context.files;
    if (files.exists(folder(config)) && !files.exists(folder(config) + kUnfinished))
        return false;
    auto begun = beginStream(config);
    return begun ? Result<bool>(true) : begun.error();
}

Result<void> DiskStoreFactory::beginRemoval(const StreamConfig& config)
{
    FileSystem& files = m_context.files;
    if (!files.exists(folder(config)))
        return {};
    const auto mark = files.open(folder(config) + kUnfinished, FileSystem::Mode::Create);
    if (!mark)
        return mark.error();
    // Before the row goes, or the stream would come back by its copy when power has been lost.
    if (m_context.settings.syncAlways)
        m_context.worker.run(
            [&files, where = folder(config)] {
                static_cast<void>(files.syncDirectory(where).ok());
            },
            {});
    return {};
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
    return HistoryLog::open(m_context.files, folder(config) + "/history.log", m_report);
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
    // Or the folder would be there again when power has been lost, and the stream with it.
    if (m_context.settings.syncAlways)
        m_context.worker.run(
            [&files, from = path.substr(0, path.rfind('/'))] {
                static_cast<void>(files.syncDirectory(from).ok());
            },
            {});
    // Not before what the caller does to the catalog next: until then the copy of the configuration
    // says whose folder this was.
    m_context.worker.run([] {},
        [&files = m_context.files,
            &worker = m_context.worker,
            target = std::move(target)]() mutable {
            removeLater(files, worker, std::move(target));
        });
    return {};
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
