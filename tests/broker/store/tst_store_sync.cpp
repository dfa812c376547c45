// SPDX-License-Identifier: GPL-3.0-or-later
// What is answered as durable hangs on every sync before it.
#include "faulty_file_system.h"
#include "late_worker.h"
#include "store/block_cache.h"
#include "store/file_store.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

class TestStoreSync : public QObject
{
    Q_OBJECT

private slots:
    void waitsForWhatIsUnderWay_data();
    void waitsForWhatIsUnderWay();
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

QTEST_GUILESS_MAIN(TestStoreSync)
#include "tst_store_sync.moc"
