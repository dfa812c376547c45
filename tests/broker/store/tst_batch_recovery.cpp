// SPDX-License-Identifier: GPL-3.0-or-later
// An atomic batch is there as a whole or not at all, wherever the process ended.
#include "faulty_store.h"

#include <QtTest>

#include <map>

using namespace jetglass;
using namespace jetglass::store;

class TestBatchRecovery : public QObject
{
    Q_OBJECT

private slots:
    void batchIsThereAsAWholeOrNotAtAll_data();
    void batchIsThereAsAWholeOrNotAtAll();
    void tornErasureKeepsTheOthers();
};

void TestBatchRecovery::batchIsThereAsAWholeOrNotAtAll_data()
{
    QTest::addColumn<bool>("indexed");
    QTest::addRow("the process was killed") << false;
    QTest::addRow("indexes of sealed blocks were on disk first") << true;
}

/// Of a batch over three blocks each beginning is written, to the byte.
void TestBatchRecovery::batchIsThereAsAWholeOrNotAtAll()
{
    QFETCH(bool, indexed);
    Faulty f;
    f.open();
    const auto append = [&f](int count) {
        for (int i = 0; i < count; ++i)
            f.store->append({"a.b", "", std::string(100, 'x'), i});
    };
    append(10);
    QVERIFY(f.store->commit().ok());
    const std::size_t before = f.bytes("1.blk").size();
    f.store->together(60);
    append(60);
    QVERIFY(f.store->commit().ok());
    QCOMPARE(f.store->blocks().size(), 3U);
    f.store.reset();
    std::map<std::string, std::string> whole;
    for (const auto& [name, content] : f.files.contents)
        if (indexed || name.ends_with(".blk"))
            whole[name] = content->bytes;
    for (std::size_t block = 1; block <= 3; ++block) {
        const std::string last = "msgs/" + std::to_string(block) + ".blk";
        for (std::size_t size = block == 1 ? before : 0; size <= whole[last].size(); ++size) {
            f.files.contents.clear();
            for (const auto& [name, bytes] : whole)
                if (name < last || !name.ends_with(".blk"))
                    f.put(name, bytes);
            f.put(last, whole[last].substr(0, size));
            f.open();
            QVERIFY(f.store);
            const bool all = block == 3 && size == whole[last].size();
            QCOMPARE(f.store->state().last, StreamSeq(all ? 70U : 10U));
            QCOMPARE(f.store->state().messages, all ? 70U : 10U);
        }
    }
}

/// The newest batch was stored and one of its messages is being overwritten when the process dies.
void TestBatchRecovery::tornErasureKeepsTheOthers()
{
    Faulty f;
    f.open();
    f.store->together(3);
    for (int i = 0; i < 3; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    QVERIFY(f.store->commit().ok());
    QVERIFY(f.store->remove(StreamSeq(2), Removal::Delete, true));
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    std::string& block = f.bytes("1.blk");
    const std::size_t second = block.find(std::string(100, 'x')) + 200U;
    block[second] = static_cast<char>(block[second] ^ 1); // a byte that was overwritten and one not
    f.open();
    QCOMPARE(f.store->state().messages, 2U);
    QVERIFY(f.store->contains(StreamSeq(1)));
    QVERIFY(f.store->contains(StreamSeq(3)));
}

QTEST_GUILESS_MAIN(TestBatchRecovery)
#include "tst_batch_recovery.moc"
