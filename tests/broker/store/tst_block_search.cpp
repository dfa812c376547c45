// SPDX-License-Identifier: GPL-3.0-or-later
// What a search has to read: blocks that cannot have what it looks for are passed over, and what
// was read is given back.
#include "faulty_file_system.h"
#include "store/block_cache.h"
#include "store/file_store.h"
#include "store/subject_signature.h"

#include <QtTest>

#include <memory>

#undef slots // a member of MessageBlock

using namespace jetglass;
using namespace jetglass::store;

namespace {

constexpr std::uint64_t kBlock = 4096;
constexpr int kBlocks = 200;

struct Searched
{
    FaultyFileSystem files;
    InlineWorker worker;
    BlockCache cache{64U << 10U};
    std::shared_ptr<BufferPool> pool = std::make_shared<BufferPool>(1U << 20U);
    std::unique_ptr<MessageStore> store;

    void open()
    {
        store.reset();
        RecoveryReport report;
        const FileStoreContext context{
            files, worker, cache, pool, StoreSettings{"", false, kBlock, 64U << 10U}};
        auto opened = FileStore::open(context, "msgs", report);
        QVERIFY(opened.ok());
        QVERIFY(report.empty());
        store = std::move(*opened);
        files.reads = 0;
    }
    /// Blocks of 20 messages in ten subjects; one message far in has a subject of its own, and one
    /// has headers.
    void fill()
    {
        const std::string payload(140, 'x');
        for (int i = 0; i < kBlocks * 20; ++i) {
            const std::string subject = i == 3000 ? "rare.eu" : "s." + std::to_string(i % 10);
            const char* headers = i == 1500 ? "NATS/1.0\r\nA: b\r\n\r\n" : "";
            store->append({subject, headers, payload, i + 1});
        }
        QVERIFY(store->commit().ok());
        QVERIFY(store->blocks().size() > kBlocks / 2);
    }
};

} // namespace

class TestBlockSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rareSubjectReadsItsBlockAlone_data();
    void rareSubjectReadsItsBlockAlone();
    void subjectThatCameLaterIsFound();
    void sealedInAFailedTurnIsSearchedAgain();
    void plainBlocksArePassedOver_data();
    void plainBlocksArePassedOver();
    void unloadedBlocksKeepNoMemory();
    void signatureNeverDenies_data();
    void signatureNeverDenies();
};

void TestBlockSearch::rareSubjectReadsItsBlockAlone_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<bool>("reopened");
    for (const bool reopened : {false, true}) {
        QTest::addRow("literal, %s", reopened ? "reopened" : "as sealed") << "rare.eu" << reopened;
        QTest::addRow("wildcard, %s", reopened ? "reopened" : "as sealed") << "rare.*" << reopened;
        QTest::addRow("end, %s", reopened ? "reopened" : "as sealed") << "*.eu" << reopened;
    }
}

void TestBlockSearch::rareSubjectReadsItsBlockAlone()
{
    QFETCH(QString, filter);
    QFETCH(bool, reopened);
    Searched s;
    s.open();
    s.fill();
    if (reopened)
        s.open();
    s.files.reads = 0;
    const subjects::SubjectFilter wanted({filter.toStdString()});
    MessageView message;
    QVERIFY(s.store->loadNext(wanted, StreamSeq(1), message));
    QCOMPARE(message.seq.value(), 3001U);
    QVERIFY(!s.store->loadNext(wanted, StreamSeq(3002), message));
    QVERIFY(s.store->loadLast(wanted, StreamSeq(4000), message));
    QCOMPARE(s.store->count(wanted, StreamSeq(1)), 1U);
    QVERIFY2(s.files.reads < 30, qPrintable(QString::number(s.files.reads)));
}

/// A number may stand for one subject after another.
void TestBlockSearch::subjectThatCameLaterIsFound()
{
    Searched s;
    s.open();
    s.fill();
    const subjects::SubjectFilter wildcard({"new.*"});
    const subjects::SubjectFilter other({"rare.*"});
    MessageView message;
    for (int i = 0; i < 4; ++i) {
        QVERIFY(!s.store->loadNext(wildcard, StreamSeq(1), message));
        QVERIFY(s.store->loadNext(other, StreamSeq(1), message));
    }
    for (int round = 0; round < 3; ++round) {
        QVERIFY(s.store->removeMatching(other, StreamSeq(), 0, Removal::Purge).count <= 1);
        QVERIFY(s.store->commit().ok());
        const StreamSeq at =
            s.store->append({"new." + std::to_string(round), "", std::string(3000, 'y'), 5000});
        for (int i = 0; i < 20; ++i)
            s.store->append({"s.1", "", std::string(3000, 'y'), 5000});
        QVERIFY(s.store->commit().ok());
        QVERIFY(s.store->loadNext(wildcard, StreamSeq(4000U), message));
        QVERIFY(message.seq <= at);
        QVERIFY(s.store->loadLast(wildcard, StreamSeq(), message));
        QCOMPARE(message.seq, at);
        QVERIFY(!s.store->loadNext(other, StreamSeq(1), message));
    }
}

