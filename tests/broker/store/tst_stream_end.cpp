// SPDX-License-Identifier: GPL-3.0-or-later
// A stream whose newest files are gone: it says so and gives no sequence out twice.
#include "faulty_file_system.h"
#include "store/block_cache.h"
#include "store/file_store.h"
#include "store/sqlite_database.h"
#include "store_fixture.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

namespace {

constexpr int kMessages = 100;

/// A stream of several blocks, one turn a message, in a catalog that knows it.
struct Filled : StoreFixture
{
    explicit Filled(int messages = kMessages)
    {
        open();
        factory->catalog().saveStream({"ORDERS", "{}", 5}, {});
        for (int i = 0; i < messages; ++i)
            add();
    }
    bool add()
    {
        store->append({"a.b", "", std::string(100, 'x'), 1});
        return store->commit().ok();
    }
    [[nodiscard]] bool reports(const QString& text) const
    {
        return QString::fromStdString(report()).contains(text);
    }
};

} // namespace

class TestStreamEnd : public QObject
{
    Q_OBJECT

private slots:
    void newestFilesMissing_data();
    void newestFilesMissing();
    void tornEndIsNotGivenAgain();
    void wholeStreamIsNotReported();
    void anotherStreamOfThatNameBeginsAnew();
    void aCatalogWithoutTheTableIsWhole();
    void oneWriteABlock();
    void goesOnAfterWhatConsumersSaw();
};

void TestStreamEnd::newestFilesMissing_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("orderly");
    for (const char* what : {"block", "msgs", "folder"}) {
        QTest::addRow("%s, orderly end", what) << what << true;
        QTest::addRow("%s, killed", what) << what << false;
    }
}

void TestStreamEnd::newestFilesMissing()
{
    QFETCH(QString, what);
    QFETCH(bool, orderly);
    Filled f;
    const auto blocks = f.store->blocks();
    QVERIFY(blocks.size() > 2);
    const std::uint64_t begun = blocks.back().first.value();
    QVERIFY(blocks.back().last.value() > begun);
    if (orderly)
        f.store->rememberEnd();
    f.close();
    QDir messages = f.messages();
    if (what == "block")
        QVERIFY(messages.remove(f.names("*.blk").last()));
    else if (what == "msgs")
        QVERIFY(messages.removeRecursively());
    else
        QVERIFY(QDir(f.folder.filePath("$G/streams/ORDERS")).removeRecursively());
    f.open();
    const QString name = QString("msgs/%1.blk").arg(blocks.size());
    QVERIFY2(
        f.reports(name
            + QString(": the newest block is missing; it held the messages from sequence %1 on")
                  .arg(begun)),
        f.report().c_str());
    const std::uint64_t last = orderly ? kMessages : begun; // as far as anybody can know
    QVERIFY2(
        f.reports(QString("sequences %1 to %2 are lost").arg(begun).arg(last)), f.report().c_str());
    QCOMPARE(f.store->state().last.value(), last);
    QCOMPARE(f.store->state().messages, what == "block" ? begun - 1U : 0U);
    QCOMPARE(f.store->lost().count, last - begun + 1U);
    QVERIFY(f.add());
    QCOMPARE(f.store->state().last.value(), last + 1U);
    QVERIFY(!QFile::exists(f.messages().filePath(QString("%1.blk").arg(blocks.size()))));
    f.open(); // said once
    QCOMPARE(f.report(), std::string());
    QCOMPARE(f.store->state().last.value(), last + 1U);
    QCOMPARE(f.store->lost().count, last - begun + 1U);
}

void TestStreamEnd::tornEndIsNotGivenAgain()
{
    Filled f(10);
    f.store->rememberEnd();
    f.close();
    f.setBytes("1.blk", f.bytes("1.blk").chopped(8));
    f.open();
    QVERIFY2(f.reports("sequences 10 to 10 are lost"), f.report().c_str());
    QVERIFY(f.add());
    QCOMPARE(f.store->state().last.value(), 11U);
    QCOMPARE(f.store->state().messages, 10U);
}

