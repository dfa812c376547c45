// SPDX-License-Identifier: GPL-3.0-or-later
// What is delivered: start positions, filters, what goes meanwhile, pauses, retention.
#include "delivery_fixture.h"

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::DeliveryFixture;
using jetglass::tests::summary;

class TestConsumerDelivery final : public DeliveryFixture
{
    Q_OBJECT

private slots:
    void startPositions_data();
    void startPositions();
    void filterSkipsSilently();
    void deletedWhilePending();
    void purgeClearsPending();
    void pauseHoldsEverythingBack();
    void inactivePullConsumerGoes();
    void inactivityWaitsForPendingAck();
    void reset();
    void workQueueRemovesAcked();
    void interestRemovesWhenAllHaveIt();
    void interestAckNone();
    void explainNamesTheBlockingCondition_data();
    void explainNamesTheBlockingCondition();
};

void TestConsumerDelivery::startPositions_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("first"); // of ten old messages and one that is published later
    QTest::newRow("all") << R"("deliver_policy":"all")"
                         << "1.1";
    QTest::newRow("new") << R"("deliver_policy":"new")"
                         << "1.11";
    QTest::newRow("last") << R"("deliver_policy":"last")"
                          << "1.10";
    QTest::newRow("last with filter") << R"("deliver_policy":"last","filter_subject":"s.3")"
                                      << "1.3";
    QTest::newRow("last with two filters")
        << R"("deliver_policy":"last","filter_subjects":["s.3","s.5"])"
        << "1.5";
    QTest::newRow("last, no match") << R"("deliver_policy":"last","filter_subject":"s.late")"
                                    << "1.11";
    QTest::newRow("sequence") << R"("deliver_policy":"by_start_sequence","opt_start_seq":4)"
                              << "1.4";
    QTest::newRow("sequence beyond the end is not clamped")
        << R"("deliver_policy":"by_start_sequence","opt_start_seq":12)"
        << "";
    QTest::newRow("future time is like new")
        << R"("deliver_policy":"by_start_time","opt_start_time":"2040-01-01T00:00:00Z")"
        << "1.11";
    QTest::newRow("last per subject")
        << R"("deliver_policy":"last_per_subject","filter_subjects":["s.2","s.7"])"
        << "1.2";
}

void TestConsumerDelivery::startPositions()
{
    QFETCH(QString, config);
    QFETCH(QString, first);
    ConsumerBench& b = *m_bench;
    b.addStream();
    for (int i = 1; i <= 10; ++i)
        b.publish("s." + std::to_string(i));
    const auto created = b.addConsumer(R"("ack_policy":"explicit",)" + config.toStdString());
    QVERIFY2(!created.contains("error"), created.dump().c_str());
    b.pull("1");
    b.publish("s.late");
    QCOMPARE(summary(b.bus->delivered()), first);
}

void TestConsumerDelivery::filterSkipsSilently()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    for (const char* subject : {"s.a", "s.b", "s.a", "s.b"})
        b.publish(subject);
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.a")");
    QCOMPARE(summary(b.pull("9")), QString("1.1,1.3"));
    const auto info = b.info();
    QCOMPARE(info["delivered"]["consumer_seq"], 2);
    QCOMPARE(info["delivered"]["stream_seq"], 3);
    QCOMPARE(info["num_pending"], 0);
    QCOMPARE(b.consumer().cell(StreamSeq(2), "s.b").state, DeliveryState::NotMatched);
}

void TestConsumerDelivery::deletedWhilePending()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("2");
    b.request("STREAM.MSG.DELETE.S", R"({"seq":1})");
    b.request("STREAM.MSG.DELETE.S", R"({"seq":3})");
    const auto info = b.info();
    QCOMPARE(info["num_ack_pending"], 1);
    QCOMPARE(info["num_pending"], 0);
    QCOMPARE(info["ack_floor"]["stream_seq"], 1);
    QCOMPARE(
        b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.C"), std::size_t{1});
}

void TestConsumerDelivery::purgeClearsPending()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(100);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("75");
    for (int i = 1; i <= 50; ++i)
        b.ackSeq(i);
    b.request("STREAM.PURGE.S");
    const auto info = b.info();
    QCOMPARE(info["delivered"]["stream_seq"], 100);
    QCOMPARE(info["ack_floor"]["consumer_seq"], 75);
    QCOMPARE(info["ack_floor"]["stream_seq"], 100);
    QCOMPARE(info["num_ack_pending"], 0);
    QCOMPARE(
        b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.C"), std::size_t{0});
}

void TestConsumerDelivery::pauseHoldsEverythingBack()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(2);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000)");
    QCOMPARE(summary(b.pull("1")), QString("1.1"));
    const std::string until = base::rfc3339(b.clock.wallTime() + 10'000'000'000);
    const auto paused = b.request("CONSUMER.PAUSE.S.C", R"({"pause_until":")" + until + "\"}");
    QCOMPARE(paused["paused"], true);
    QCOMPARE(b.info()["config"]["metadata"]["_nats.req.level"], "1");
    QCOMPARE(summary(b.pull("5")), QString());
    b.advance(9000);
    QCOMPARE(summary(b.take("in")), QString());
    b.advance(1000);
    QCOMPARE(summary(b.take("in")), QString("2.1,1.2"));
    QCOMPARE(b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.PAUSE.S.C"), std::size_t{2});
}

