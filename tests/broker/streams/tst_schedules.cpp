// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "stream_bench.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

class tst_Schedules : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_bench->create(
            R"("subjects":["s.>","t.>"],"allow_msg_schedules":true,"allow_msg_ttl":true)");
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void firesOnce();
    void repeats();
    void isCancelledByAPlainMessage();
    void isEndedByAMessageElsewhere();
    void takesItsContentFromElsewhere();
    void goesOnAfterARestart();
    void catchesUpOnceAfterARestart();
    void staysAwayWhenItIsPurged();
    void worksInABatch();
    void triesAgainWhenAWriteFails();
    void tellsObservers();

private:
    std::string schedule(const std::string& pattern,
        const std::string& more = {},
        const std::string& subject = "s.1",
        const std::string& target = "t.1")
    {
        return m_bench->publish(subject,
            "body",
            "Nats-Schedule: " + pattern + "\r\nNats-Schedule-Target: " + target
                + (more.empty() ? more : "\r\n" + more));
    }
    std::string in(std::int64_t seconds) const
    {
        return base::rfc3339(m_bench->clock.wallTime() + seconds * 1'000'000'000);
    }
    std::string headersOf(std::uint64_t seq)
    {
        store::MessageView message;
        if (!m_bench->stream().store().load(StreamSeq(seq), message))
            return "(none)";
        return std::string(message.headers);
    }
    int last() { return m_bench->state()["last_seq"].get<int>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_Schedules::firesOnce()
{
    schedule("@at " + in(5), "K: v\r\nNats-Schedule-TTL: 1h\r\nNats-Msg-Id: i");
    m_bench->advance(4'900);
    QCOMPARE(last(), 1);
    m_bench->advance(100);
    QCOMPARE(last(), 2);
    QCOMPARE(headersOf(1), std::string("(none)"));
    QCOMPARE(headersOf(2),
        std::string("NATS/1.0\r\nK: v\r\nNats-Scheduler: s.1\r\nNats-Schedule-Next: purge\r\n"
                    "Nats-TTL: 1h\r\n\r\n"));
    m_bench->advance(60'000);
    QCOMPARE(last(), 2);
    // A time that has passed comes a quarter of a second later.
    schedule("@at 2020-01-01T00:00:00Z", {}, "s.2");
    QCOMPARE(last(), 3);
    m_bench->advance(250);
    QCOMPARE(last(), 4);
}

void tst_Schedules::repeats()
{
    schedule("@every 10s", "Nats-Schedule-Rollup: sub");
    const std::string second = in(20);
    m_bench->advance(10'000);
    QCOMPARE(last(), 2);
    QVERIFY(headersOf(2).find("Nats-Schedule-Next: " + second + "\r\nNats-Rollup: sub")
        != std::string::npos);
    m_bench->advance(10'000);
    m_bench->advance(10'000);
    QCOMPARE(last(), 4);
    CHECK_JSON(m_bench->state()["messages"], 2);
}

void tst_Schedules::isCancelledByAPlainMessage()
{
    schedule("@every 10s");
    m_bench->publish("s.1");
    m_bench->advance(60'000);
    QCOMPARE(last(), 2);
    m_bench->restart();
    m_bench->advance(60'000);
    QCOMPARE(last(), 2);
}

void tst_Schedules::isEndedByAMessageElsewhere()
{
    schedule("@every 10s");
    m_bench->publish("t.9", "x", "Nats-Schedule-Next: purge\r\nNats-Scheduler: s.1");
    CHECK_JSON(m_bench->state()["messages"], 1);
    m_bench->advance(60'000);
    QCOMPARE(last(), 2);
    QCOMPARE(m_bench->errorOf(
                 m_bench->publish("s.1", "x", "Nats-Schedule-Next: purge\r\nNats-Scheduler: t.9")),
        10212);
}

void tst_Schedules::takesItsContentFromElsewhere()
{
    m_bench->publish("s.src", "theirs", "A: b");
    schedule("@at " + in(1), "Nats-Schedule-Source: s.src");
    m_bench->advance(1'000);
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(3), message));
    QCOMPARE(std::string(message.payload), std::string("theirs"));
    QVERIFY(message.headers.starts_with("NATS/1.0\r\nA: b\r\nNats-Scheduler: s.1\r\n"));
}

void tst_Schedules::goesOnAfterARestart()
{
    schedule("@at " + in(5));
    schedule("@every 20s", {}, "s.2", "t.2");
    m_bench->restart();
    m_bench->advance(5'000);
    QCOMPARE(last(), 3);
    m_bench->advance(15'000);
    QCOMPARE(last(), 4);
    m_bench->crash();
    m_bench->advance(20'000);
    QCOMPARE(last(), 5);
}

void tst_Schedules::catchesUpOnceAfterARestart()
{
    schedule("@every 10s");
    m_bench->clock.advance(65'000'000'000);
    m_bench->restart();
    m_bench->advance(250);
    QCOMPARE(last(), 2);
    m_bench->advance(5'000);
    QCOMPARE(last(), 2);
    m_bench->advance(5'000);
    QCOMPARE(last(), 3);
}

void tst_Schedules::staysAwayWhenItIsPurged()
{
    schedule("@every 10s");
    m_bench->request("STREAM.PURGE.S", R"({"filter":"s.1"})");
    m_bench->advance(60'000);
    QCOMPARE(last(), 1);
}

void tst_Schedules::worksInABatch()
{
    m_bench->request("STREAM.UPDATE.S",
        R"({"name":"S","subjects":["s.>","t.>"],"allow_msg_schedules":true,"allow_msg_ttl":true,"allow_atomic":true})");
    const std::string batch = "Nats-Batch-Id: b\r\nNats-Batch-Sequence: ";
    schedule("@at " + in(5), batch + "1");
    QCOMPARE(last(), 0);
    schedule("@at " + in(6), batch + "2\r\nNats-Batch-Commit: 1", "s.2", "t.2");
    QCOMPARE(last(), 2);
    m_bench->advance(6'000);
    QCOMPARE(last(), 4);
    CHECK_JSON(m_bench->state()["messages"], 2);
}

void tst_Schedules::triesAgainWhenAWriteFails()
{
    schedule("@at " + in(5));
    m_bench->files.failing = true;
    m_bench->advance(5'000);
    QCOMPARE(last(), 1);
    m_bench->files.failing = false;
    m_bench->advance(1'000);
    QCOMPARE(last(), 2);
    CHECK_JSON(m_bench->state()["messages"], 1);
}

void tst_Schedules::tellsObservers()
{
    class Events final : public FlowObserver
    {
    public:
        void onFlow(const FlowEvent& event, const FlowText&) noexcept override
        {
            if (event.kind >= FlowKind::ScheduleSet && event.kind <= FlowKind::ScheduleEnded)
                events.push_back(event);
        }
        std::vector<FlowEvent> events;
    };
    Events events;
    m_bench->hub.add(events);
    const std::int64_t due = m_bench->clock.wallTime() + 5'000'000'000;
    schedule("@at " + in(5));
    m_bench->advance(5'000);
    m_bench->hub.remove(events);
    QCOMPARE(events.events.size(), std::size_t{3});
    QCOMPARE(events.events[0].kind, FlowKind::ScheduleSet);
    QCOMPARE(events.events[0].deadline, due);
    QCOMPARE(events.events[1].kind, FlowKind::ScheduleFired);
    QCOMPARE(events.events[1].seq.value(), std::uint64_t{1});
    QCOMPARE(events.events[1].second, std::uint64_t{2});
    QCOMPARE(events.events[2].kind, FlowKind::ScheduleEnded);
}

QTEST_GUILESS_MAIN(tst_Schedules)
#include "tst_schedules.moc"
