// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong: writes that fail, files that were torn or damaged.
#include "faulty_store.h"
#include "random_operations.h"

#include <QtTest>

#include <functional>

using namespace jetglass;
using namespace jetglass::store;

namespace {

QString difference(const Faulty& f, const NaiveStore& model)
{
    return f.store ? QString::fromStdString(store::difference(*f.store, model)) : "does not open";
}

void fill(Faulty& f, NaiveStore& model, RandomOperations& random, int steps)
{
    for (int i = 0; i < steps; ++i) {
        const std::string wrong = random.change(*f.store, model);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
}

} // namespace

Q_DECLARE_METATYPE(std::function<void(Faulty&)>)

class TestStoreFaults : public QObject
{
    Q_OBJECT

private slots:
    void everyCallFailsOnce_data();
    void everyCallFailsOnce();
    void fullDiskLosesNothing();
    void failedSyncStopsWrites();
    void tornAtEveryByte();
    void flippedBitIsNoticed();
    void missingBlockIsReported();
    void damageIsSaid_data();
    void damageIsSaid();
    void indexFilesOfTwoTimes();
    void indexFilesThatCountTheSame();
    void foreignFileIsSetAside();
    void crashKeepsWhatWasSynced();
    void sealedBlocksAreNotReadAtStart();
};

void TestStoreFaults::everyCallFailsOnce_data()
{
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<bool>("shortWrites");
    for (unsigned seed = 1; seed <= 6; ++seed)
        QTest::addRow("seed %u", seed) << seed << (seed % 2 == 0);
}

/// The n-th changing call of a turn fails: the turn is taken back, also over a restart; the next
/// try succeeds.
void TestStoreFaults::everyCallFailsOnce()
{
    QFETCH(unsigned, seed);
    QFETCH(bool, shortWrites);
    for (int n = 0;; ++n) {
        Faulty f;
        f.files.shortWrites = shortWrites;
        f.open();
        NaiveStore model;
        RandomOperations random(seed, 10);
        fill(f, model, random, 120);
        QVERIFY(f.store->commit().ok());
        const NaiveStore before = model;
        fill(f, model, random, 80);
        f.files.failAfter = n;
        const bool done = f.store->commit().ok();
        const bool tripped = f.files.failAfter < 0;
        f.files.failAfter = -1;
        if (!done)
            model = before;
        QCOMPARE(difference(f, model), QString());
        f.open();
        QCOMPARE(difference(f, model), QString());
        // What failed may have been the writing of an index file.
        for (const RecoveryFinding& finding : f.report)
            QVERIFY2(
                finding.kind == RecoveryFinding::Kind::IndexRebuilt, recoveryLine(finding).c_str());
        fill(f, model, random, 80);
        QVERIFY(f.store->commit().ok());
        f.open();
        QCOMPARE(difference(f, model), QString());
        if (!tripped)
            break;
        QVERIFY(n < 100);
    }
}

void TestStoreFaults::fullDiskLosesNothing()
{
    Faulty f;
    f.files.shortWrites = true;
    f.open();
    NaiveStore model;
    RandomOperations random(3, 10);
    f.files.space = 20000;
    int refused = 0;
    for (int turn = 0; turn < 400; ++turn) {
        const NaiveStore before = model;
        const auto m = random.message();
        f.store->append(RandomOperations::view(m));
        model.append(m);
        const auto done = f.store->commit();
        if (!done) {
            QCOMPARE(done.error().code, Errc::NoSpace);
            model = before;
            ++refused;
        }
    }
    QVERIFY(refused > 50);
    QCOMPARE(difference(f, model), QString());
    f.open();
    QCOMPARE(difference(f, model), QString());
    f.files.space = 1U << 20U;
    f.store->append({"a", "", "again", 1});
    QVERIFY(f.store->commit().ok());
}

void TestStoreFaults::failedSyncStopsWrites()
{
    Faulty f;
    f.open();
    f.store->append({"a", "", "1", 1});
    QVERIFY(f.store->commit().ok());
    f.files.failSyncs = 1;
    int answers = 0;
    f.store->sync([&](Result<void> r) { answers += r.ok() ? 100 : 1; });
    QCOMPARE(answers, 1);
    f.store->append({"a", "", "2", 2});
    const auto refused = f.store->commit();
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().text.find("opened again") != std::string::npos);
    QCOMPARE(f.store->state().messages, 1U);
    f.open();
    QCOMPARE(f.store->append({"a", "", "2", 2}).value(), 2U);
    QVERIFY(f.store->commit().ok());
    f.store->sync([&](Result<void> r) { answers += r.ok() ? 100 : 1; });
    QCOMPARE(answers, 101);
}

