// SPDX-License-Identifier: GPL-3.0-or-later
// What answers do to a delivery, and when it comes again without one.
#include "delivery_fixture.h"

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::DeliveryFixture;
using jetglass::tests::Sent;
using jetglass::tests::statusOf;
using jetglass::tests::summary;

class TestConsumerAcks final : public DeliveryFixture
{
    Q_OBJECT

private slots:
    void redeliveriesComeBeforeNewOnes();
    void backoffSteps();
    void nakPlainAndDelayed();
    void maxDeliverOnPullGivesUpAtTheNextPull();
    void inProgressMovesTheDeadline();
    void ackPayloads_data();
    void ackPayloads();
    void ackAllSettlesBelow();
    void ackOfUndeliveredIsNotConfirmed();
    void ackNextPulls();
};

void TestConsumerAcks::redeliveriesComeBeforeNewOnes()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000,"max_ack_pending":1)");
    QCOMPARE(summary(b.pull("9")), QString("1.1"));
    b.advance(999);
    QCOMPARE(summary(b.take("in")), QString());
    b.advance(1);
    QCOMPARE(summary(b.take("in")), QString("2.1"));
    b.advance(1000);
    const auto again = b.take("in");
    QCOMPARE(summary(again), QString("3.1"));
    QVERIFY2(QString::fromStdString(again[0].reply).section('.', 6, 6) == "3",
        "a new consumer sequence");
    QVERIFY(b.ackSeq(1));
    QCOMPARE(summary(b.take("in")), QString("1.2"));
    QCOMPARE(b.info()["ack_floor"]["consumer_seq"], 3);
}

void TestConsumerAcks::backoffSteps()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(1);
    const auto created = b.addConsumer(
        R"("ack_policy":"explicit","backoff":[1000000000,3000000000],"max_deliver":4)");
    QCOMPARE(created["config"]["ack_wait"], 1000000000);
    QCOMPARE(summary(b.pull("9")), QString("1.1"));
    for (const auto& [wait, count] :
        {std::pair{1000, "2.1"}, {3000, "3.1"}, {3000, "4.1"}, {3000, ""}}) {
        b.advance(wait - 1);
        QCOMPARE(summary(b.take("in")), QString());
        b.advance(1);
        QCOMPARE(summary(b.take("in")), QString(count));
    }
    QCOMPARE(
        b.bus->countPublished("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.C"), std::size_t{1});
}

void TestConsumerAcks::nakPlainAndDelayed()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(2);
    b.addConsumer(R"("ack_policy":"explicit")");
    QCOMPARE(summary(b.pull("9")), QString("1.1,1.2"));
    QVERIFY(b.ackSeq(1, "-NAK"));
    QCOMPARE(summary(b.take("in")), QString("2.1"));
    QVERIFY(b.ackSeq(2, R"(-NAK {"delay":500000000})"));
    b.advance(499);
    QCOMPARE(summary(b.take("in")), QString());
    b.advance(1);
    QCOMPARE(summary(b.take("in")), QString("2.2"));
    QVERIFY(b.ackSeq(1, "-NAK 2s"));
    b.advance(2000);
    QCOMPARE(summary(b.take("in")), QString("3.1"));
    QVERIFY(b.ackSeq(1, "-NAK soon"));
    QCOMPARE(summary(b.take("in")), QString("4.1"));
}

void TestConsumerAcks::maxDeliverOnPullGivesUpAtTheNextPull()
{
    ConsumerBench& b = *m_bench;
    const std::string advisory = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.C";
    b.addStream();
    b.publishMany(1);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000,"max_deliver":2)");
    QCOMPARE(summary(b.pull("1")), QString("1.1"));
    b.advance(1000);
    QCOMPARE(summary(b.pull("1")), QString("2.1"));
    b.advance(5000);
    QCOMPARE(b.bus->countPublished(advisory), std::size_t{0});
    QCOMPARE(b.info()["num_ack_pending"], 1);
    b.pull("1");
    QCOMPARE(b.bus->countPublished(advisory), std::size_t{1});
    QCOMPARE(b.info()["num_ack_pending"], 0);
    QCOMPARE(b.info()["num_redelivered"], 1);
    QCOMPARE(b.consumer().cell(StreamSeq(1), "s.a").state, DeliveryState::Exhausted);
    QVERIFY(b.ackSeq(1));
    QCOMPARE(b.info()["num_redelivered"], 0);
}

void TestConsumerAcks::inProgressMovesTheDeadline()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(1);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000)");
    b.pull("9");
    b.advance(900);
    QVERIFY(b.ackSeq(1, "+WPI"));
    b.take("in");
    b.advance(999);
    QCOMPARE(summary(b.take("in")), QString());
    b.advance(1);
    QCOMPARE(summary(b.take("in")), QString("2.1"));
}

void TestConsumerAcks::ackPayloads_data()
{
    QTest::addColumn<QString>("payload");
    QTest::addColumn<int>("pending");
    QTest::newRow("empty") << "" << 0;
    QTest::newRow("+ACK") << "+ACK" << 0;
    QTest::newRow("+OK") << "+OK" << 0;
    QTest::newRow("+TERM") << "+TERM" << 0;
    QTest::newRow("+TERM with reason") << "+TERM broken" << 0;
    QTest::newRow("unknown text") << "WHAT" << 1;
    QTest::newRow("lower case") << "+ack" << 1;
    QTest::newRow("blank behind") << "+ACK " << 1;
    QTest::newRow("+WPI") << "+WPI" << 1;
    QTest::newRow("-NAK") << "-NAK" << 1;
}

void TestConsumerAcks::ackPayloads()
{
    QFETCH(QString, payload);
    QFETCH(int, pending);
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(1);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("1");
    QVERIFY2(b.ackSeq(1, payload.toStdString()), "all of them are confirmed");
    QCOMPARE(b.info()["num_ack_pending"], pending);
}

void TestConsumerAcks::ackAllSettlesBelow()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(4);
    b.addConsumer(R"("ack_policy":"all")");
    b.pull("4");
    QVERIFY(b.ackSeq(3, "+TERM"));
    const auto info = b.info();
    QCOMPARE(info["num_ack_pending"], 1);
    QCOMPARE(info["ack_floor"]["stream_seq"], 3);
    QVERIFY2(b.ackSeq(2), "below the floor: nothing to do, confirmed");
    QCOMPARE(b.info()["ack_floor"]["stream_seq"], 3);
}

void TestConsumerAcks::ackOfUndeliveredIsNotConfirmed()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(2);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("1");
    QVERIFY(!b.ackSeq(50));
    QVERIFY(!b.ackSeq(2));
    QVERIFY2(b.ackSeq(50, "-NAK"), "a nak is");
    QVERIFY2(b.ack("$JS.ACK.S.C.1.0.0.0.0"), "sequence 0 is");
    QVERIFY(!b.ack("$JS.ACK.S.C.1.x.0.0.0"));
    QCOMPARE(b.info()["num_ack_pending"], 1);
}

void TestConsumerAcks::ackNextPulls()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(4);
    b.addConsumer(R"("ack_policy":"explicit")");
    const auto got = b.pull("1");
    b.bus->inject(got[0].reply, R"(+NXT {"batch":2})", "in");
    b.run();
    QCOMPARE(summary(b.take("in")), QString("1.2,1.3"));
    QCOMPARE(b.info()["ack_floor"]["stream_seq"], 1);
}

QTEST_GUILESS_MAIN(TestConsumerAcks)
#include "tst_consumer_acks.moc"
