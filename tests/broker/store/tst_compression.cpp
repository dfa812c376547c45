// SPDX-License-Identifier: GPL-3.0-or-later
// Sealed blocks in lz4 frames: the same answers, fewer bytes, one frame a message.
#include "faulty_file_system.h"
#include "late_worker.h"
#include "random_operations.h"
#include "store/block_cache.h"
#include "store/file_store.h"
#include "store/frame_file.h"

#include <QtTest>

#include <memory>

using namespace jetglass;
using namespace jetglass::store;

namespace {

constexpr std::uint64_t kBlock = 128U << 10U;

struct Compressed
{
    FaultyFileSystem files;
    std::unique_ptr<Worker> worker = std::make_unique<InlineWorker>();
    BlockCache cache{256U << 10U};
    std::shared_ptr<BufferPool> pool = std::make_shared<BufferPool>(1U << 20U);
    RecoveryReport report;
    std::unique_ptr<MessageStore> store;

    void open()
    {
        store.reset();
        report.clear();
        const FileStoreContext context{
            files, *worker, cache, pool, StoreSettings{"", false, kBlock, 256U << 10U}};
        auto opened = FileStore::open(context, "msgs", report);
        QVERIFY(opened.ok());
        store = std::move(*opened);
        store->setCompression(true);
    }
    [[nodiscard]] std::string& bytes(const std::string& name)
    {
        return files.contents.at("msgs/" + name)->bytes;
    }
    [[nodiscard]] bool isCompressed(int block)
    {
        const auto opened =
            openBlockFile(files, "msgs/" + std::to_string(block) + ".blk", FileSystem::Mode::Read);
        return opened.ok() && opened->compressed;
    }
    [[nodiscard]] std::string raw(int block)
    {
        auto opened =
            openBlockFile(files, "msgs/" + std::to_string(block) + ".blk", FileSystem::Mode::Read);
        std::string all(*opened->file->size(), '\0');
        all.resize(*opened->file->read(0, all.data(), all.size()));
        return all;
    }
    [[nodiscard]] QString lines() const
    {
        QStringList all;
        for (const RecoveryFinding& finding : report)
            all << QString::fromStdString(recoveryLine(finding));
        return all.join('\n');
    }
};

/// As a shop would write it.
std::string order(int n)
{
    return QString(R"({"order_id":"ORD-%1","customer":{"id":%2,"email":"customer%2@example.com"},)"
                   R"("items":[{"sku":"SKU-%3","name":"keyboard","quantity":%4,"price":%5},)"
                   R"({"sku":"SKU-%6","name":"monitor","quantity":1,"price":%7}],)"
                   R"("currency":"EUR","status":"created","created_at":"2026-11-30T12:%8:%9Z"})")
        .arg(n, 6, 10, QChar('0'))
        .arg(n * 7919 % 10007)
        .arg(n * 104729 % 997)
        .arg(n % 9 + 1)
        .arg(double(n * 31 % 50000) / 100)
        .arg(n * 15485863LL % 991)
        .arg(double(n * 17 % 90000) / 100)
        .arg(n / 60 % 60, 2, 10, QChar('0'))
        .arg(n % 60, 2, 10, QChar('0'))
        .toStdString();
}

void fill(Compressed& c, int messages)
{
    for (int i = 1; i <= messages; ++i) {
        const std::string payload = order(i);
        c.store->append({"orders.created", {}, payload, 1'700'000'000'000'000'000 + i});
        QVERIFY(c.store->commit().ok());
    }
}

} // namespace

class TestCompression : public QObject
{
    Q_OBJECT

private slots:
    void ordersShrink();
    void oneMessageNeedsOneFrame();
    void behavesLikeTheModel_data();
    void behavesLikeTheModel();
    void everyCallFailsOnce();
    void erasedIsGoneFromTheFile();
    void erasedWhileItIsCompressed();
    void droppedWhileItIsCompressed();
    void damagedFrameCostsItsMessages();
    void damagedTableCostsNothing();
    void newestBlockGoesOn();
    void leftCopyIsRemoved();
    void whatDoesNotShrinkStays();
};