void TestConsumerDelivery::inactivePullConsumerGoes()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    const auto created =
        b.request("CONSUMER.CREATE.S.E", R"({"stream_name":"S","config":{"name":"E"}})");
    QCOMPARE(created["config"]["inactive_threshold"], 5000000000);
    b.advance(4000);
    b.pull(R"({"no_wait":true})", "in", "E");
    b.advance(4900);
    QVERIFY(!b.info("E").contains("error"));
    b.advance(1500);
    b.advance(1500);
    QCOMPARE(b.info("E")["error"]["err_code"], 10014);
    QCOMPARE(b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.DELETED.S.E"), std::size_t{1});
}

void TestConsumerDelivery::inactivityWaitsForPendingAck()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(1);
    b.addConsumer(
        R"("ack_policy":"explicit","ack_wait":60000000000,"inactive_threshold":500000000)");
    b.pull("1");
    for (int i = 0; i < 20; ++i)
        b.advance(1000);
    QVERIFY(!b.info().contains("error"));
    for (int i = 0; i < 60; ++i)
        b.advance(1000);
    QVERIFY(b.info().contains("error"));
}

void TestConsumerDelivery::reset()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(5);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("3");
    b.ackSeq(1);
    const auto answer = b.request("CONSUMER.RESET.S.C");
    QCOMPARE(answer["reset_seq"], 2);
    QCOMPARE(answer["delivered"]["consumer_seq"], 0);
    QCOMPARE(answer["num_pending"], 4);
    const auto got = b.pull("1");
    QCOMPARE(summary(got), QString("1.2"));
    QCOMPARE(QString::fromStdString(got[0].reply).section('.', 6, 6), QString("1"));
}

void TestConsumerDelivery::workQueueRemovesAcked()
{
    ConsumerBench& b = *m_bench;
    b.addStream(R"("subjects":["s.>"],"retention":"workqueue")");
    b.publishMany(2);
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.a")");
    QCOMPARE(b.addConsumer(
                 R"("ack_policy":"explicit","filter_subject":"s.*")", "D")["error"]["err_code"],
        10100);
    QCOMPARE(b.addConsumer(R"("ack_policy":"explicit")", "D")["error"]["err_code"], 10099);
    const auto got = b.pull("2");
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 2);
    b.ack(got[1].reply);
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 1);
    b.ackSeq(1, "+TERM");
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 0);
    QCOMPARE(
        b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.C"), std::size_t{1});
}

void TestConsumerDelivery::interestRemovesWhenAllHaveIt()
{
    ConsumerBench& b = *m_bench;
    b.addStream(R"("subjects":["s.>"],"retention":"interest")");
    b.publishMany(1);
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 0);
    b.addConsumer(R"("ack_policy":"explicit")", "A");
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.b")", "B");
    b.publish("s.a");
    b.publish("s.b");
    const auto a = b.pull("2", "a", "A");
    QCOMPARE(a.size(), std::size_t{2});
    b.ack(a[0].reply);
    b.ack(a[1].reply);
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 1);
    const auto got = b.pull("1", "b", "B");
    b.ack(got[0].reply);
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 0);
}

void TestConsumerDelivery::interestAckNone()
{
    ConsumerBench& b = *m_bench;
    b.addStream(R"("subjects":["s.>"],"retention":"interest")");
    b.addConsumer("");
    b.publishMany(3);
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 3);
    b.pull("2");
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 1);
    b.request("CONSUMER.DELETE.S.C");
    QCOMPARE(b.request("STREAM.INFO.S")["state"]["messages"], 0);
}

void TestConsumerDelivery::explainNamesTheBlockingCondition_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("pull");
    QTest::addColumn<int>("seq");
    QTest::addColumn<int>("blocks"); // -1 = nothing
    QTest::newRow("no request") << ""
                                << "" << 1 << static_cast<int>(Condition::HasRequest);
    QTest::newRow("ack not due") << ""
                                 << "5" << 1 << static_cast<int>(Condition::AckNotDue);
    QTest::newRow("no free slot") << R"("max_ack_pending":1)"
                                  << "5" << 2 << static_cast<int>(Condition::SlotFree);
    QTest::newRow("not matched") << R"("filter_subject":"s.b")"
                                 << "5" << 1 << static_cast<int>(Condition::MatchesFilter);
    QTest::newRow("before the start") << R"("deliver_policy":"new")"
                                      << "5" << 1 << static_cast<int>(Condition::AfterStart);
    QTest::newRow("not stored") << ""
                                << "" << 9 << static_cast<int>(Condition::Stored);
    QTest::newRow("no interest") << R"("deliver_subject":"d")"
                                 << "" << 1 << static_cast<int>(Condition::HasInterest);
    QTest::newRow("paused") << R"("pause_until":"2100-01-01T00:00:00Z")"
                            << "5" << 1 << static_cast<int>(Condition::NotPaused);
    QTest::newRow("the consumer itself") << ""
                                         << "" << 0 << static_cast<int>(Condition::HasRequest);
}

void TestConsumerDelivery::explainNamesTheBlockingCondition()
{
    QFETCH(QString, config);
    QFETCH(QString, pull);
    QFETCH(int, seq);
    QFETCH(int, blocks);
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    const std::string rest = config.isEmpty() ? "" : "," + config.toStdString();
    b.addConsumer(R"("ack_policy":"explicit")" + rest);
    if (!pull.isEmpty())
        b.pull(pull.toStdString());
    ExplainAnswer answer;
    b.consumer().explain(StreamSeq(static_cast<std::uint64_t>(seq)), answer);
    int first = -1;
    for (const ConditionReport& report : answer.conditions)
        if (report.verdict == Verdict::Blocks && first < 0)
            first = static_cast<int>(report.condition);
    QCOMPARE(first, blocks);
    QCOMPARE(answer.conditions.size(), std::size_t{16});
}

QTEST_GUILESS_MAIN(TestConsumerDelivery)
#include "tst_consumer_delivery.moc"
