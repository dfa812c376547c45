// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumer_bench.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

class TestConsumerRestart : public QObject
{
    Q_OBJECT

private slots:
    void positionSurvives_data();
    void positionSurvives();
    void confirmedAckIsNeverForgotten();
    void pendingWaitsForItsOwnDeadline();
    void exhaustedStaysExhausted();
    void newConsumerKeepsItsStart();
    void deletedConsumerStaysDeleted();
    void memoryConsumerIsGone();
    void snapshotCutsTheLog();

private:
    static void fileStream(ConsumerBench& bench)
    {
        bench.request("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"]})");
    }
};

void TestConsumerRestart::positionSurvives_data()
{
    QTest::addColumn<bool>("orderly");
    QTest::addColumn<QString>("policy");
    QTest::newRow("stop, explicit") << true << "explicit";
    QTest::newRow("kill, explicit") << false << "explicit";
    QTest::newRow("kill, all") << false << "all";
    QTest::newRow("kill, none") << false << "none";
}

void TestConsumerRestart::positionSurvives()
{
    QFETCH(bool, orderly);
    QFETCH(QString, policy);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(10);
    b.addConsumer(R"("ack_policy":")" + policy.toStdString() + "\"");
    b.pull("6");
    b.ackSeq(2);
    b.ackSeq(4);
    const auto before = b.info();
    b.restart(dir.path().toStdString(), orderly);
    const auto after = b.info();
    QVERIFY2(!after.contains("error"), after.dump().c_str());
    for (const char* member :
        {"num_ack_pending", "num_pending", "num_redelivered", "created", "config"})
        QCOMPARE(after[member], before[member]);
    for (const char* position : {"delivered", "ack_floor"})
        for (const char* member : {"consumer_seq", "stream_seq"})
            QCOMPARE(after[position][member], before[position][member]);
    QVERIFY2(!after["delivered"].contains("last_active"), "not in this run");
    QCOMPARE(b.log.complaints, std::vector<std::string>{});
}

void TestConsumerRestart::confirmedAckIsNeverForgotten()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(3000);
    b.addConsumer(R"("ack_policy":"explicit","max_ack_pending":-1)");
    b.pull("3000");
    for (int i = 1; i <= 3000; ++i) {
        if (i % 7 != 0)
            QVERIFY(b.ackSeq(i));
        if (i % 500 == 0)
            b.advance(1000); // snapshots in between
    }
    b.restart(dir.path().toStdString(), false);
    for (std::uint64_t i = 1; i <= 3000; ++i)
        QCOMPARE(b.consumer().tracker().find(StreamSeq(i)) != nullptr, i % 7 == 0);
}

void TestConsumerRestart::pendingWaitsForItsOwnDeadline()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(1);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":5000000000)");
    b.pull("1");
    b.advance(1000);
    b.restart(dir.path().toStdString(), false);
    QCOMPARE(b.pull("1").size(), std::size_t{0});
    b.advance(3999);
    QCOMPARE(b.take("in").size(), std::size_t{0});
    b.advance(1);
    const auto again = b.take("in");
    QCOMPARE(again.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(again[0].reply).startsWith("$JS.ACK.S.C.2.1.2."));
}

void TestConsumerRestart::exhaustedStaysExhausted()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(2);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000,"max_deliver":2)");
    b.pull("9");
    b.advance(1000);
    b.advance(1000);
    QCOMPARE(b.info()["num_redelivered"], 2);
    b.restart(dir.path().toStdString(), false);
    QCOMPARE(b.info()["num_redelivered"], 2);
    QCOMPARE(b.consumer().cell(StreamSeq(1), "s.a").state, DeliveryState::Exhausted);
    QCOMPARE(b.pull("9").size(), std::size_t{0});
}

void TestConsumerRestart::newConsumerKeepsItsStart()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(5);
    b.addConsumer(R"("ack_policy":"explicit","deliver_policy":"new")");
    b.publishMany(2);
    b.restart(dir.path().toStdString(), false);
    const auto got = b.pull("1");
    QCOMPARE(got.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(got[0].reply).startsWith("$JS.ACK.S.C.1.6.1."));
}

void TestConsumerRestart::deletedConsumerStaysDeleted()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("3");
    b.ackSeq(1);
    QCOMPARE(b.request("CONSUMER.DELETE.S.C")["success"], true);
    b.addConsumer(R"("ack_policy":"explicit")", "D");
    b.restart(dir.path().toStdString(), false);
    QVERIFY(b.info().contains("error"));
    QCOMPARE(b.info("D")["delivered"]["consumer_seq"], 0);
}

void TestConsumerRestart::memoryConsumerIsGone()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.addConsumer(R"("mem_storage":true)");
    QVERIFY(!b.info().contains("error"));
    b.restart(dir.path().toStdString(), true);
    QCOMPARE(b.info()["error"]["err_code"], 10014);
}

void TestConsumerRestart::snapshotCutsTheLog()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fileStream(b);
    b.publishMany(100);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("100");
    QVERIFY(b.stream().consumerLog().size() > 0);
    b.advance(1000);
    QCOMPARE(b.stream().consumerLog().size(), std::uint64_t{0});
    b.restart(dir.path().toStdString(), false);
    QCOMPARE(b.info()["num_ack_pending"], 100);
}

QTEST_GUILESS_MAIN(TestConsumerRestart)
#include "tst_consumer_restart.moc"