void TestCompression::ordersShrink()
{
    Compressed c;
    c.open();
    fill(c, 2000);
    std::size_t before = 0;
    std::size_t after = 0;
    for (int block = 1; c.isCompressed(block); ++block) {
        before += c.raw(block).size();
        after += c.bytes(std::to_string(block) + ".blk").size();
    }
    QVERIFY(before > 4 * kBlock);
    QVERIFY2(before >= 3 * after, qPrintable(QString::number(double(before) / double(after))));
    MessageView view;
    for (int i = 1; i <= 2000; ++i) {
        QVERIFY(c.store->load(StreamSeq(std::uint64_t(i)), view));
        QCOMPARE(view.payload, order(i));
    }
}

void TestCompression::oneMessageNeedsOneFrame()
{
    Compressed c;
    c.open();
    fill(c, 1500);
    c.open(); // nothing is loaded
    MessageView view;
    QVERIFY(c.store->load(StreamSeq(2), view)); // its index
    const std::uint64_t before = c.files.bytesRead;
    QVERIFY(c.store->load(StreamSeq(200), view));
    QCOMPARE(view.payload, order(200));
    const std::uint64_t read = c.files.bytesRead - before;
    QVERIFY2(read > 0 && read < kFrameBytes, qPrintable(QString::number(read)));
}

void TestCompression::behavesLikeTheModel_data()
{
    QTest::addColumn<int>("subjects");
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 3; ++seed) {
        QTest::addRow("few subjects, seed %u", seed) << 3 << seed;
        QTest::addRow("many subjects, seed %u", seed) << 200 << seed;
    }
}

void TestCompression::behavesLikeTheModel()
{
    QFETCH(int, subjects);
    QFETCH(unsigned, seed);
    Compressed c;
    c.open();
    NaiveStore model;
    RandomOperations random(seed, subjects);
    bool compressed = false;
    for (int step = 0; step < 8000; ++step) {
        std::string wrong;
        // Mostly more: blocks have to fill.
        if (step % 4 != 0) {
            const auto m = random.message();
            model.append(m);
            c.store->append(RandomOperations::view(m));
        } else if (random.below(40) != 0) {
            const std::uint64_t seq = random.sequence(model);
            const bool there = model.remove(seq);
            if (c.store->remove(StreamSeq(seq), Removal::Delete, true) != there)
                wrong = "remove differs";
        } else {
            wrong = random.change(*c.store, model);
        }
        if (wrong.empty() && step % 5 == 0)
            wrong = random.ask(*c.store, model);
        if (random.below(10) == 0)
            QVERIFY(c.store->commit().ok());
        if (wrong.empty() && step % 1000 == 999) {
            QVERIFY(c.store->commit().ok());
            for (int block = 1; block < 40; ++block)
                compressed = compressed || c.isCompressed(block);
            c.open();
            QCOMPARE(c.lines(), QString());
            wrong = difference(*c.store, model);
        }
        QVERIFY2(wrong.empty(), (std::to_string(step) + ": " + wrong).c_str());
    }
    QVERIFY(compressed);
    QCOMPARE(QString::fromStdString(difference(*c.store, model)), QString());
}

