// SPDX-License-Identifier: GPL-3.0-or-later
#include "faulty_file_system.h"
#include "store/file_consumer_log.h"

#include <QtTest>

#include <limits>

using namespace jetglass;
using namespace jetglass::store;

class TestConsumerLog : public QObject
{
    Q_OBJECT

private slots:
    void givesBackWhatWasCommitted();
    void recordsAreSmall();
    void tornAtEveryByte();
    void failedCommitCountsForNothing();
    void failedSyncEndsWithTheFile();
    void cutForgets();
    void foreignFileIsSetAside();

private:
    struct Log
    {
        FaultyFileSystem files;
        InlineWorker worker;
        RecoveryReport report;
        std::unique_ptr<ConsumerLog> log;
        void open()
        {
            report.clear();
            log.reset();
            auto opened = FileConsumerLog::open(files, worker, "consumers.log", report);
            if (opened)
                log = std::move(*opened);
        }
        std::vector<ConsumerRecord> all()
        {
            std::vector<ConsumerRecord> records;
            if (!log->replay([&](const ConsumerRecord& r) { records.push_back(r); }))
                records.clear();
            return records;
        }
        std::string& bytes() { return files.contents.at("consumers.log")->bytes; }
    };
    static ConsumerRecord record(std::uint64_t n)
    {
        return {static_cast<ConsumerRecord::Kind>(n % 8U + 1U),
            static_cast<std::uint32_t>(n % 3U),
            StreamSeq(n * 7U),
            ConsumerSeq(n),
            static_cast<std::int64_t>(1'700'000'000'000'000'000U + n * 1000U),
            static_cast<std::uint32_t>(n % 4U)};
    }
    static bool same(const ConsumerRecord& a, const ConsumerRecord& b)
    {
        return a.kind == b.kind && a.consumer == b.consumer && a.seq == b.seq
            && a.consumerSeq == b.consumerSeq && a.time == b.time && a.count == b.count;
    }
};

void TestConsumerLog::givesBackWhatWasCommitted()
{
    Log l;
    l.open();
    std::vector<ConsumerRecord> wanted;
    for (std::uint64_t n = 1; n < 200; ++n) {
        wanted.push_back(record(n * (n % 5U == 0 ? 1'000'000'000U : 1U)));
        l.log->stage(wanted.back());
        if (n % 9U == 0)
            QVERIFY(l.log->commit().ok());
    }
    wanted.push_back({ConsumerRecord::Kind::Acked,
        std::numeric_limits<std::uint32_t>::max(),
        StreamSeq(std::numeric_limits<std::uint64_t>::max()),
        ConsumerSeq(1),
        -5,
        std::numeric_limits<std::uint32_t>::max()});
    l.log->stage(wanted.back());
    QVERIFY(l.log->commit().ok());
    l.log->stage(record(1)); // never committed
    l.open();
    const auto got = l.all();
    QCOMPARE(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY(same(got[i], wanted[i]));
    QCOMPARE(l.report.size(), 0U);
}

void TestConsumerLog::recordsAreSmall()
{
    Log l;
    l.open();
    for (std::uint64_t n = 1; n <= 1000; ++n)
        l.log->stage(record(n));
    QVERIFY(l.log->commit().ok());
    QVERIFY(l.log->size() < 24U * 1000U);
}

void TestConsumerLog::tornAtEveryByte()
{
    Log l;
    l.open();
    l.log->stage(record(1));
    QVERIFY(l.log->commit().ok());
    const std::size_t whole = l.bytes().size();
    l.log->stage(record(2));
    l.log->stage(record(3));
    QVERIFY(l.log->commit().ok());
    const std::string good = l.bytes();
    for (std::size_t size = whole; size < good.size(); ++size) {
        l.bytes() = good.substr(0, size);
        l.open();
        QCOMPARE(l.all().size(), 1U);
        QCOMPARE(l.report.size(), size == whole ? 0U : 1U);
        if (size > whole)
            QCOMPARE(recoveryLine(l.report[0]),
                "consumers.log: " + std::to_string(size - whole)
                    + " bytes at the end are torn and were cut");
        l.log->stage(record(4));
        QVERIFY(l.log->commit().ok());
        QCOMPARE(l.all().size(), 2U);
    }
}

void TestConsumerLog::failedCommitCountsForNothing()
{
    for (int n = 0; n < 6; ++n) {
        Log l;
        l.files.shortWrites = true;
        l.open();
        l.log->stage(record(1));
        l.files.failAfter = n;
        const bool first = l.log->commit().ok();
        l.files.failAfter = -1;
        QVERIFY(!l.log->hasStaged());
        l.log->stage(record(2));
        QVERIFY(l.log->commit().ok());
        l.open();
        QCOMPARE(l.all().size(), first ? 2U : 1U);
        QVERIFY(same(l.all().back(), record(2)));
    }
}

/// What is in a file after a failed sync nobody knows: another one takes its place.
void TestConsumerLog::failedSyncEndsWithTheFile()
{
    Log l;
    l.open();
    l.log->stage(record(1));
    QVERIFY(l.log->commit().ok());
    l.files.failSyncs = 1;
    std::vector<bool> synced;
    const auto note = [&synced](const Result<void>& done) { synced.push_back(done.ok()); };
    l.log->sync(note);
    l.log->sync(note); // succeeds, and knows nothing of what the first one has lost
    QCOMPARE(synced, (std::vector<bool>{false, false}));
    l.log->stage(record(2));
    QVERIFY(!l.log->commit().ok());
    QVERIFY(l.log->cut().ok());
    l.log->stage(record(3));
    QVERIFY(l.log->commit().ok());
    l.log->sync(note);
    QVERIFY(synced.back());
    l.open();
    QCOMPARE(l.all().size(), 1U);
    QVERIFY(same(l.all().back(), record(3)));
}

void TestConsumerLog::cutForgets()
{
    Log l;
    l.open();
    l.log->stage(record(1));
    QVERIFY(l.log->commit().ok());
    QVERIFY(l.log->size() > 0);
    QVERIFY(l.log->cut().ok());
    QCOMPARE(l.log->size(), 0U);
    l.log->stage(record(2));
    QVERIFY(l.log->commit().ok());
    l.open();
    QCOMPARE(l.all().size(), 1U);
}

void TestConsumerLog::foreignFileIsSetAside()
{
    Log l;
    l.files.contents["consumers.log"] = std::make_shared<FaultyFileSystem::Content>(
        FaultyFileSystem::Content{std::string(100, 'z'), {}});
    l.open();
    QVERIFY(l.log != nullptr);
    QCOMPARE(l.report.size(), 1U);
    QCOMPARE(recoveryLine(l.report[0]),
        std::string("consumers.log: not a consumer log of this version; set aside as .damaged"));
    QCOMPARE(l.report[0].aside, std::string("consumers.log.damaged"));
    QVERIFY(l.files.exists("consumers.log.damaged"));
    l.log->stage(record(2));
    QVERIFY(l.log->commit().ok());
    l.open();
    QCOMPARE(l.all().size(), 1U);
}

QTEST_GUILESS_MAIN(TestConsumerLog)
#include "tst_consumer_log.moc"