void TestBlockSearch::sealedInAFailedTurnIsSearchedAgain()
{
    Searched s;
    s.open();
    s.store->append({"s.0", "", std::string(3000, 'x'), 1});
    QVERIFY(s.store->commit().ok());
    // Too large for the rest of the block: this seals it, and then the write fails.
    s.store->append({"s.1", "", std::string(3000, 'x'), 2});
    s.files.failAfter = 0;
    QVERIFY(!s.store->commit().ok());
    s.files.failAfter = -1;
    s.store->append({"late.eu", "", "small", 3});
    s.store->append({"s.1", "", std::string(3000, 'x'), 4});
    QVERIFY(s.store->commit().ok());
    MessageView message;
    QVERIFY(s.store->loadNext(subjects::SubjectFilter({"late.eu"}), StreamSeq(1), message));
    QCOMPARE(message.seq.value(), 2U);
}

void TestBlockSearch::plainBlocksArePassedOver_data()
{
    QTest::addColumn<bool>("reopened");
    QTest::addColumn<bool>("rebuilt");
    QTest::newRow("as sealed") << false << false;
    QTest::newRow("reopened") << true << false;
    QTest::newRow("index made anew") << true << true;
}

void TestBlockSearch::plainBlocksArePassedOver()
{
    QFETCH(bool, reopened);
    QFETCH(bool, rebuilt);
    Searched s;
    s.open();
    s.fill();
    if (rebuilt)
        std::erase_if(
            s.files.contents, [](const auto& entry) { return entry.first.ends_with(".idx"); });
    if (reopened)
        s.open();
    const StreamSeq from = s.store->skipPlain(StreamSeq(1));
    QVERIFY(from.value() > 1400 && from.value() <= 1501);
    QCOMPARE(s.store->skipPlain(StreamSeq(1501)).value(), 1501U);
    QCOMPARE(s.store->skipPlain(StreamSeq(1600)).value(), 4001U);
    QVERIFY(s.store->append({"s.0", "NATS/1.0\r\n\r\n", "", 9000}).value() == 4001U);
    QVERIFY(s.store->skipPlain(StreamSeq(1600)).value() <= 4001U);
}

void TestBlockSearch::unloadedBlocksKeepNoMemory()
{
    BlockCache cache(50'000);
    std::vector<std::unique_ptr<MessageBlock>> blocks;
    for (int i = 0; i < 50; ++i) {
        blocks.push_back(std::make_unique<MessageBlock>());
        blocks.back()->slots.resize(500);
        blocks.back()->subjects.resize(50);
        cache.use(*blocks.back());
    }
    std::size_t held = 0;
    for (const auto& block : blocks) {
        held += block->slots.capacity() * sizeof(Slot)
            + block->subjects.capacity() * sizeof(BlockSubject);
        cache.remove(*block);
    }
    QVERIFY2(held <= 50'000, qPrintable(QString::number(held)));
}

void TestBlockSearch::signatureNeverDenies_data()
{
    QTest::addColumn<int>("subjects");
    for (const int count : {1, 2, 10, 100, 1000, 8192})
        QTest::addRow("%d", count) << count;
}

void TestBlockSearch::signatureNeverDenies()
{
    QFETCH(int, subjects);
    std::vector<SubjectTable::Id> ids;
    for (int i = 0; i < subjects; ++i)
        ids.push_back(static_cast<SubjectTable::Id>(i * 3));
    SubjectSignature known;
    QVERIFY(known.mayHave(7));
    known.build(ids);
    for (const SubjectTable::Id id : ids)
        QVERIFY(known.mayHave(id));
    int wrong = 0;
    for (SubjectTable::Id id = 1; id < 30'000; id += 3)
        wrong += known.mayHave(id) ? 1 : 0;
    QVERIFY2(wrong < 500, qPrintable(QString::number(wrong))); // of 10,000
}

QTEST_GUILESS_MAIN(TestBlockSearch)
#include "tst_block_search.moc"