void TestStreamEnd::wholeStreamIsNotReported()
{
    Filled f;
    f.store->removeBelow(StreamSeq(kMessages + 1), Removal::Purge);
    QVERIFY(f.store->commit().ok());
    f.store->rememberEnd();
    for (int i = 0; i < 3; ++i) {
        f.open();
        QCOMPARE(f.report(), std::string());
        QCOMPARE(f.store->lost().count, 0U);
        QCOMPARE(f.store->state().last.value(), static_cast<unsigned>(kMessages + i));
        QVERIFY(f.add());
    }
}

void TestStreamEnd::anotherStreamOfThatNameBeginsAnew()
{
    Filled f;
    f.store.reset();
    QVERIFY(f.factory->removeStream(f.config).ok());
    f.factory->catalog().saveStream(
        {"ORDERS", "{}", 6}, {}); // as a program without the table would
    f.open();
    QCOMPARE(f.report(), std::string());
    QVERIFY(f.store->state().last.isZero());
    QVERIFY(f.add());
    QCOMPARE(f.store->state().last.value(), 1U);
    QVERIFY(f.factory->catalog().loadEnds().value().size() == 1U);
    f.factory->catalog().removeStream("ORDERS", {});
    QVERIFY(f.factory->catalog().loadEnds().value().empty());
}

void TestStreamEnd::aCatalogWithoutTheTableIsWhole()
{
    Filled f(10);
    f.close();
    {
        const QString path = f.folder.filePath("$G/catalog.sqlite");
        auto raw = SqliteDatabase::open(path.toStdString(), nullptr);
        QVERIFY(raw.ok() && (*raw)->execute("DROP TABLE ends").ok());
    }
    f.open();
    QCOMPARE(f.report(), std::string());
    QCOMPARE(f.factory->catalog().loadEnds().value().size(), 1U);
    f.factory->catalog().removeStream("ORDERS", {});
    QVERIFY(f.factory->catalog().loadStreams().value().empty());
}

void TestStreamEnd::oneWriteABlock()
{
    FaultyFileSystem files;
    InlineWorker worker;
    BlockCache cache{64U << 10U};
    const FileStoreContext context{files,
        worker,
        cache,
        std::make_shared<BufferPool>(1U << 20U),
        StoreSettings{"", false, 4096, 64U << 10U}};
    RecoveryReport report;
    std::vector<CatalogEnd> ends;
    EndMemory memory;
    memory.remember = [&](const CatalogEnd& end) { ends.push_back(end); };
    auto store = FileStore::open(context, "msgs", report, memory);
    QVERIFY(store.ok());
    for (int i = 0; i < kMessages; ++i) {
        (*store)->append({"a.b", "", std::string(100, 'x'), 1});
        // A turn that fails has begun nothing.
        files.failAfter = i % 10 == 0 ? 0 : -1;
        if (!(*store)->commit().ok())
            (*store)->append({"a.b", "", std::string(100, 'x'), 1});
        files.failAfter = -1;
        QVERIFY((*store)->commit().ok());
    }
    const auto blocks = (*store)->blocks();
    QCOMPARE(ends.size(), blocks.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
        QCOMPARE(ends[i].block, i + 1U);
        QCOMPARE(ends[i].first, blocks[i].first.value());
        QCOMPARE(ends[i].last, blocks[i].first.value());
    }
    (*store)->rememberEnd();
    (*store)->rememberEnd();
    QCOMPARE(ends.size(), blocks.size() + 1U);
    QCOMPARE(ends.back().last, static_cast<unsigned>(kMessages));
}

void TestStreamEnd::goesOnAfterWhatConsumersSaw()
{
    Filled f(10);
    f.store->goOnAfter(StreamSeq(9)); // nothing new
    QCOMPARE(f.store->state().last.value(), 10U);
    f.store->goOnAfter(StreamSeq(20));
    QCOMPARE(f.store->lost().count, 10U);
    QVERIFY(f.add());
    f.open();
    QCOMPARE(f.store->state().last.value(), 21U);
    QCOMPARE(f.store->state().messages, 11U);
    QCOMPARE(f.store->lost().count, 10U);
    QCOMPARE(f.store->gaps(StreamSeq(1), StreamSeq(21)).at(0).cause, Removal::Lost);
}

QTEST_GUILESS_MAIN(TestStreamEnd)
#include "tst_stream_end.moc"
