// SPDX-License-Identifier: GPL-3.0-or-later
// The transitions of consumers, their deliveries and the requests for them, each with the event
// that tells of it.
#include "base/time_text.h"
#include "broker/flow_ring.h"
#include "consumer_bench.h"
#include "transition_record.h"

#include <QTemporaryDir>

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::FlowWalk;
using jetglass::tests::TransitionRecord;

class TestFlowDeliveries : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<ConsumerBench>(m_folder->path().toStdString());
        m_record = std::make_unique<TransitionRecord>(m_bench->clock.wallTime());
        m_bench->addStream();
        m_bench->hub.add(*m_record);
    }
    void cleanup()
    {
        m_seen += m_record->seen();
        m_bench.reset();
        m_record.reset();
        m_folder.reset();
    }
    void cleanupTestCase() { QCOMPARE(tests::unseen(FlowWalk::Deliveries, m_seen), QStringList()); }

    void consumersComeAndGo();
    void deliversAndAcks();
    void answers_data();
    void answers();
    void acksBelow();
    void withoutAcks();
    void timesOut();
    void exhausts();
    void settledMessagesLeave_data();
    void settledMessagesLeave();
    void severalWatch();
    void purges();
    void resets();
    void pulls();
    void pullStatuses_data();
    void pullStatuses();
    void pullHeartbeats();
    void stallsAtMaxAckPending();
    void pushWithFlowControl();
    void pauses();
    void pins();

private:
    /// A consumer and messages that are no part of the proof.
    void prepare(int messages, const std::string& config)
    {
        m_bench->publishMany(messages);
        m_bench->addConsumer(config);
        m_record->forget();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TransitionRecord> m_record;
    std::unique_ptr<ConsumerBench> m_bench;
    QList<FlowKind> m_seen;
};

void TestFlowDeliveries::consumersComeAndGo()
{
    m_bench->addConsumer(R"("ack_policy":"explicit")");
    m_bench->addConsumer(R"("ack_policy":"none")", "D");
    CHECK_FLOW(*m_record, {"ConsumerCreated s1 c1", "ConsumerCreated s1 c2"});
    m_bench->addConsumer(R"("ack_policy":"explicit","description":"other")");
    CHECK_FLOW(*m_record, {"ConsumerChanged s1 c1"});
    m_bench->pull("3");
    m_record->forget();
    m_bench->request("CONSUMER.DELETE.S.C");
    CHECK_FLOW(*m_record,
        {"StatusSent s1 c1 second=409 by7 (409 Consumer Deleted)",
            "PullEnded s1 c1 second=409 by7",
            "ConsumerDeleted s1 c1"});
}

void TestFlowDeliveries::deliversAndAcks()
{
    prepare(2, R"("ack_policy":"explicit")");
    m_bench->advance(5);
    m_bench->pull("2");
    CHECK_FLOW(*m_record,
        {"PullOpened s1 c1 second=2 by7 at=5",
            "Delivered s1 c1 #1 second=1 x1 due=30005 by7 at=5 's.a'",
            "PullServed s1 c1 #1 second=1 by7 at=5",
            "Delivered s1 c1 #2 second=2 x1 due=30005 by7 at=5 's.a'",
            "PullServed s1 c1 #2 by7 at=5",
            "PullEnded s1 c1 by7 at=5"});
    m_bench->ackSeq(2);
    CHECK_FLOW(*m_record, {"Acked s1 c1 #2 second=2 by7 at=5"});
    m_bench->ackSeq(1);
    CHECK_FLOW(
        *m_record, {"Acked s1 c1 #1 second=1 by7 at=5", "FloorMoved s1 c1 #2 second=2 at=5"});
    m_bench->ackSeq(1);
    CHECK_FLOW(*m_record, {}); // once more is no transition
}

void TestFlowDeliveries::answers_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("-NAK") << "-NAK" << QStringList{"Naked s1 c1 #1 second=1 x1 by7 at=1000"};
    QTest::newRow("-NAK with a delay")
        << R"(-NAK {"delay":500000000})"
        << QStringList{"Naked s1 c1 #1 second=1 x1 due=1500 by7 at=1000"};
    QTest::newRow("+WPI") << "+WPI" << QStringList{"InProgress s1 c1 #1 due=11000 by7 at=1000"};
    QTest::newRow("+TERM") << "+TERM no good"
                           << QStringList{"Terminated s1 c1 #1 second=1 by7 at=1000 (no good)",
                                  "FloorMoved s1 c1 #1 second=1 at=1000"};
    QTest::newRow("+NXT") << "+NXT 1"
                          << QStringList{"Acked s1 c1 #1 second=1 by7 at=1000",
                                 "FloorMoved s1 c1 #1 second=1 at=1000",
                                 "PullOpened s1 c1 second=1 by7 at=1000"};
}

