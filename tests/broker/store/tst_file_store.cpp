// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_operations.h"
#include "store_fixture.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

class TestFileStore : public QObject
{
    Q_OBJECT

private slots:
    void countsBytesAsTheProtocolSays();
    void survivesReopening();
    void emptyStreamKeepsItsPosition_data();
    void emptyStreamKeepsItsPosition();
    void behavesLikeTheModel_data();
    void behavesLikeTheModel();
    void indexFilesAreCaches();
    void emptyBlocksAreDeleted();
    void removalsOfOldBlocksOutliveTheBlockThatSaysSo();
    void causesSurvive();
    void eraseOverwrites();
    void largeGapsCostNothing();
    void lockedDirectoryIsNamed();
    void removedStreamIsGone();
};

void TestFileStore::countsBytesAsTheProtocolSays()
{
    StoreFixture f;
    f.open();
    f.store->append({"abc", "", "12345", 1});
    QCOMPARE(f.store->state().bytes, 30U + 3U + 5U);
    f.store->append({"abc", "HH", "12345", 1});
    QCOMPARE(f.store->state().bytes, 2U * (30U + 3U + 5U) + 4U + 2U);
}

void TestFileStore::survivesReopening()
{
    StoreFixture f;
    f.open();
    NaiveStore model;
    RandomOperations random(1, 20);
    for (int i = 0; i < 500; ++i) {
        const auto m = random.message();
        f.store->append(RandomOperations::view(m));
        model.append(m);
        if (i % 7 == 0)
            QVERIFY(f.store->commit().ok());
    }
    QVERIFY(f.store->commit().ok());
    QVERIFY(f.names("*.blk").size() > 5);
    f.open();
    QCOMPARE(QString::fromStdString(difference(*f.store, model)), QString());
    QCOMPARE(QString::fromStdString(f.report()), QString());
    QCOMPARE(f.store->state().lastTime, model.messages.rbegin()->second.time);
}

void TestFileStore::emptyStreamKeepsItsPosition_data()
{
    QTest::addColumn<int>("way");
    QTest::newRow("purged") << 0;
    QTest::newRow("moved far ahead") << 1;
    QTest::newRow("each message removed") << 2;
    QTest::newRow("first sequence set, nothing stored") << 3;
    QTest::newRow("only skipped") << 4;
}

void TestFileStore::emptyStreamKeepsItsPosition()
{
    QFETCH(int, way);
    StoreFixture f;
    f.open();
    if (way == 3)
        f.store->setFirstSeq(StreamSeq(77));
    else if (way == 4)
        f.store->skip(12, 99, Removal::NoInterest);
    else
        for (int i = 0; i < 200; ++i)
            f.store->append({"a.b", "", "0123456789012345678901234567890123456789", 100 + i});
    QVERIFY(f.store->commit().ok());
    if (way == 0)
        QCOMPARE(f.store->removeBelow(StreamSeq(201), Removal::Purge).count, 200U);
    if (way == 1)
        QCOMPARE(f.store->removeBelow(StreamSeq(5000), Removal::Purge).count, 200U);
    for (std::uint64_t i = 1; way == 2 && i <= 200; ++i)
        QVERIFY(f.store->remove(StreamSeq(i), Removal::Delete, false));
    QVERIFY(f.store->commit().ok());
    const StoreState before = f.store->state();
    for (int again = 0; again < 3; ++again) {
        f.open();
        const StoreState after = f.store->state();
        QCOMPARE(after.messages, 0U);
        QCOMPARE(after.first.value(), before.first.value());
        QCOMPARE(after.last.value(), before.last.value());
        QCOMPARE(after.lastTime, before.lastTime);
        QCOMPARE(QString::fromStdString(f.report()), QString());
    }
    QCOMPARE(f.store->append({"a", "", "", 1}).value(), before.last.value() + 1U);
}

void TestFileStore::behavesLikeTheModel_data()
{
    QTest::addColumn<int>("subjects");
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 4; ++seed) {
        QTest::addRow("few subjects, seed %u", seed) << 5 << seed;
        QTest::addRow("some subjects, seed %u", seed) << 60 << seed;
        QTest::addRow("many subjects, seed %u", seed) << 3000 << seed;
    }
}

