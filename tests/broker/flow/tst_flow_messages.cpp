// SPDX-License-Identifier: GPL-3.0-or-later
// The transitions of streams and their messages, each with the event that tells of it.
#include "base/time_text.h"
#include "stream_bench.h"
#include "transition_record.h"

#include <QTemporaryDir>

using namespace jetglass;
using jetglass::tests::FlowWalk;
using jetglass::tests::StreamBench;
using jetglass::tests::TransitionRecord;

class TestFlowMessages : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_record = std::make_unique<TransitionRecord>(m_bench->clock.wallTime());
        m_bench->hub.add(*m_record);
    }
    void cleanup()
    {
        m_seen += m_record->seen();
        m_bench.reset();
        m_record.reset();
        m_folder.reset();
    }
    void cleanupTestCase() { QCOMPARE(tests::unseen(FlowWalk::Messages, m_seen), QStringList()); }

    void publishes();
    void removals_data();
    void removals();
    void expires();
    void purges();
    void neverStored();
    void streamsComeAndGo();
    void atomicBatches();
    void fastBatches();
    void schedules();
    void mirrors();

private:
    void create(const std::string& members, const std::string& name = "S")
    {
        m_bench->create(members, name);
        m_record->forget();
    }
    void fast(const std::string& step)
    {
        m_bench->bus->inject("s.1", "x", "in." + step + ".$FI", {});
        m_bench->run();
    }
    void batch(const std::string& id, int seq, const std::string& commit = {})
    {
        m_bench->publish("s.1",
            "x",
            "Nats-Batch-Id: " + id + "\r\nNats-Batch-Sequence: " + std::to_string(seq)
                + (commit.empty() ? commit : "\r\nNats-Batch-Commit: " + commit));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TransitionRecord> m_record;
    std::unique_ptr<StreamBench> m_bench;
    QList<FlowKind> m_seen;
};

void TestFlowMessages::publishes()
{
    create(R"("subjects":["s.>"])");
    m_bench->publish("s.1", "hi", "Nats-Msg-Id: a");
    CHECK_FLOW(*m_record,
        {"Published s1 by7 's.1'", "Stored s1 #1 second=67 by7 's.1'", "PubAckSent s1 #1 by7"});
    m_bench->advance(5);
    m_bench->publish("s.1", "hi", "Nats-Msg-Id: a");
    CHECK_FLOW(*m_record,
        {"Published s1 by7 at=5 's.1'",
            "Duplicate s1 #1 by7 at=5 's.1'",
            "PubAckSent s1 #1 by7 at=5"});
    m_bench->publish("s.2", "x", "Nats-Expected-Last-Sequence: 7");
    CHECK_FLOW(*m_record,
        {"Published s1 by7 at=5 's.2'",
            "Refused s1 second=10071 by7 at=5 's.2' (wrong last sequence: 1)",
            "PubAckSent s1 by7 at=5"});
    m_bench->bus->inject("s.3", "nobody waits for an answer");
    m_bench->run();
    CHECK_FLOW(*m_record, {"Published s1 by7 at=5 's.3'", "Stored s1 #2 second=59 by7 at=5 's.3'"});
}

void TestFlowMessages::removals_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one too many") << QByteArray(R"("max_msgs":1)") << QByteArray()
                                  << "Removed s1 #1 second=1 bytes=34 MaxMsgs";
    QTest::newRow("too many bytes") << QByteArray(R"("max_bytes":40)") << QByteArray()
                                    << "Removed s1 #1 second=1 bytes=34 MaxBytes";
    QTest::newRow("one for each subject")
        << QByteArray(R"("max_msgs_per_subject":1)") << QByteArray()
        << "Removed s1 #1 second=1 bytes=34 MaxPerSubject";
    QTest::newRow("rollup") << QByteArray(R"("allow_rollup_hdrs":true)")
                            << QByteArray("Nats-Rollup: sub")
                            << "RemovedByFilter s1 #1 second=1 bytes=34 Rollup 's.1'";
}

/// A second message pushes the first one out.
void TestFlowMessages::removals()
{
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, headers);
    QFETCH(QString, expected);
    create(R"("subjects":["s.>"],)" + config.toStdString());
    m_bench->publish("s.1");
    m_record->forget();
    m_bench->publish("s.1", "x", headers.toStdString());
    const QStringList lines = m_record->take();
    QCOMPARE(lines.filter(QStringLiteral("Removed")).join(QLatin1Char('\n')), expected);
}

void TestFlowMessages::expires()
{
    create(
        R"("subjects":["s.>"],"max_age":1000000000,"allow_msg_ttl":true,"duplicate_window":500000000)");
    m_bench->publish("s.1");
    m_bench->publish("s.2");
    m_record->forget();
    m_bench->advance(1'000);
    CHECK_FLOW(*m_record, {"Removed s1 #1 second=2 bytes=68 MaxAge at=1000"});
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],"allow_msg_ttl":true})");
    m_bench->publish("s.3", "x", "Nats-TTL: 2s");
    m_record->forget();
    m_bench->advance(2'000);
    CHECK_FLOW(*m_record, {"Removed s1 #3 second=3 bytes=64 Ttl at=3000"});
}