/// Whatever fails while a block is compressed, no message suffers.
void TestCompression::everyCallFailsOnce()
{
    for (int n = 0;; ++n) {
        Compressed c;
        c.worker = std::make_unique<LateWorker>();
        c.open();
        fill(c, 400);
        MessageView view;
        c.files.shortWrites = n % 2 == 1;
        c.files.failAfter = n;
        QVERIFY(c.store->remove(StreamSeq(17), Removal::Delete, true));
        static_cast<void>(c.store->commit().ok());
        c.worker->drain();
        const bool tripped = c.files.failAfter < 0;
        c.files.failAfter = -1;
        QVERIFY(c.store->commit().ok());
        c.worker->drain();
        c.open();
        // An index that could not be written is made anew.
        QVERIFY2(
            !c.lines().contains("lost") && !c.lines().contains("damaged"), qPrintable(c.lines()));
        for (int i = 1; i <= 400; ++i)
            if (i != 17) {
                QVERIFY2(c.store->load(StreamSeq(std::uint64_t(i)), view),
                    qPrintable(QString("call %1, message %2").arg(n).arg(i)));
                QCOMPARE(view.payload, order(i));
            }
        if (!tripped)
            break;
        QVERIFY(n < 200);
    }
}

void TestCompression::erasedIsGoneFromTheFile()
{
    Compressed c;
    c.open();
    fill(c, 600);
    QVERIFY(c.isCompressed(1));
    const std::string id = "ORD-000020";
    QVERIFY(c.raw(1).find(id) != std::string::npos);
    QVERIFY(c.store->remove(StreamSeq(20), Removal::Delete, true));
    QVERIFY(c.store->commit().ok());
    QVERIFY(c.isCompressed(1));
    QVERIFY(c.raw(1).find(id) == std::string::npos);
    QVERIFY(c.bytes("1.blk").find(id) == std::string::npos);
    MessageView view;
    QVERIFY(!c.store->load(StreamSeq(20), view));
    for (const std::uint64_t seq : {19U, 21U, 22U}) {
        QVERIFY(c.store->load(StreamSeq(seq), view));
        QCOMPARE(view.payload, order(int(seq)));
    }
    c.open();
    QCOMPARE(c.lines(), QString());
    QCOMPARE(c.store->state().messages, std::uint64_t{599});
}

/// The copy was made before the message was erased: it may not take the file's place.
void TestCompression::erasedWhileItIsCompressed()
{
    Compressed c;
    auto late = std::make_unique<LateWorker>();
    LateWorker& worker = *late;
    c.worker = std::move(late);
    c.open();
    fill(c, 600);
    worker.runJobs();
    QVERIFY(c.store->remove(StreamSeq(20), Removal::Delete, true));
    QVERIFY(c.store->commit().ok());
    worker.drain();
    QVERIFY(c.isCompressed(1));
    QVERIFY(c.raw(1).find("ORD-000020") == std::string::npos);
    QVERIFY(c.raw(1).find("ORD-000021") != std::string::npos);
    QVERIFY(!c.files.contents.contains("msgs/1.blk.copy"));
}

void TestCompression::droppedWhileItIsCompressed()
{
    Compressed c;
    auto late = std::make_unique<LateWorker>();
    LateWorker& worker = *late;
    c.worker = std::move(late);
    c.open();
    fill(c, 600);
    worker.runJobs();
    QVERIFY(c.files.contents.contains("msgs/1.blk.copy"));
    QVERIFY(c.store->removeBelow(StreamSeq(590), Removal::Purge).count > 0);
    QVERIFY(c.store->commit().ok());
    worker.drain();
    QVERIFY(!c.files.contents.contains("msgs/1.blk"));
    QVERIFY(!c.files.contents.contains("msgs/1.blk.copy"));
    c.open();
    QCOMPARE(c.lines(), QString());
    QCOMPARE(c.store->state().first.value(), std::uint64_t{590});
}