void TestFlowDeliveries::answers()
{
    QFETCH(QString, answer);
    QFETCH(QStringList, expected);
    prepare(1, R"("ack_policy":"explicit","ack_wait":10000000000)");
    m_bench->pull("1");
    m_bench->advance(1'000);
    m_record->forget();
    m_bench->ackSeq(1, answer.toStdString());
    CHECK_FLOW(*m_record, expected);
}

void TestFlowDeliveries::acksBelow()
{
    prepare(3, R"("ack_policy":"all")");
    m_bench->pull("3");
    m_record->forget();
    m_bench->ackSeq(2);
    CHECK_FLOW(*m_record, {"AckedUpTo s1 c1 #2 second=2 by7", "FloorMoved s1 c1 #2 second=2"});
}

void TestFlowDeliveries::withoutAcks()
{
    prepare(1, R"("ack_policy":"none")");
    m_bench->pull("1");
    CHECK_FLOW(*m_record,
        {"PullOpened s1 c1 second=1 by7",
            "Delivered s1 c1 #1 second=1 x1 by7 's.a'",
            "PullServed s1 c1 #1 by7",
            "PullEnded s1 c1 by7"});
}

void TestFlowDeliveries::timesOut()
{
    prepare(1, R"("ack_policy":"explicit","ack_wait":1000000000)");
    m_bench->pull("2");
    m_record->forget();
    m_bench->advance(999);
    CHECK_FLOW(*m_record, {});
    m_bench->advance(1);
    CHECK_FLOW(*m_record,
        {"TimedOut s1 c1 #1 x1 by7 at=1000",
            "Delivered s1 c1 #1 second=2 x2 due=2000 by7 again at=1000 's.a'",
            "PullServed s1 c1 #1 by7 at=1000",
            "PullEnded s1 c1 by7 at=1000"});
}

void TestFlowDeliveries::exhausts()
{
    prepare(1, R"("ack_policy":"explicit","ack_wait":1000000000,"max_deliver":2)");
    m_bench->pull("3");
    m_bench->advance(1'000);
    m_record->forget();
    m_bench->advance(1'000);
    CHECK_FLOW(
        *m_record, {"TimedOut s1 c1 #1 x2 by7 at=2000", "Exhausted s1 c1 #1 x2 by7 at=2000"});
}

void TestFlowDeliveries::settledMessagesLeave_data()
{
    QTest::addColumn<QByteArray>("retention");
    QTest::addColumn<QString>("cause");
    QTest::newRow("work queue") << QByteArray("workqueue") << "WorkQueueAck";
    QTest::newRow("interest") << QByteArray("interest") << "InterestGone";
}

void TestFlowDeliveries::settledMessagesLeave()
{
    QFETCH(QByteArray, retention);
    QFETCH(QString, cause);
    m_bench->request("STREAM.DELETE.S");
    m_bench->addStream(R"("subjects":["s.>"],"retention":")" + retention.toStdString() + "\"");
    m_bench->addConsumer(R"("ack_policy":"explicit")");
    m_bench->publishMany(1);
    m_bench->pull("1");
    m_record->forget();
    m_bench->ackSeq(1);
    CHECK_FLOW(*m_record,
        {"Acked s2 c1 #1 second=1 by7",
            "FloorMoved s2 c1 #1 second=1",
            "Removed s2 #1 second=1 bytes=21 " + cause});
}

/// All of them get everything as long as they watch, with the texts or without, and one that
/// leaves within a turn has got what was told before.
void TestFlowDeliveries::severalWatch()
{
    ConsumerBench& b = *m_bench;
    TransitionRecord second(b.clock.wallTime());
    FlowRing ring(64);
    b.hub.add(second);
    b.hub.add(ring);
    prepare(1, R"("ack_policy":"explicit")");
    second.forget();
    std::vector<FlowEvent> plain;
    b.hub.endTurn();
    ring.drain(plain);
    plain.clear();
    b.pull("1");
    b.hub.remove(second);
    b.ackSeq(1);
    b.hub.endTurn();
    const QStringList all = m_record->take();
    QCOMPARE(all.size(), 6);
    QCOMPARE(second.take(), all.mid(0, 4));
    QCOMPARE(ring.drain(plain), std::size_t{6});
    for (std::size_t i = 0; i < plain.size(); ++i) {
        QCOMPARE(plain[i].number, plain[0].number + i);
        QVERIFY(all[static_cast<qsizetype>(i)].startsWith(
            QString::fromLatin1(tests::rowOf(plain[i].kind).name) + QStringLiteral(" s1 c1")));
    }
    b.hub.remove(ring);
    QVERIFY(b.hub.active());
    b.hub.add(second); // joins again and gets only what is new
    b.publishMany(1);
    QCOMPARE(second.take().value(0), QString("Published GAP s1 by7 's.a'"));
    b.hub.remove(second);
}

void TestFlowDeliveries::purges()
{
    prepare(3, R"("ack_policy":"explicit")");
    m_bench->pull("2");
    m_record->forget();
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":1})");
    CHECK_FLOW(*m_record,
        {"Removed s1 #1 second=1 bytes=21 by7 Delete 's.a'",
            "Terminated s1 c1 #1 (Unacknowledged message was deleted)",
            "FloorMoved s1 c1 #1 second=1"});
    m_bench->request("STREAM.PURGE.S");
    CHECK_FLOW(*m_record,
        {"Removed s1 #2 second=3 bytes=42 by7 Purge",
            "CursorMoved s1 c1 #4",
            "FloorMoved s1 c1 #3 second=2"});
}

void TestFlowDeliveries::resets()
{
    prepare(3, R"("ack_policy":"explicit")");
    m_bench->pull("3");
    m_record->forget();
    m_bench->request("CONSUMER.RESET.S.C", R"({"seq":2})");
    CHECK_FLOW(*m_record, {"CursorMoved s1 c1 #2"});
}

void TestFlowDeliveries::pulls()
{
    prepare(2, R"("ack_policy":"explicit")");
    m_bench->pull(R"({"batch":5,"expires":2000000000})");
    CHECK_FLOW(*m_record,
        {"PullOpened s1 c1 second=5 due=2000 by7",
            "Delivered s1 c1 #1 second=1 x1 due=30000 by7 's.a'",
            "PullServed s1 c1 #1 second=4 by7",
            "Delivered s1 c1 #2 second=2 x1 due=30000 by7 's.a'",
            "PullServed s1 c1 #2 second=3 by7"});
    m_bench->advance(2'000);
    CHECK_FLOW(*m_record,
        {"StatusSent s1 c1 second=408 by7 at=2000 (408 Request Timeout)",
            "PullEnded s1 c1 second=408 by7 at=2000"});
}

void TestFlowDeliveries::pullStatuses_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("nothing there")
        << R"({"batch":1,"no_wait":true})"
        << QStringList{"StatusSent s1 c1 second=404 by7 (404 No Messages)"};
    QTest::newRow("too many at once")
        << R"({"batch":9})"
        << QStringList{"StatusSent s1 c1 second=409 by7 (409 Exceeded MaxRequestBatch of 8)"};
    QTest::newRow("unreadable") << "{"
                                << QStringList{"StatusSent s1 c1 second=400 by7 (400 Bad Request - "
                                               "unexpected end of JSON input)"};
    QTest::newRow("too many wait")
        << "last" << QStringList{"StatusSent s1 c1 second=409 by7 (409 Exceeded MaxWaiting)"};
}

void TestFlowDeliveries::pullStatuses()
{
    QFETCH(QString, request);
    QFETCH(QStringList, expected);
    prepare(0, R"("ack_policy":"explicit","max_batch":8,"max_waiting":1)");
    if (request == QStringLiteral("last")) {
        m_bench->pull("1");
        m_record->forget();
        request = QStringLiteral("1");
    }
    m_bench->pull(request.toStdString());
    CHECK_FLOW(*m_record, expected);
}

void TestFlowDeliveries::pullHeartbeats()
{
    prepare(0, R"("ack_policy":"explicit")");
    m_bench->pull(R"({"batch":1,"expires":3000000000,"idle_heartbeat":1000000000})");
    m_record->forget();
    m_bench->advance(1'000);
    CHECK_FLOW(*m_record,
        {"StatusSent s1 c1 second=100 by7 at=1000 (100 Idle Heartbeat)",
            "HeartbeatSent s1 c1 by7 at=1000"});
    m_bench->bus->removeClient("in");
    m_bench->advance(1'000);
    CHECK_FLOW(*m_record, {"PullEnded s1 c1 by7 at=2000"});
}

void TestFlowDeliveries::stallsAtMaxAckPending()
{
    prepare(2, R"("ack_policy":"explicit","max_ack_pending":1)");
    m_bench->pull("2");
    CHECK_FLOW(*m_record,
        {"PullOpened s1 c1 second=2 by7",
            "Delivered s1 c1 #1 second=1 x1 due=30000 by7 's.a'",
            "PullServed s1 c1 #1 second=1 by7",
            "Stalled s1 c1 second=1"});
    m_bench->ackSeq(1);
    CHECK_FLOW(*m_record,
        {"Acked s1 c1 #1 second=1 by7",
            "FloorMoved s1 c1 #1 second=1",
            "Resumed s1 c1",
            "Delivered s1 c1 #2 second=2 x1 due=30000 by7 's.a'",
            "PullServed s1 c1 #2 by7",
            "PullEnded s1 c1 by7"});
}

void TestFlowDeliveries::pushWithFlowControl()
{
    m_bench->bus->addClient("d");
    const std::string body(40'000, 'x');
    m_bench->addConsumer(
        R"("deliver_subject":"d","flow_control":true,"idle_heartbeat":5000000000)");
    m_record->forget();
    m_bench->publish("s.a", body);
    CHECK_FLOW(*m_record,
        {"Published s1 by7 's.a'",
            "Stored s1 #1 second=40019 by7 's.a'",
            "Delivered s1 c1 #1 second=1 x1 by7 's.a'"});
    for (int i = 0; i < 60; ++i)
        m_bench->publish("s.a", body);
    const QStringList all = m_record->take();
    QCOMPARE(all.filter(QStringLiteral("Stalled")), QStringList{"Stalled s1 c1 second=2"});
    QCOMPARE(all.filter(QStringLiteral("FlowControlSent")).size(), 1);
    QVERIFY(
        all.contains(QStringLiteral("StatusSent s1 c1 second=100 by7 (100 FlowControl Request)")));
    m_bench->advance(5'000);
    CHECK_FLOW(*m_record,
        {"StatusSent s1 c1 second=100 by7 at=5000 (100 Idle Heartbeat)",
            "HeartbeatSent s1 c1 at=5000"});
    std::string request;
    for (const auto& message : m_bench->take("d"))
        if (statusOf(message) == "100 FlowControl Request")
            request = message.reply;
    m_bench->bus->inject(request, "");
    m_bench->run();
    const QStringList after = m_record->take();
    QCOMPARE(after.value(0), QString("Resumed s1 c1 at=5000"));
    QVERIFY(after.value(1).startsWith(QStringLiteral("Delivered s1 c1 #")));
}

void TestFlowDeliveries::pauses()
{
    prepare(0, R"("ack_policy":"explicit")");
    const auto until = [this](std::int64_t seconds) {
        return R"({"pause_until":")"
            + base::rfc3339(m_bench->clock.wallTime() + seconds * 1'000'000'000) + "\"}";
    };
    m_bench->request("CONSUMER.PAUSE.S.C", until(3));
    CHECK_FLOW(*m_record, {"ConsumerPaused s1 c1 due=3000"});
    m_bench->advance(3'000);
    CHECK_FLOW(*m_record, {"ConsumerResumed s1 c1 at=3000"});
    m_bench->request("CONSUMER.PAUSE.S.C", until(60));
    m_record->forget();
    m_bench->request("CONSUMER.PAUSE.S.C", "{}");
    CHECK_FLOW(*m_record, {"ConsumerResumed s1 c1 at=3000"});
}

void TestFlowDeliveries::pins()
{
    prepare(1,
        R"("ack_policy":"explicit","priority_groups":["g"],"priority_policy":"pinned_client",)"
        R"("priority_timeout":3000000000)");
    m_bench->pull(R"({"batch":1,"group":"g"})");
    CHECK_FLOW(*m_record,
        {"PullOpened s1 c1 second=1 by7",
            "ConsumerPinned s1 c1 by7",
            "Delivered s1 c1 #1 second=1 x1 due=30000 by7 's.a'",
            "PullServed s1 c1 #1 by7",
            "PullEnded s1 c1 by7"});
    m_bench->advance(3'000);
    CHECK_FLOW(*m_record, {"ConsumerUnpinned s1 c1 at=3000"});
    m_bench->publishMany(1);
    m_bench->pull(R"({"batch":1,"group":"g"})");
    m_record->forget();
    m_bench->request("CONSUMER.UNPIN.S.C", R"({"group":"g"})");
    CHECK_FLOW(*m_record, {"ConsumerUnpinned s1 c1 at=3000"});
}

QTEST_GUILESS_MAIN(TestFlowDeliveries)
#include "tst_flow_deliveries.moc"
