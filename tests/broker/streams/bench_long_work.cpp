// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/message_store.h"
#include "stream_bench.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <ctime>

using namespace jetglass;
using jetglass::tests::StreamBench;

/// What long requests on a large stream cost the loop: for each the whole time and the longest
/// single turn, on the clock and in processor time: what is between them is waiting, for the disk
/// or for a processor that others use. JETGLASS_BENCH_MESSAGES says how many messages the stream
/// has.
class BenchLongWork : public QObject
{
    Q_OBJECT

private slots:
    void request_data();
    void request();

private:
    using Clock = std::chrono::steady_clock;
    /// User and kernel time of this thread, ms.
    static double processorTime()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
    }
    static void fill(StreamBench& bench, std::uint64_t count, bool manySubjects);
};

void BenchLongWork::fill(StreamBench& bench, std::uint64_t count, bool manySubjects)
{
    store::MessageStore& store = bench.stream().store();
    const std::string payload(64, 'p');
    std::string subject;
    for (std::uint64_t i = 0; i < count; ++i) {
        subject = "s." + std::to_string(manySubjects ? i : i % 1000U);
        store.append({subject, {}, payload, bench.clock.wallTime() + static_cast<std::int64_t>(i)});
        if (i % 4096U == 4095U && !store.commit())
            qFatal("cannot write");
    }
    if (!store.commit())
        qFatal("cannot write");
}

void BenchLongWork::request_data()
{
    QTest::addColumn<bool>("memory");
    QTest::addColumn<bool>("manySubjects");
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    struct Row
    {
        const char* name;
        const char* call;
        const char* body;
    };
    static constexpr Row kRows[] = {
        {"purge all", "STREAM.PURGE.S", ""},
        {"purge half", "STREAM.PURGE.S", R"({"seq":%1})"},
        {"purge keep", "STREAM.PURGE.S", R"({"keep":10})"},
        {"purge filter", "STREAM.PURGE.S", R"({"filter":"s.7"})"},
        {"purge wildcard", "STREAM.PURGE.S", R"({"filter":"s.*"})"},
        {"purge wildcard keep", "STREAM.PURGE.S", R"({"filter":"s.*","keep":10})"},
        {"max_msgs", "STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],%2"max_msgs":1000})"},
        {"max_bytes", "STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],%2"max_bytes":100000})"},
        {"max_age", "STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],%2"max_age":1000000000})"},
        {"max_msgs_per_subject",
            "STREAM.UPDATE.S",
            R"({"name":"S","subjects":["s.>"],%2"max_msgs_per_subject":1})"},
        {"delete", "STREAM.DELETE.S", ""},
        {"subjects", "STREAM.INFO.S", R"({"subjects_filter":">"})"},
        {"consumer",
            "CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"name":"C","ack_policy":"explicit",
            "deliver_policy":"by_start_sequence","opt_start_seq":10,"filter_subject":"s.*"}})"},
    };
    for (const bool memory : {true, false})
        for (const bool many : {false, true})
            for (const Row& row : kRows)
                QTest::addRow("%s, %s: %s",
                    memory ? "memory" : "file",
                    many ? "a subject each" : "1,000 subjects",
                    row.name)
                    << memory << many << row.call << row.body;
}

void BenchLongWork::request()
{
    QFETCH(bool, memory);
    QFETCH(bool, manySubjects);
    QFETCH(QString, call);
    QFETCH(QString, body);
    const std::uint64_t count =
        qEnvironmentVariable("JETGLASS_BENCH_MESSAGES", QStringLiteral("2000000")).toULongLong();
    const QTemporaryDir folder;
    StreamBench bench(folder.path().toStdString(), &base::SteadyTime::real());
    const QString storage = memory ? QStringLiteral(R"("storage":"memory",)") : QString();
    bench.create((storage + QStringLiteral(R"("subjects":["s.>"])")).toStdString());
    fill(bench, count, manySubjects);
    if (call.contains(QLatin1String("UPDATE")))
        bench.clock.advance(3'600'000'000'000);
    body.replace(QLatin1String("%1"), QString::number(count / 2));
    body.replace(QLatin1String("%2"), storage);
    const std::string reply = "answer";
    bench.worker.held = true;
    std::chrono::duration<double, std::milli> longest{};
    double longestWork = 0;
    double workFrom = processorTime();
    int turns = 0;
    const auto begin = Clock::now();
    bench.bus->inject("$JS.API." + call.toStdString(), body.toStdString(), reply, {});
    auto from = begin;
    do {
        bench.turn.run();
        const auto now = Clock::now();
        longest = std::max<std::chrono::duration<double, std::milli>>(longest, now - from);
        const double work = processorTime();
        longestWork = std::max(longestWork, work - workFrom);
        ++turns;
        bench.worker.drain(); // another thread's in the broker
        from = Clock::now();
        workFrom = processorTime();
    } while (bench.bus->lastPayload(reply).empty() && turns < 1'000'000);
    const std::chrono::duration<double, std::milli> whole = from - begin;
    const std::string answer = bench.bus->lastPayload(reply);
    QVERIFY(!answer.empty());
    QVERIFY2(answer.find("\"error\"") == std::string::npos, answer.c_str());
    qInfo("%8.1f ms in %5d turns, longest %7.2f ms, %7.2f ms of it work",
        whole.count(),
        turns,
        longest.count(),
        longestWork);
}

QTEST_GUILESS_MAIN(BenchLongWork)
#include "bench_long_work.moc"
