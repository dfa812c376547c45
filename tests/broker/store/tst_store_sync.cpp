// SPDX-License-Identifier: GPL-3.0-or-later
// What is answered as durable hangs on every sync before it.
#include "faulty_file_system.h"
#include "late_worker.h"
#include "store/block_cache.h"
#include "store/file_store.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

namespace {

/// A store in memory whose process and whose power may end at any moment.
struct Disk
{
    FaultyFileSystem files;
    LateWorker worker;
    BlockCache cache{64U << 10U};
    RecoveryReport report;
    std::unique_ptr<MessageStore> store;

    void open()
    {
        const FileStoreContext context{files,
            worker,
            cache,
            std::make_shared<BufferPool>(1U << 20U),
            StoreSettings{"", false, 4096, 64U << 10U}};
        auto opened = FileStore::open(context, "msgs", report);
        QVERIFY(opened.ok());
        store = std::move(*opened);
    }
    /// Nothing that was on its way comes to its end.
    void kill()
    {
        FaultyFileSystem left;
        for (const auto& [path, content] : files.contents)
            left.contents[path] = std::make_shared<FaultyFileSystem::Content>(*content);
        store.reset();
        worker.drain();
        files.contents = std::move(left.contents);
        files.syncedDirectories.clear();
    }
    void append(int count)
    {
        for (int i = 0; i < count; ++i)
            store->append({"a", "", "secret " + std::string(100, 'x'), i});
        QVERIFY(store->commit().ok());
    }
    void sync()
    {
        bool done = false;
        store->sync([&done](const Result<void>& synced) { done = synced.ok(); });
        worker.drain();
        QVERIFY(done);
    }
    [[nodiscard]] std::size_t secretsIn(const std::string& path)
    {
        std::size_t count = 0;
        const std::string& bytes = files.contents[path]->bytes;
        for (std::size_t at = bytes.find("secret"); at != std::string::npos;
             at = bytes.find("secret", at + 1))
            ++count;
        return count;
    }
    [[nodiscard]] std::uint64_t readable() const
    {
        std::uint64_t count = 0;
        MessageView message;
        for (std::uint64_t seq = 1; seq <= store->state().last.value(); ++seq)
            count += store->load(StreamSeq(seq), message) ? 1U : 0U;
        return count;
    }
};

} // namespace

class TestStoreSync : public QObject
{
    Q_OBJECT

private slots:
    void waitsForWhatIsUnderWay_data();
    void waitsForWhatIsUnderWay();
    void countsAreTrueWhereAnErasedMessageWas();
    void erasesAtTheEnd();
    void syncsWhatAKilledProgramHasWritten();
};

void TestStoreSync::waitsForWhatIsUnderWay_data()
{
    QTest::addColumn<bool>("fails");
    QTest::newRow("the earlier sync succeeds") << false;
    QTest::newRow("the earlier sync fails") << true;
}

/// The second call finds nothing new to sync, yet what it answers for is still on its way.
void TestStoreSync::waitsForWhatIsUnderWay()
{
    QFETCH(bool, fails);
    FaultyFileSystem files;
    LateWorker worker;
    BlockCache cache{64U << 10U};
    const FileStoreContext context{files,
        worker,
        cache,
        std::make_shared<BufferPool>(1U << 20U),
        StoreSettings{"", false, 4096, 64U << 10U}};
    RecoveryReport report;
    auto store = FileStore::open(context, "msgs", report);
    QVERIFY(store.ok());
    (*store)->append({"a", "", "1", 1});
    QVERIFY((*store)->commit().ok());
    files.failSyncs = fails ? 1 : 0;
    std::vector<bool> answers;
    for (int i = 0; i < 2; ++i)
        (*store)->sync([&answers](const Result<void>& done) { answers.push_back(done.ok()); });
    QCOMPARE(answers, std::vector<bool>());
    worker.drain();
    QCOMPARE(answers, (std::vector<bool>{!fails, !fails}));
    (*store)->sync([&answers](const Result<void>& done) { answers.push_back(done.ok()); });
    QCOMPARE(bool{answers.back()}, !fails);
    worker.drain();
}

/// The system may write an older block back long before the newest one.
void TestStoreSync::countsAreTrueWhereAnErasedMessageWas()
{
    for (const bool removalSynced : {false, true}) {
        Disk disk;
        disk.open();
        disk.append(60);
        QVERIFY(disk.files.contents.contains("msgs/2.blk"));
        disk.sync();
        for (auto& [path, content] : disk.files.contents)
            content->synced = content->bytes; // the caches too
        const std::size_t secrets = disk.secretsIn("msgs/1.blk");
        QVERIFY(disk.store->remove(StreamSeq(3), Removal::Delete, true));
        QVERIFY(disk.store->commit().ok());
        if (removalSynced)
            disk.worker.drain();
        disk.kill();
        QCOMPARE(disk.secretsIn("msgs/1.blk"), secrets - (removalSynced ? 1U : 0U));
        auto& old = *disk.files.contents["msgs/1.blk"];
        old.synced = old.bytes;
        disk.files.crash();
        disk.open();
        const std::uint64_t counted = disk.store->state().messages;
        QCOMPARE(counted, removalSynced ? 59U : 60U);
        QCOMPARE(disk.readable(), counted);
        QCOMPARE(disk.store->state().messages, counted);
        QCOMPARE(disk.report.size(), std::size_t{0});
    }
}

void TestStoreSync::erasesAtTheEnd()
{
    Disk disk;
    disk.open();
    disk.append(60);
    disk.worker.drain();
    const std::size_t secrets = disk.secretsIn("msgs/1.blk");
    for (const std::uint64_t seq : {3U, 4U}) { // the second one while the first waits for its sync
        QVERIFY(disk.store->remove(StreamSeq(seq), Removal::Delete, true));
        QVERIFY(disk.store->commit().ok());
    }
    QCOMPARE(disk.secretsIn("msgs/1.blk"), secrets);
    disk.store.reset();
    QCOMPARE(disk.secretsIn("msgs/1.blk"), secrets - 2U);
}

/// Who is answered after a start may rely on something from before it.
void TestStoreSync::syncsWhatAKilledProgramHasWritten()
{
    Disk disk;
    disk.open();
    disk.append(60);
    disk.kill();
    disk.open();
    disk.sync();
    QVERIFY(disk.files.syncedDirectories.contains("msgs"));
    disk.files.crash();
    disk.open();
    QCOMPARE(disk.store->state().messages, 60U);
    QCOMPARE(disk.readable(), 60U);
}

QTEST_GUILESS_MAIN(TestStoreSync)
#include "tst_store_sync.moc"