void TestStoreFaults::tornAtEveryByte()
{
    Faulty f;
    f.open();
    f.store->append({"a.b", "", "first", 1});
    f.store->append({"a.b", "NATS/1.0\r\nA: b\r\n\r\n", "second", 2});
    QVERIFY(f.store->commit().ok());
    const std::size_t whole = f.bytes("1.blk").size();
    f.store->append({"a.c", "NATS/1.0\r\nA: b\r\n\r\n", "the last record", 3});
    QVERIFY(f.store->commit().ok());
    const std::string good = f.bytes("1.blk");
    for (std::size_t size = whole; size < good.size(); ++size) {
        f.bytes("1.blk") = good.substr(0, size);
        f.open();
        QVERIFY(f.store != nullptr);
        QCOMPARE(f.store->state().messages, 2U);
        QCOMPARE(f.store->state().last.value(), 2U);
        const QString line =
            QString("msgs/1.blk: %1 bytes at the end are torn and were cut").arg(size - whole);
        QCOMPARE(f.lines(), size == whole ? QStringList() : QStringList(line));
        QCOMPARE(f.bytes("1.blk").size(), whole);
        QCOMPARE(f.store->append({"a.c", "", "other", 4}).value(), 3U);
        QVERIFY(f.store->commit().ok());
        f.open();
        QCOMPARE(f.report.size(), 0U);
        QCOMPARE(f.store->state().messages, 3U);
    }
}

/// One flipped bit anywhere in a block: what is read is either right or missing and said to be
/// lost.
void TestStoreFaults::flippedBitIsNoticed()
{
    Faulty f;
    f.open();
    NaiveStore model;
    RandomOperations random(5, 8);
    for (int i = 0; i < 60; ++i) {
        const auto m = random.message();
        f.store->append(RandomOperations::view(m));
        model.append(m);
    }
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    const auto saved = f.files.contents;
    std::map<std::string, std::string> files;
    for (const auto& [path, content] : saved)
        files[path] = content->bytes;
    for (const bool withIndex : {true, false}) {
        for (std::size_t at = 0; at < files["msgs/1.blk"].size(); at += 13) {
            f.store.reset();
            f.files.contents.clear();
            for (const auto& [path, bytes] : files)
                if (withIndex || path.ends_with(".blk"))
                    f.put(path, bytes);
            f.bytes("1.blk")[at] = static_cast<char>(f.bytes("1.blk")[at] ^ 4);
            f.open();
            QVERIFY(f.store != nullptr);
            int missing = 0;
            for (const auto& [seq, m] : model.messages) {
                MessageView view;
                if (f.store->load(StreamSeq(seq), view))
                    QVERIFY(copyOf(view) == m);
                else
                    ++missing;
            }
            QCOMPARE(missing, at < BlockHead::kSize ? 0 : 1);
            QCOMPARE(f.store->lost().count, static_cast<std::uint64_t>(missing));
            QCOMPARE(f.store->state().last.value(), 60U);
            QVERIFY(f.store->commit().ok());
            f.open();
            QCOMPARE(f.store->state().messages, 60U - static_cast<std::uint64_t>(missing));
            QCOMPARE(f.store->lost().count, static_cast<std::uint64_t>(missing));
        }
    }
}