void TestCompression::damagedFrameCostsItsMessages()
{
    Compressed c;
    c.open();
    fill(c, 1500);
    c.store.reset();
    std::string& bytes = c.bytes("2.blk");
    bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 4);
    c.files.contents.erase("msgs/2.idx");
    c.open();
    QVERIFY2(
        c.lines().contains("2.blk: ") && c.lines().contains("are lost"), qPrintable(c.lines()));
    const std::uint64_t lost = c.store->lost().count;
    QCOMPARE(c.store->state().messages, 1500 - lost);
    // A frame holds about 80 of them.
    QVERIFY2(lost > 20 && lost < 200, qPrintable(QString::number(lost)));
    MessageView view;
    std::uint64_t found = 0;
    for (int i = 1; i <= 1500; ++i)
        if (c.store->load(StreamSeq(std::uint64_t(i)), view)) {
            QCOMPARE(view.payload, order(i));
            ++found;
        }
    QCOMPARE(found, c.store->state().messages);
}

void TestCompression::damagedTableCostsNothing()
{
    for (const bool head : {false, true}) {
        Compressed c;
        c.open();
        fill(c, 1500);
        c.store.reset();
        std::string& bytes = c.bytes("2.blk");
        const std::size_t at = head ? 13 : bytes.size() - 20;
        bytes[at] = char(bytes[at] ^ 4);
        for (const bool indexed : {true, false}) {
            if (!indexed)
                c.files.contents.erase("msgs/2.idx");
            c.open();
            MessageView view;
            for (int i = 1; i <= 1500; ++i) {
                QVERIFY(c.store->load(StreamSeq(std::uint64_t(i)), view));
                QCOMPARE(view.payload, order(i));
            }
            QCOMPARE(c.store->lost().count, std::uint64_t{0});
        }
    }
}

/// The block behind it is gone: it is the newest again, and what comes next is written into it.
void TestCompression::newestBlockGoesOn()
{
    Compressed c;
    c.open();
    fill(c, 1000);
    int newest = 1;
    while (c.files.contents.contains("msgs/" + std::to_string(newest + 1) + ".blk"))
        ++newest;
    c.store.reset();
    for (const char* ending : {".blk", ".idx", ".fss"})
        c.files.contents.erase("msgs/" + std::to_string(newest) + ending);
    QVERIFY(c.isCompressed(newest - 1));
    c.open();
    const std::uint64_t last = c.store->state().last.value();
    QVERIFY(last > 100 && last < 1000);
    const std::string payload = "what comes next";
    c.store->append({"orders.created", {}, payload, 1'800'000'000'000'000'000});
    QVERIFY(c.store->commit().ok());
    c.open();
    QCOMPARE(c.lines(), QString());
    MessageView view;
    QVERIFY(c.store->load(StreamSeq(last + 1), view));
    QCOMPARE(view.payload, payload);
    QVERIFY(c.store->load(StreamSeq(last), view));
    QCOMPARE(view.payload, order(int(last)));
}

void TestCompression::leftCopyIsRemoved()
{
    Compressed c;
    c.open();
    fill(c, 600);
    c.store.reset();
    c.files.contents["msgs/1.blk.copy"] = std::make_shared<FaultyFileSystem::Content>();
    c.open();
    QCOMPARE(c.lines(), QString());
    QVERIFY(!c.files.contents.contains("msgs/1.blk.copy"));
}

void TestCompression::whatDoesNotShrinkStays()
{
    Compressed c;
    c.open();
    std::mt19937 random(5);
    std::vector<std::string> payloads;
    for (int i = 0; i < 300; ++i) {
        std::string payload(1000, '\0');
        for (char& byte : payload)
            byte = static_cast<char>(random());
        payloads.push_back(payload);
        c.store->append({"noise", {}, payload, 1'700'000'000'000'000'000 + i});
        QVERIFY(c.store->commit().ok());
    }
    QVERIFY(c.files.contents.contains("msgs/2.blk"));
    QVERIFY(!c.isCompressed(1));
    c.open();
    MessageView view;
    for (std::size_t i = 0; i < payloads.size(); ++i) {
        QVERIFY(c.store->load(StreamSeq(i + 1), view));
        QCOMPARE(view.payload, payloads[i]);
    }
}

QTEST_GUILESS_MAIN(TestCompression)
#include "tst_compression.moc"