void TestFlowMessages::purges()
{
    create(R"("subjects":["s.>"])");
    for (int i = 0; i < 9; ++i)
        m_bench->publish("s." + std::to_string(i % 3));
    m_record->forget();
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})");
    CHECK_FLOW(*m_record, {"Removed s1 #2 second=2 bytes=34 by7 Delete"});
    m_bench->request("STREAM.PURGE.S", R"({"filter":"s.0"})");
    CHECK_FLOW(*m_record, {"RemovedByFilter s1 #1 second=3 bytes=102 by7 Purge 's.0'"});
    m_bench->request("STREAM.PURGE.S", R"({"seq":6})");
    CHECK_FLOW(*m_record, {"Removed s1 #3 second=5 bytes=68 by7 Purge"});
    m_bench->request("STREAM.PURGE.S");
    CHECK_FLOW(*m_record, {"Removed s1 #6 second=9 bytes=102 by7 Purge"});
}

void TestFlowMessages::neverStored()
{
    create(R"("subjects":["s.>"],"retention":"interest")");
    m_bench->publish("s.1");
    CHECK_FLOW(*m_record,
        {"Published s1 by7 's.1'",
            "Removed s1 #1 second=1 by7 NoInterest 's.1'",
            "PubAckSent s1 #1 by7"});
}

void TestFlowMessages::streamsComeAndGo()
{
    m_bench->create(R"("subjects":["s.>"])");
    m_bench->create(R"("subjects":["t.>"])", "T");
    CHECK_FLOW(*m_record, {"StreamCreated s1", "StreamCreated s2"});
    m_bench->advance(7);
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],"max_msgs":5})");
    CHECK_FLOW(*m_record, {"StreamChanged s1 at=7"});
    m_bench->request("STREAM.DELETE.S");
    CHECK_FLOW(*m_record, {"StreamDeleted s1 at=7"});
}

void TestFlowMessages::atomicBatches()
{
    create(R"("subjects":["s.>"],"allow_atomic":true)");
    batch("b", 1);
    batch("b", 2, "1");
    CHECK_FLOW(*m_record,
        {"BatchOpened s1 (b)",
            "Published s1 by7 's.1'",
            "BatchHeld s1 second=1 by7 's.1' (b)",
            "PubAckSent s1 by7",
            "Stored s1 #1 second=92 by7 's.1'",
            "Published s1 by7 's.1'",
            "Stored s1 #2 second=114 by7 's.1'",
            "BatchCommitted s1 #2 second=2 by7 's.1' (b)",
            "PubAckSent s1 #2 by7"});
    batch("c", 1);
    batch("c", 3);
    CHECK_FLOW(*m_record,
        {"BatchOpened s1 (c)",
            "Published s1 by7 's.1'",
            "BatchHeld s1 second=1 by7 's.1' (c)",
            "PubAckSent s1 by7",
            "BatchAbandoned s1 second=1 (c)",
            "Published s1 by7 's.1'",
            "Refused s1 second=10176 by7 's.1' (atomic publish batch is incomplete)",
            "PubAckSent s1 by7"});
}

void TestFlowMessages::fastBatches()
{
    create(R"("subjects":["s.>"],"allow_batched":true)");
    fast("b.10.ok.1.0");
    fast("b.10.ok.4.2");
    CHECK_FLOW(*m_record,
        {"BatchOpened s1 second=1 (b)",
            "Published s1 by7 's.1'",
            "Stored s1 #1 second=34 by7 's.1'",
            "BatchFlowSent s1 x10 by7",
            "BatchGap s1 second=2 x2 (b)",
            "Published s1 by7 's.1'",
            "Stored s1 #2 second=34 by7 's.1'",
            "BatchCommitted s1 #2 second=4 by7 's.1' (b)",
            "PubAckSent s1 by7",
            "PubAckSent s1 #2 by7"});
}

void TestFlowMessages::schedules()
{
    create(R"("subjects":["s.>","t.>"],"allow_msg_schedules":true)");
    m_bench->publish("s.1",
        "body",
        "Nats-Schedule: @at " + base::rfc3339(m_bench->clock.wallTime() + 5'000'000'000)
            + "\r\nNats-Schedule-Target: t.1");
    CHECK_FLOW(*m_record,
        {"Published s1 by7 's.1'",
            "Stored s1 #1 second=139 by7 's.1'",
            "ScheduleSet s1 #1 due=5000 's.1'",
            "PubAckSent s1 #1 by7"});
    m_bench->advance(5'000);
    CHECK_FLOW(*m_record,
        {"Published s1 at=5000 't.1'",
            "Stored s1 #2 second=101 at=5000 't.1'",
            "ScheduleFired s1 #1 second=2 at=5000 's.1'",
            "ScheduleEnded s1 #1 at=5000 's.1'",
            "RemovedByFilter s1 #1 second=1 bytes=139 Rollup at=5000 's.1'"});
}

void TestFlowMessages::mirrors()
{
    create(R"("subjects":["o.*"])", "O");
    m_bench->publish("o.a");
    create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(200);
    CHECK_FLOW(*m_record,
        {"MirrorProgress s2 #1 at=200",
            "Published s2 at=200 'o.a'",
            "Stored s2 #1 second=34 at=200 'o.a'"});
}

QTEST_GUILESS_MAIN(TestFlowMessages)
#include "tst_flow_messages.moc"