void TestStoreFaults::missingBlockIsReported()
{
    Faulty f;
    f.open();
    for (int i = 0; i < 200; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    QVERIFY(f.store->commit().ok());
    const auto blocks = f.store->blocks();
    QVERIFY(blocks.size() > 4);
    f.store.reset();
    f.files.contents.erase("msgs/2.blk");
    f.open();
    QCOMPARE(f.store->lost().count, blocks[1].messages);
    QCOMPARE(f.store->state().messages, 200U - blocks[1].messages);
    QCOMPARE(f.store->gaps(blocks[1].first, blocks[1].last).at(0).cause, Removal::Lost);
    const auto line = QString("msgs: sequences %1 to %2 are lost");
    QCOMPARE(f.lines(), QStringList(line.arg(blocks[1].first.value()).arg(blocks[1].last.value())));
    f.open();
    QCOMPARE(f.report.size(), 0U);
    QCOMPARE(f.store->lost().count, blocks[1].messages);
}

void TestStoreFaults::damageIsSaid_data()
{
    using Damage = std::function<void(Faulty&)>;
    QTest::addColumn<Damage>("damage");
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char* name, const Damage& damage, const QStringList& lines) {
        QTest::newRow(name) << damage << lines;
    };
    const auto flip = [](std::string& bytes, std::size_t at) {
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
    };
    row("inside of a block",
        [flip](Faulty& f) { flip(f.bytes("3.blk"), BlockHead::kSize + 50U); },
        {"msgs/3.blk: 144 bytes are damaged; as it was it is kept as 3.blk.damaged",
            "msgs: sequences 57 to 57 are lost"});
    row("head of a block",
        [flip](Faulty& f) { flip(f.bytes("3.blk"), 3); },
        {"msgs/3.blk: the head of the file is damaged; written anew; as it was it is kept as "
         "3.blk.damaged"});
    row("end of an older block",
        [flip](Faulty& f) {
            flip(f.bytes("1.blk"), f.bytes("1.blk").size() - 1U);
            f.files.contents.erase("msgs/1.idx");
        },
        {"msgs/1.blk: 144 bytes are damaged; as it was it is kept as 1.blk.damaged",
            "msgs: sequences 28 to 28 are lost"});
    row("subjects of a block",
        [flip](Faulty& f) { flip(f.bytes("1.fss"), 3); },
        {"msgs/1.idx: does not fit its block; made anew from the block"});
    row("a block without its head",
        [](Faulty& f) { f.put("msgs/9.blk", "JGMSG"); },
        {"msgs/9.blk: was never finished; removed"});
    row("a batch of which a part was written",
        [](Faulty& f) {
            f.open();
            f.store->together(3);
            for (int i = 0; i < 3; ++i)
                f.store->append({"a.b", "", "x", i});
            QVERIFY(f.store->commit().ok());
            f.store.reset();
            std::string& newest = f.bytes("3.blk");
            newest.resize(newest.size() - 8U);
        },
        {"msgs/3.blk: sequences 61 to 63 belong together and were not all written; taken back"});
    row("a block is missing and nothing can be written",
        [](Faulty& f) {
            f.files.contents.erase("msgs/2.blk");
            f.files.space = 0;
        },
        {"msgs: sequences 29 to 56 are lost", "msgs/3.blk: no space left"});
}

void TestStoreFaults::damageIsSaid()
{
    QFETCH(std::function<void(Faulty&)>, damage);
    QFETCH(QStringList, lines);
    Faulty f;
    f.open();
    for (int i = 0; i < 60; ++i)
        f.store->append({"a.b", "", std::string(100, 'x'), i});
    QVERIFY(f.store->commit().ok());
    QCOMPARE(f.store->blocks().size(), 3U);
    f.store.reset();
    damage(f);
    f.open();
    QVERIFY(f.store);
    QCOMPARE(f.lines(), lines);
}

/// Power is lost and only one of the two files that were made anew has reached the disk.
void TestStoreFaults::indexFilesOfTwoTimes()
{
    for (const char* early : {"1.idx", "1.fss"}) {
        Faulty f;
        f.open();
        for (int i = 0; i < 60; ++i)
            f.store->append({i == 5 ? "once" : "a.b", "", std::string(100, 'x'), i});
        QVERIFY(f.store->commit().ok());
        const std::string before = f.bytes(early);
        for (const unsigned seq : {2U, 6U, 9U})
            QVERIFY(f.store->remove(StreamSeq(seq), Removal::Delete, false));
        QVERIFY(f.store->commit().ok());
        f.store.reset();
        f.files.contents.erase("msgs/1.idx");
        f.open(); // both are made anew
        QVERIFY(f.bytes(early) != before);
        f.store.reset();
        f.bytes(early) = before;
        f.open();
        QCOMPARE(
            f.lines(), QStringList("msgs/1.idx: does not fit its block; made anew from the block"));
        std::uint64_t seen = 0;
        f.store->visit({}, StreamSeq(), [&seen](const IndexedMessage&) { return ++seen > 0; });
        QCOMPARE(f.store->state().messages, 57U);
        QCOMPARE(seen, 57U);
        QVERIFY(!f.store->subject("once"));
    }
}

