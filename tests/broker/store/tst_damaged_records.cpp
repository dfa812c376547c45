// SPDX-License-Identifier: GPL-3.0-or-later
// Damage of single records, and how it is told from a write that was cut short.
#include "faulty_store.h"
#include "store/batch_log.h"
#include "store/kept_aside.h"
#include "store/record_codec.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

class TestDamagedRecords : public QObject
{
    Q_OBJECT

private slots:
    void damagedEndIsNotTorn();
    void damagedMemberKeepsItsBatch_data();
    void damagedMemberKeepsItsBatch();
    void recordInAPayloadIsNone();
    void erasedRecordTellsItsCause();
    void damagedBatchLosesNoOther();
    void asideNamesAreNeverTaken();

private:
    static void append(Faulty& f, int count)
    {
        for (int i = 0; i < count; ++i)
            f.store->append({"a.b", "", std::string(100, 'x'), i});
    }
    static void flip(std::string& bytes, std::size_t at)
    {
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
    }
};

/// Each byte of the last record: it is lost, its sequence is not given out again, and the block is
/// kept as it was.
void TestDamagedRecords::damagedEndIsNotTorn()
{
    Faulty f;
    f.open();
    append(f, 3);
    QVERIFY(f.store->commit().ok());
    const std::string whole = f.bytes("1.blk");
    const std::size_t size = messageRecordSize({"a.b", "", std::string(100, 'x'), 0});
    for (std::size_t at = whole.size() - size; at < whole.size(); ++at) {
        f.store.reset();
        f.files.contents.clear();
        f.put("msgs/1.blk", whole);
        flip(f.bytes("1.blk"), at);
        const std::string damaged = f.bytes("1.blk");
        f.open();
        QCOMPARE(f.store->state().messages, 2U);
        QCOMPARE(f.lines().value(1), QString("msgs: sequences 3 to 3 are lost"));
        QCOMPARE(f.bytes("1.blk.damaged"), damaged);
        QCOMPARE(f.store->append({"a.b", "", "next", 9}).value(), 4U);
        QVERIFY(f.store->commit().ok());
        f.open();
        QCOMPARE(f.lines(), QStringList());
        QCOMPARE(f.store->state().messages, 3U);
    }
}

void TestDamagedRecords::damagedMemberKeepsItsBatch_data()
{
    QTest::addColumn<unsigned>("member");
    for (const unsigned member : {1U, 2U, 4U})
        QTest::addRow("member %u", member) << member;
}

void TestDamagedRecords::damagedMemberKeepsItsBatch()
{
    QFETCH(unsigned, member);
    Faulty f;
    f.open();
    f.store->together(4);
    append(f, 4);
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    std::string& block = f.bytes("1.blk");
    const std::size_t size = messageRecordSize({"a.b", "", std::string(100, 'x'), 0});
    flip(block, block.size() - (5U - member) * size + 50U);
    f.open();
    QCOMPARE(f.store->state().messages, 3U);
    QCOMPARE(f.store->state().last.value(), 4U);
    QVERIFY(!f.store->contains(StreamSeq(member)));
    f.open();
    QCOMPARE(f.lines(), QStringList());
    QCOMPARE(f.store->state().messages, 3U);
}

/// Somebody stores what looks like a record, at a place where one could begin.
void TestDamagedRecords::recordInAPayloadIsNone()
{
    const NewMessage inner{"forged", "", "never stored", 1};
    std::string payload(8U + messageRecordSize(inner), '\0');
    encodeMessage(payload.data() + 5, 7, inner, true); // behind a subject of 3 bytes
    Faulty f;
    f.open();
    f.store->append({"a.b", "", payload, 1});
    append(f, 1);
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    flip(f.bytes("1.blk"), 40 + 24);
    f.open();
    QCOMPARE(f.store->state().messages, 1U);
    QCOMPARE(f.store->state().last.value(), 2U);
    QVERIFY(!f.store->subject("forged"));
}

void TestDamagedRecords::erasedRecordTellsItsCause()
{
    Faulty f;
    f.open();
    append(f, 3);
    QVERIFY(f.store->commit().ok());
    QVERIFY(f.store->remove(StreamSeq(2), Removal::Rollup, true));
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    std::string& block = f.bytes("1.blk");
    flip(block, block.size() - 1U); // of the removal, which is the last record
    f.open();
    QCOMPARE(f.store->state().messages, 2U);
    QCOMPARE(f.store->gaps(StreamSeq(1), StreamSeq(3)).at(0).cause, Removal::Rollup);
    QCOMPARE(f.lines(),
        QStringList("msgs/1.blk: 48 bytes are damaged; as it was it is kept as 1.blk.damaged"));
}

void TestDamagedRecords::damagedBatchLosesNoOther()
{
    std::string log = batchLogHead("JGCONLOG");
    std::vector<std::size_t> begins;
    for (int i = 0; i < 3; ++i) {
        std::string batch;
        beginBatch(batch);
        batch += std::string(20, static_cast<char>('a' + i));
        endBatch(batch, 2);
        begins.push_back(log.size());
        log += batch;
    }
    for (std::size_t at = kBatchLogHead; at < log.size(); ++at) {
        std::string damaged = log;
        flip(damaged, at);
        const BatchScan scan = scanBatches(damaged, "JGCONLOG");
        QCOMPARE(scan.batches.size(), std::size_t{2});
        QCOMPARE(scan.damagedBytes, std::uint64_t{36});
        QCOMPARE(scan.tornBytes, std::uint64_t{0});
    }
    for (std::size_t size = begins[2] + 1U; size < log.size(); ++size)
        QCOMPARE(scanBatches(log.substr(0, size), "JGCONLOG").tornBytes, size - begins[2]);
}

void TestDamagedRecords::asideNamesAreNeverTaken()
{
    Faulty f;
    for (const std::string bytes : {"first", "second", "first"}) {
        f.put("file", bytes);
        QCOMPARE(*keepCopy(f.files, "file"),
            std::string(bytes == "first" ? "file.damaged" : "file.damaged-2"));
    }
    QCOMPARE(*setAside(f.files, "file"), std::string("file.damaged-3"));
    QVERIFY(!f.files.exists("file"));
}

QTEST_GUILESS_MAIN(TestDamagedRecords)
#include "tst_damaged_records.moc"
