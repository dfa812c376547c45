// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/worker_thread.h"
#include "store/posix_file_system.h"
#include "store/store_factory.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace jetglass;
using namespace jetglass::store;

/// The store alone, without a network: messages of 1 KiB appended and committed in batches, read in
/// a row, opened again (figures per million); how fast groups of messages of several sizes are
/// committed and how long each waits for it; the same when each group is synced, beside what the
/// disk does with such groups.
class BenchStore : public QObject
{
    Q_OBJECT

private slots:
    void append_data();
    void append();
    void readInARow_data();
    void readInARow();
    void open();
    void groups_data();
    void groups();
    void syncedGroups_data();
    void syncedGroups();

private:
    struct Opened
    {
        std::unique_ptr<StoreFactory> factory;
        std::unique_ptr<MessageStore> store;
    };
    [[nodiscard]] Opened openIn(const QTemporaryDir& folder, Worker& worker, bool memory);
    static constexpr int kMessages = 1'000'000;
    void fill(MessageStore& store, int batch, int count);
    const std::string m_payload = std::string(1024, 'p');
    InlineWorker m_worker;
    PosixFileSystem m_files;
};

void BenchStore::fill(MessageStore& store, int batch, int count)
{
    const std::array<std::string, 4> subjects{"orders.a", "orders.b", "orders.c", "orders.d"};
    for (int i = 0; i < count; ++i) {
        store.append({subjects[static_cast<std::size_t>(i) % 4U],
            "",
            m_payload,
            1'700'000'000'000'000'000 + i});
        if ((i + 1) % batch == 0 && !store.commit())
            qFatal("cannot write");
    }
    if (!store.commit())
        qFatal("cannot write");
}

void BenchStore::append_data()
{
    QTest::addColumn<bool>("memory");
    QTest::addColumn<int>("batch");
    for (const int batch : {1, 64, 1024}) {
        QTest::addRow("memory, batches of %d", batch) << true << batch;
        QTest::addRow("file, batches of %d", batch) << false << batch;
    }
}

void BenchStore::append()
{
    QFETCH(bool, memory);
    QFETCH(int, batch);
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    StreamConfig config;
    config.name = "B";
    config.storage = memory ? Storage::Memory : Storage::File;
    auto store = (*factory)->openStream(config);
    QVERIFY(store.ok());
    QBENCHMARK_ONCE
    {
        fill(**store, batch, kMessages);
    }
    QCOMPARE((*store)->state().messages, static_cast<std::uint64_t>(kMessages));
}

void BenchStore::readInARow_data()
{
    QTest::addColumn<bool>("memory");
    QTest::newRow("memory") << true;
    QTest::newRow("file") << false;
}

void BenchStore::readInARow()
{
    QFETCH(bool, memory);
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    StreamConfig config;
    config.name = "B";
    config.storage = memory ? Storage::Memory : Storage::File;
    auto store = (*factory)->openStream(config);
    QVERIFY(store.ok());
    fill(**store, 1024, kMessages);
    std::uint64_t bytes = 0;
    QBENCHMARK_ONCE
    {
        MessageView m;
        StreamSeq at;
        while ((*store)->loadNext({}, at, m)) {
            bytes += m.payload.size();
            at = m.seq + 1U;
        }
    }
    QCOMPARE(bytes, std::uint64_t{kMessages} * 1024U);
}

void BenchStore::open()
{
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    StreamConfig config;
    config.name = "B";
    {
        auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
        QVERIFY(factory.ok());
        auto store = (*factory)->openStream(config);
        QVERIFY(store.ok());
        fill(**store, 1024, kMessages);
    }
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    std::uint64_t messages = 0;
    QBENCHMARK
    {
        auto store = (*factory)->openStream(config);
        QVERIFY(store.ok());
        messages = (*store)->state().messages;
    }
    QCOMPARE(messages, static_cast<std::uint64_t>(kMessages));
}

