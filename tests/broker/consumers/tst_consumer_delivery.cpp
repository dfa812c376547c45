// SPDX-License-Identifier: GPL-3.0-or-later
// Pull requests and what is delivered to whom: positions, filters, priority groups, retention.
#include "delivery_fixture.h"

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::DeliveryFixture;
using jetglass::tests::Sent;
using jetglass::tests::statusOf;
using jetglass::tests::summary;

class TestConsumerDelivery final : public DeliveryFixture
{
    Q_OBJECT

private slots:
    void pullDeliversAndAcks();
    void ackSubjectCountsDown();
    void roundRobin();
    void statuses_data();
    void statuses();
    void noWaitEndsWhileStalled();
    void expiryTellsWhatIsLeft();
    void failedDeliveryDoesNotCount();
    void startPositions_data();
    void startPositions();
    void filterSkipsSilently();
    void deletedWhilePending();
    void purgeClearsPending();
    void pauseHoldsEverythingBack();
    void inactivePullConsumerGoes();
    void inactivityWaitsForPendingAck();
    void pinnedClient();
    void overflow();
    void prioritized();
    void reset();
    void workQueueRemovesAcked();
    void interestRemovesWhenAllHaveIt();
    void interestAckNone();
    void explainNamesTheBlockingCondition_data();
    void explainNamesTheBlockingCondition();
};

void TestConsumerDelivery::pullDeliversAndAcks()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    const auto created = b.addConsumer(R"("ack_policy":"explicit")");
    QVERIFY(!created.contains("error"));
    QCOMPARE(created["num_pending"], 3);
    const auto got = b.pull("2");
    QCOMPARE(summary(got), QString("1.1,1.2"));
    QCOMPARE(got[0].subject, std::string("s.a"));
    QCOMPARE(got[0].payload, std::string("m1"));
    QVERIFY(b.ack(got[0].reply));
    QVERIFY2(b.ack(got[0].reply), "a duplicate ack is confirmed too");
    const auto info = b.info();
    QCOMPARE(info["ack_floor"]["stream_seq"], 1);
    QCOMPARE(info["num_ack_pending"], 1);
    QCOMPARE(info["num_pending"], 1);
    QCOMPARE(info["delivered"]["consumer_seq"], 2);
}

void TestConsumerDelivery::ackSubjectCountsDown()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    b.addConsumer("");
    const auto got = b.pull("3");
    QCOMPARE(got.size(), std::size_t{3});
    for (int i = 0; i < 3; ++i)
        QVERIFY(QString::fromStdString(got[static_cast<std::size_t>(i)].reply)
                    .endsWith("." + QString::number(2 - i)));
    QVERIFY2(!b.ack(got[0].reply), "ack none: nobody listens");
}

void TestConsumerDelivery::roundRobin()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("3", "a");
    b.pull("3", "b");
    b.publishMany(5);
    QCOMPARE(summary(b.take("a")), QString("1.1,1.3,1.5"));
    QCOMPARE(summary(b.take("b")), QString("1.2,1.4"));
}

void TestConsumerDelivery::statuses_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<int>("messages");
    QTest::addColumn<QString>("request");
    QTest::addColumn<QString>("answer");
    QTest::newRow("no wait, empty") << "" << 0 << R"({"no_wait":true})"
                                    << "404 No Messages";
    QTest::newRow("no wait, part") << "" << 1 << R"({"batch":2,"no_wait":true})"
                                   << "1.1,404 No Messages";
    QTest::newRow("no wait with expires waits")
        << "" << 0 << R"({"no_wait":true,"expires":1000000000})"
        << "";
    QTest::newRow("batch too large") << R"("max_batch":2)" << 0 << "3"
                                     << "409 Exceeded MaxRequestBatch of 2";
    QTest::newRow("expires too long")
        << R"("max_expires":1000000000)" << 0 << R"({"expires":2000000000})"
        << "409 Exceeded MaxRequestExpires of 1s";
    QTest::newRow("expires absent passes") << R"("max_expires":1000000000)" << 1 << "1"
                                           << "1.1";
    QTest::newRow("bytes too many") << R"("max_bytes":100)" << 0 << R"({"max_bytes":101})"
                                    << "409 Exceeded MaxRequestMaxBytes of 100";
    QTest::newRow("message too large") << "" << 1 << R"({"max_bytes":2})"
                                       << "409 Message Size Exceeds MaxBytes";
    QTest::newRow("batch completed") << "" << 1 << R"({"batch":1,"max_bytes":1000})"
                                     << "1.1,409 Batch Completed";
    QTest::newRow("heartbeat too large") << "" << 1 << R"({"idle_heartbeat":100000000})"
                                         << "400 Bad Request - heartbeat value too large";
    QTest::newRow("id without pinning")
        << "" << 1 << R"({"id":"x"})"
        << "400 Bad Request - Not a Pinned Client Priority consumer";
    QTest::newRow("push consumer") << R"("deliver_subject":"d")" << 1 << "1"
                                   << "409 Consumer is push based";
}