void TestFileStore::behavesLikeTheModel()
{
    QFETCH(int, subjects);
    QFETCH(unsigned, seed);
    StoreFixture f;
    f.open();
    NaiveStore model;
    RandomOperations random(seed, subjects);
    for (int step = 0; step < 2500; ++step) {
        std::string wrong = random.change(*f.store, model);
        if (wrong.empty() && step % 5 == 0)
            wrong = random.ask(*f.store, model);
        if (random.below(10) == 0)
            QVERIFY(f.store->commit().ok());
        if (wrong.empty() && step % 250 == 0) {
            QVERIFY(f.store->commit().ok());
            f.open();
            QCOMPARE(QString::fromStdString(f.report()), QString());
            wrong = difference(*f.store, model);
        }
        QVERIFY2(wrong.empty(), (std::to_string(step) + ": " + wrong).c_str());
    }
    QCOMPARE(QString::fromStdString(difference(*f.store, model)), QString());
}

void TestFileStore::indexFilesAreCaches()
{
    StoreFixture f;
    f.open();
    NaiveStore model;
    RandomOperations random(9, 40);
    for (int step = 0; step < 1500; ++step) {
        const std::string wrong = random.change(*f.store, model);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    QVERIFY(f.store->commit().ok());
    f.close();
    const QStringList caches = f.names("*.idx") + f.names("*.fss");
    QVERIFY(caches.size() >= 4);
    for (const QString& name : caches)
        QVERIFY(QFile::remove(f.messages().filePath(name)));
    f.open();
    QCOMPARE(QString::fromStdString(difference(*f.store, model)), QString());
    QCOMPARE(QString::fromStdString(f.report()), QString());
    // One damaged byte in each of them: noticed, at the latest when the part is needed, and made
    // anew.
    for (const QString& name : f.names("*.idx") + f.names("*.fss")) {
        const QByteArray good = f.bytes(name);
        QByteArray bad = good;
        bad[bad.size() / 3] = static_cast<char>(bad[bad.size() / 3] ^ 0x10);
        f.close();
        f.setBytes(name, bad);
        f.open();
        QCOMPARE(QString::fromStdString(difference(*f.store, model)), QString());
        QVERIFY(!name.endsWith(".fss") || !f.report().empty());
        QCOMPARE(f.bytes(name).size(), good.size());
    }
    f.open();
    QCOMPARE(QString::fromStdString(f.report()), QString());
}

void TestFileStore::emptyBlocksAreDeleted()
{
    StoreFixture f;
    f.open();
    for (int i = 0; i < 1000; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    QVERIFY(f.store->commit().ok());
    QVERIFY(f.names("*.blk").size() > 20);
    f.store->removeBelow(StreamSeq(991), Removal::MaxMsgs);
    QVERIFY(f.store->commit().ok());
    QVERIFY(f.names("*.blk").size() <= 2);
    QVERIFY(f.names("*.idx").size() <= 1);
    QVERIFY(f.names("*.fss").size() <= 1);
}

void TestFileStore::removalsOfOldBlocksOutliveTheBlockThatSaysSo()
{
    StoreFixture f;
    f.open();
    NaiveStore model;
    const auto fill = [&](int n) {
        for (int i = 0; i < n; ++i) {
            const NaiveStore::Stored m{"a.b", "", std::string(100, 'x'), i};
            f.store->append(RandomOperations::view(m));
            model.append(m);
        }
        QVERIFY(f.store->commit().ok());
    };
    fill(100);
    // Written into the tail of now; then everything else of that tail goes.
    for (std::uint64_t seq = 2; seq < 60; seq += 2) {
        f.store->remove(StreamSeq(seq), Removal::Delete, false);
        model.remove(seq);
    }
    fill(100);
    for (std::uint64_t seq = 61; seq < 190; ++seq) {
        f.store->remove(StreamSeq(seq), Removal::Delete, false);
        model.remove(seq);
    }
    fill(100);
    for (int again = 0; again < 3; ++again) {
        f.open();
        QCOMPARE(QString::fromStdString(difference(*f.store, model)), QString());
        QCOMPARE(QString::fromStdString(f.report()), QString());
        fill(50);
    }
}

void TestFileStore::causesSurvive()
{
    StoreFixture f;
    f.open();
    for (int i = 0; i < 300; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    f.store->remove(StreamSeq(150), Removal::Delete, false);
    f.store->remove(StreamSeq(151), Removal::Ttl, false);
    f.store->removeBelow(StreamSeq(100), Removal::MaxAge);
    f.store->skip(10, 400, Removal::NoInterest);
    f.store->append({"a.b", "", "end", 500});
    QVERIFY(f.store->commit().ok());
    for (int again = 0; again < 2; ++again) {
        const auto gaps = f.store->gaps(StreamSeq(1), StreamSeq(1000));
        QCOMPARE(gaps.size(), 4U);
        QCOMPARE(gaps[0].last.value(), 99U);
        QCOMPARE(gaps[0].cause, Removal::MaxAge);
        QCOMPARE(gaps[1].cause, Removal::Delete);
        QCOMPARE(gaps[2].cause, Removal::Ttl);
        QCOMPARE(gaps[3].first.value(), 301U);
        QCOMPARE(gaps[3].last.value(), 310U);
        QCOMPARE(gaps[3].cause, Removal::NoInterest);
        QCOMPARE(f.store->deletedCount(), 12U);
        f.open();
    }
}

void TestFileStore::eraseOverwrites()
{
    StoreFixture f;
    f.open();
    const auto inFiles = [&](const char* text) {
        for (const QString& name : f.names("*.blk"))
            if (f.bytes(name).contains(text))
                return true;
        return false;
    };
    f.store->append({"a.b", "", "first secret", 1});
    for (int i = 0; i < 100; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    f.store->append({"a.b", "", "second secret", 1});
    QVERIFY(f.store->commit().ok());
    QVERIFY(inFiles("first secret") && inFiles("second secret"));
    QVERIFY(f.store->remove(StreamSeq(1), Removal::Delete, true));
    QVERIFY(f.store->remove(StreamSeq(102), Removal::Delete, true));
    QVERIFY(f.store->commit().ok());
    QVERIFY(!inFiles("first secret"));
    QVERIFY(!inFiles("second secret"));
    f.open();
    QCOMPARE(QString::fromStdString(f.report()), QString());
    QCOMPARE(f.store->state().messages, 100U);
}

void TestFileStore::largeGapsCostNothing()
{
    StoreFixture f;
    f.open();
    const std::uint64_t far = 1'000'000'000'000'000ULL;
    f.store->append({"a", "", "1", 1});
    f.store->skip(far, 2, Removal::NoInterest);
    f.store->append({"a", "", "2", 3});
    f.store->appendAt(StreamSeq(3 * far), {"b", "", "3", 4});
    QVERIFY(f.store->commit().ok());
    f.open();
    QCOMPARE(QString::fromStdString(f.report()), QString());
    QCOMPARE(f.store->state().messages, 3U);
    QCOMPARE(f.store->state().last.value(), 3 * far);
    QCOMPARE(f.store->findNext({}, StreamSeq(2)).value(), far + 2U);
    QCOMPARE(f.store->findNext({}, StreamSeq(far + 3U)).value(), 3 * far);
    QCOMPARE(f.store->count({}, StreamSeq(2)), 2U);
    f.store->removeBelow(StreamSeq(9 * far), Removal::Purge);
    QVERIFY(f.store->commit().ok());
    f.open();
    QCOMPARE(f.store->state().first.value(), 9 * far);
}

void TestFileStore::lockedDirectoryIsNamed()
{
    StoreFixture f;
    f.open();
    PosixFileSystem files;
    InlineWorker worker;
    auto second = openStoreFactory(files, worker, f.settings, "$G");
    QVERIFY(!second.ok());
    QCOMPARE(second.error().code, Errc::InUse);
    QVERIFY(second.error().text.find(f.settings.directory) != std::string::npos);
    f.close();
    QVERIFY(openStoreFactory(files, worker, f.settings, "$G").ok());
}

void TestFileStore::removedStreamIsGone()
{
    StoreFixture f;
    f.open();
    f.store->append({"a", "", "1", 1});
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    QVERIFY(f.factory->removeStream(f.config).ok());
    f.factory->catalog().removeStream(f.config.name, [](const Result<void>&) {});
    QVERIFY(!f.messages().exists());
    f.open();
    QCOMPARE(f.store->state().last.value(), 0U);
}

QTEST_GUILESS_MAIN(TestFileStore)
#include "tst_file_store.moc"