BenchStore::Opened BenchStore::openIn(const QTemporaryDir& folder, Worker& worker, bool memory)
{
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    auto factory = openStoreFactory(m_files, worker, settings, "$G");
    if (!factory)
        qFatal("%s", factory.error().text.c_str());
    StreamConfig config;
    config.name = "B";
    config.storage = memory ? Storage::Memory : Storage::File;
    auto store = (*factory)->openStream(config);
    if (!store)
        qFatal("%s", store.error().text.c_str());
    return {std::move(*factory), std::move(*store)};
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// What the worker posts, for the thread that has the store.
class Loop
{
public:
    void post(std::function<void()> task)
    {
        const std::scoped_lock lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    void run()
    {
        std::vector<std::function<void()>> tasks;
        {
            const std::scoped_lock lock(m_mutex);
            tasks.swap(m_tasks);
        }
        for (const auto& task : tasks)
            if (task)
                task();
    }

private:
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_tasks;
};

/// A file that groups of records are appended to, and nothing else.
class BareFile
{
public:
    BareFile(FileSystem& files, const std::string& path)
    {
        auto made = files.open(path, FileSystem::Mode::Create);
        if (!made)
            qFatal("%s", made.error().text.c_str());
        m_file = std::move(*made);
    }
    /// \a record stays until the commit.
    void append(std::string_view record) { m_pieces.push_back(record); }
    Result<void> commit()
    {
        const auto written = m_file->write(m_end, m_pieces);
        for (const std::string_view piece : m_pieces)
            m_end += piece.size();
        m_pieces.clear();
        return written;
    }
    Result<void> sync() { return m_file->syncData(); }

private:
    std::unique_ptr<File> m_file;
    std::vector<std::string_view> m_pieces;
    std::uint64_t m_end = 0;
};

/// How long messages waited for their commit, and how many came through.
class Waits
{
public:
    explicit Waits(std::size_t messages) { m_waits.reserve(messages); }
    void group(const std::vector<Clock::time_point>& begun)
    {
        const Clock::time_point end = Clock::now();
        for (const Clock::time_point from : begun)
            m_waits.push_back(static_cast<float>(seconds(end - from) * 1e3));
    }
    /// Messages a second, and waits in ms.
    [[nodiscard]] std::string line()
    {
        const double took = seconds(Clock::now() - m_from);
        std::sort(m_waits.begin(), m_waits.end());
        const auto at = [this](double part) {
            return m_waits[static_cast<std::size_t>(
                part * static_cast<double>(m_waits.size() - 1U))];
        };
        return QString::asprintf("%9.0f/s, p50 %.3f ms, p99 %.3f ms, longest %.2f ms",
            static_cast<double>(m_waits.size()) / took,
            static_cast<double>(at(0.5)),
            static_cast<double>(at(0.99)),
            static_cast<double>(m_waits.back()))
            .toStdString();
    }

private:
    std::vector<float> m_waits;
    Clock::time_point m_from = Clock::now();
};

} // namespace

void BenchStore::groups_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("messages");
    QTest::addColumn<int>("goal");
    const auto row = [](const char* kind, int bytes, int messages, int goal) {
        QTest::addRow("%s, %d KiB", kind, bytes / 1024)
            << QString::fromLatin1(kind) << bytes << messages << goal;
    };
    for (const char* kind : {"file", "bare file"}) {
        row(kind, 1024, 1'000'000, 200'000); // p99 below 1 ms
        row(kind, 4096, 250'000, 100'000); // 2 ms
        row(kind, 65536, 16'000, 20'000); // 5 ms
    }
    row("memory", 1024, 1'000'000, 1'000'000); // 0.1 ms
    row("memory", 4096, 250'000, 500'000); // 0.1 ms
}

/// A group is what one turn of the broker would write; slow work is on a thread of its own there.
/// As fast as it goes, and then at the rate of the seeds' goals, for the waits that go with it.
/// Beside it a file that gets the same groups, with nothing else done.
void BenchStore::groups()
{
    QFETCH(QString, kind);
    QFETCH(int, bytes);
    QFETCH(int, messages);
    QFETCH(int, goal);
    const bool memory = kind == QLatin1String("memory");
    const int group = bytes > 16384 ? 8 : 64;
    const std::string payload(static_cast<std::size_t>(bytes), 'p');
    for (const bool paced : {false, true}) {
        const QTemporaryDir folder;
        Loop loop;
        host::WorkerThread worker(
            [&loop](std::function<void()> done) { loop.post(std::move(done)); });
        Opened opened;
        std::unique_ptr<BareFile> bare;
        if (kind == QLatin1String("bare file")) {
            bare = std::make_unique<BareFile>(m_files, folder.filePath("bare").toStdString());
        } else {
            opened = openIn(folder, worker, memory);
            // As in a broker that runs for a while: pages that were used before.
            for (int i = 0; memory && i < messages; ++i)
                opened.store->append({"orders.a", "", payload, 1});
            QVERIFY(opened.store->commit().ok());
            opened.store->removeBelow(opened.store->state().last + 1U, Removal::Purge);
            QVERIFY(opened.store->commit().ok());
        }
        Waits waits(static_cast<std::size_t>(messages));
        std::vector<Clock::time_point> begun;
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < messages; ++i) {
            while (paced && begun.empty() && seconds(Clock::now() - start) * goal < i)
                ; // a benchmark, on real time: the group is due when it is due
            begun.push_back(Clock::now());
            if (bare)
                bare->append(payload);
            else
                opened.store->append({"orders.a", "", payload, 1});
            if (static_cast<int>(begun.size()) < group)
                continue;
            QVERIFY(bare ? bare->commit().ok() : opened.store->commit().ok());
            waits.group(begun);
            begun.clear();
            loop.run();
        }
        qInfo("%s%s", paced ? "paced " : "      ", waits.line().c_str());
    }
}

void BenchStore::syncedGroups_data()
{
    QTest::addColumn<bool>("bare");
    QTest::addColumn<int>("group");
    for (const int group : {1, 64, 1024}) {
        QTest::addRow("store, groups of %d", group) << false << group;
        QTest::addRow("bare file, groups of %d", group) << true << group;
    }
}

void BenchStore::syncedGroups()
{
    QFETCH(bool, bare);
    QFETCH(int, group);
    const int messages = group == 1 ? 5000 : 200'000;
    const QTemporaryDir folder;
    Opened opened;
    std::unique_ptr<BareFile> file;
    if (bare)
        file = std::make_unique<BareFile>(m_files, folder.filePath("bare").toStdString());
    else
        opened = openIn(folder, m_worker, false);
    const std::string record(1080, 'r');
    Waits waits(static_cast<std::size_t>(messages));
    std::vector<Clock::time_point> begun;
    for (int i = 0; i < messages; ++i) {
        begun.push_back(Clock::now());
        if (bare)
            file->append(record);
        else
            opened.store->append({"orders.a", "", m_payload, 1});
        if (static_cast<int>(begun.size()) < group && i + 1 < messages)
            continue;
        bool synced = false;
        if (bare) {
            synced = file->commit().ok() && file->sync().ok();
        } else {
            QVERIFY(opened.store->commit().ok());
            opened.store->sync([&synced](const Result<void>& done) { synced = done.ok(); });
        }
        QVERIFY(synced);
        waits.group(begun);
        begun.clear();
    }
    qInfo("%s", waits.line().c_str());
}

QTEST_GUILESS_MAIN(BenchStore)
#include "bench_store.moc"