/// Likewise, and both count the same messages: only the lists of subjects differ.
void TestStoreFaults::indexFilesThatCountTheSame()
{
    for (const char* early : {"1.idx", "1.fss"}) {
        Faulty f;
        f.open();
        f.store->append({"once", "", "x", 1});
        f.store->remove(StreamSeq(1), Removal::Delete, false);
        for (int i = 0; i < 60; ++i)
            f.store->append({i % 2 == 0 ? "even" : "odd", "", std::string(100, 'x'), i});
        QVERIFY(f.store->commit().ok());
        const std::string before = f.bytes(early);
        f.store.reset();
        f.files.contents.erase("msgs/1.idx");
        f.open(); // made anew from the block, which has had a third subject
        QVERIFY(f.bytes(early) != before);
        f.store.reset();
        f.bytes(early) = before;
        f.open();
        std::uint64_t right = 0;
        f.store->visit({}, StreamSeq(), [&right](const IndexedMessage& message) {
            right += message.subject == (message.seq.value() % 2 == 0 ? "even" : "odd") ? 1U : 0U;
            return true;
        });
        QCOMPARE(f.store->state().messages, 60U);
        QCOMPARE(right, 60U);
    }
}

void TestStoreFaults::foreignFileIsSetAside()
{
    Faulty f;
    f.open();
    f.store->append({"a", "", "1", 1});
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    f.put("msgs/2.blk", std::string(5000, 'z'));
    f.open();
    QVERIFY(f.store != nullptr);
    QCOMPARE(f.store->state().messages, 1U);
    QCOMPARE(f.lines(), QStringList("msgs/2.blk: is not a message block; set aside as .damaged"));
    QCOMPARE(f.report[0].aside, std::string("msgs/2.blk.damaged"));
    QCOMPARE(f.bytes("2.blk.damaged").size(), 5000U);
    QCOMPARE(f.store->append({"a", "", "2", 2}).value(), 2U);
    QVERIFY(f.store->commit().ok());
    f.open();
    QCOMPARE(f.store->state().messages, 2U);
}

void TestStoreFaults::crashKeepsWhatWasSynced()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Faulty f;
        f.open();
        NaiveStore model;
        RandomOperations random(seed, 10);
        for (int i = 0; i < 150; ++i) {
            const auto m = random.message();
            f.store->append(RandomOperations::view(m));
            model.append(m);
        }
        QVERIFY(f.store->commit().ok());
        f.store->sync([](Result<void> r) { QVERIFY(r.ok()); });
        for (int i = 0; i < 30; ++i)
            f.store->append(RandomOperations::view(random.message()));
        QVERIFY(f.store->commit().ok());
        f.files.crash();
        f.open();
        QVERIFY(f.store != nullptr);
        QCOMPARE(difference(f, model), QString());
        QCOMPARE(f.store->lost().count, 0U);
    }
}

void TestStoreFaults::sealedBlocksAreNotReadAtStart()
{
    Faulty f;
    f.open();
    for (int i = 0; i < 20000; ++i) {
        f.store->append({"a.b", "", std::string(100, 'x'), i});
        if (i % 100 == 0)
            QVERIFY(f.store->commit().ok());
    }
    QVERIFY(f.store->commit().ok());
    f.store.reset();
    std::uint64_t total = 0;
    for (const auto& [path, content] : f.files.contents)
        total += path.ends_with(".blk") ? content->bytes.size() : 0;
    f.files.bytesRead = 0;
    f.open();
    QCOMPARE(f.store->state().messages, 20000U);
    QVERIFY2(f.files.bytesRead < total / 5, qPrintable(QString::number(f.files.bytesRead)));
}

QTEST_GUILESS_MAIN(TestStoreFaults)
#include "tst_store_faults.moc"
