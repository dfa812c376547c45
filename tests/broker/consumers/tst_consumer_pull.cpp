// SPDX-License-Identifier: GPL-3.0-or-later
// Pull requests: who gets what is there, in which order, and how a request ends.
#include "delivery_fixture.h"

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::DeliveryFixture;
using jetglass::tests::statusOf;
using jetglass::tests::summary;

class TestConsumerPull final : public DeliveryFixture
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
    void pinnedClient();
    void overflow();
    void prioritized();
};

void TestConsumerPull::pullDeliversAndAcks()
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

void TestConsumerPull::ackSubjectCountsDown()
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

void TestConsumerPull::roundRobin()
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

void TestConsumerPull::statuses_data()
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

void TestConsumerPull::statuses()
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

void TestConsumerPull::noWaitEndsWhileStalled()
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

void TestConsumerPull::expiryTellsWhatIsLeft()
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

void TestConsumerPull::failedDeliveryDoesNotCount()
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

void TestConsumerPull::pinnedClient()
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

void TestConsumerPull::overflow()
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

void TestConsumerPull::prioritized()
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

QTEST_GUILESS_MAIN(TestConsumerPull)
#include "tst_consumer_pull.moc"