void TestConsumerDelivery::statuses()
{
    QFETCH(QString, config);
    QFETCH(int, messages);
    QFETCH(QString, request);
    QFETCH(QString, answer);
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(messages);
    const auto created = b.addConsumer(config.toStdString());
    QVERIFY2(!created.contains("error"), created.dump().c_str());
    QCOMPARE(summary(b.pull(request.toStdString())), answer);
}

void TestConsumerDelivery::noWaitEndsWhileStalled()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(5);
    b.addConsumer(R"("ack_policy":"explicit","max_ack_pending":2)");
    // Its own heartbeat would come, and the end comes instead.
    QCOMPARE(summary(b.pull(
                 R"({"batch":4,"no_wait":true,"expires":1000000000,"idle_heartbeat":200000000})")),
        QString("1.1,1.2"));
    QCOMPARE(summary(b.take("in")), QString());
    b.advance(200);
    QCOMPARE(summary(b.take("in")), QString("404 No Messages"));
    // Without heartbeats it waits for its time, or for the heartbeat of somebody else.
    QCOMPARE(summary(b.pull(R"({"no_wait":true,"expires":1000000000})", "late")), QString());
    QCOMPARE(summary(b.pull(R"({"no_wait":true})", "never")), QString());
    b.pull(R"({"batch":1,"expires":600000000,"idle_heartbeat":200000000})", "other");
    b.advance(200);
    QCOMPARE(summary(b.take("other")), QString("100 Idle Heartbeat"));
    QCOMPARE(summary(b.take("never")), QString("404 No Messages"));
    QCOMPARE(summary(b.take("late")), QString());
    b.advance(800);
    QCOMPARE(summary(b.take("late")), QString("408 Request Timeout"));
}

void TestConsumerDelivery::expiryTellsWhatIsLeft()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"explicit")");
    QCOMPARE(summary(b.pull(R"({"batch":50,"expires":1000000000,"idle_heartbeat":400000000})")),
        QString("1.1,1.2,1.3"));
    b.advance(400);
    QCOMPARE(summary(b.take("in")), QString("100 Idle Heartbeat"));
    b.advance(600);
    const auto last = b.take("in");
    QVERIFY(!last.empty());
    QCOMPARE(statusOf(last.back()), std::string("408 Request Timeout"));
    QVERIFY(last.back().headers.find("Nats-Pending-Messages: 47\r\nNats-Pending-Bytes: 0\r\n")
        != std::string::npos);
    QCOMPARE(b.info()["num_waiting"], 0);
}

void TestConsumerDelivery::failedDeliveryDoesNotCount()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("1", "gone");
    b.bus->removeClient("gone");
    b.publishMany(1);
    QCOMPARE(b.info()["num_pending"], 1);
    QCOMPARE(summary(b.pull("1", "here")), QString("1.1"));
}

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

void TestConsumerDelivery::pinnedClient()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.addConsumer(
        R"("ack_policy":"explicit","priority_groups":["g"],"priority_policy":"pinned_client","priority_timeout":3000000000)");
    QCOMPARE(b.info()["priority_groups"][0]["pinned_ts"], "0001-01-01T00:00:00Z");
    b.pull(R"({"batch":9,"group":"g"})", "a");
    b.pull(R"({"batch":9,"group":"g"})", "b");
    b.publishMany(2);
    const auto first = b.take("a");
    QCOMPARE(summary(first), QString("1.1,1.2"));
    QCOMPARE(summary(b.take("b")), QString());
    const std::string id = b.info()["priority_groups"][0]["pinned_client_id"];
    QVERIFY(first[0].headers.find("Nats-Pin-Id: " + id) != std::string::npos);
    QCOMPARE(
        summary(b.pull(R"({"group":"g","id":"wrong"})", "c")), QString("423 Nats-Pin-Id mismatch"));
    b.advance(3000);
    QCOMPARE(b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.UNPINNED.S.C"), std::size_t{1});
    b.publishMany(2); // the next in line gets the pin; the old one is found out when its turn comes
    QCOMPARE(summary(b.take("a")), QString("423 Nats-Wrong-Pin-Id"));
    QCOMPARE(summary(b.take("b")), QString("1.3,1.4"));
}

void TestConsumerDelivery::overflow()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.addConsumer(
        R"("ack_policy":"explicit","priority_groups":["g"],"priority_policy":"overflow")");
    b.pull(R"({"batch":9,"group":"g","min_pending":3})", "a");
    b.publishMany(2);
    QCOMPARE(summary(b.take("a")), QString());
    b.publishMany(1);
    QCOMPARE(summary(b.take("a")), QString("1.1"));
    b.pull(R"({"batch":1,"group":"g"})", "b");
    QCOMPARE(b.consumer().delivered().stream, StreamSeq(2));
}

void TestConsumerDelivery::prioritized()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.addConsumer(
        R"("ack_policy":"explicit","priority_groups":["g"],"priority_policy":"prioritized")");
    b.pull(R"({"batch":5,"group":"g","priority":3})", "low");
    b.pull("5", "plain");
    b.publishMany(1);
    b.pull(R"({"batch":1,"group":"g","priority":1})", "high");
    b.publishMany(2);
    QCOMPARE(summary(b.take("low")), QString("1.1,1.3"));
    QCOMPARE(summary(b.take("high")), QString("1.2"));
    QCOMPARE(summary(b.take("plain")), QString());
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
