// SPDX-License-Identifier: GPL-3.0-or-later
// What the simulation has found in streams and consumers, each as the few requests that it takes.
#include "broker/flow_observer.h"
#include "consumer_bench.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>
#include <vector>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

class TestSimulatedFaults : public QObject
{
    Q_OBJECT

private slots:
    void firstSequenceSurvivesBeforeTheFirstMessage();
    void resetSurvives();
    void laterConsumerHasNoPast();
    void limitDoesNotMoveTheFloorPastPending();
    void purgeAndDeleteInOneTurnCountOnce();
    void deleteAndResetInOneTurnCountOnce();
    void purgeShowsNothingBeforeItIsStored();
    void removalLeavesNoRecord();
    void ackAllPassesOverEarlierDeliveries();
    void ackAllMindsNumbersBeforeReset();
    void interestThatEndsFreesTheSlot();
    void purgeKeepsWhatWasGivenUp();
    void removalSettlesNothingBefore();
    void pendingBelowTheFloorStays_data();
    void pendingBelowTheFloorStays();

private:
    static std::string path(const QTemporaryDir& dir) { return dir.path().toStdString(); }
    static void stream(ConsumerBench& b, const std::string& more = {})
    {
        const auto made =
            b.request("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"])" + more + "}");
        QVERIFY2(!made.contains("error"), made.dump().c_str());
    }
};

void TestSimulatedFaults::firstSequenceSurvivesBeforeTheFirstMessage()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"first_seq":602)");
    b.restart(path(dir), false);
    b.publish("s.a");
    QCOMPARE(b.stream().store().state().last, StreamSeq(602));
}

void TestSimulatedFaults::resetSurvives()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("3");
    b.advance(1000); // a snapshot before
    b.request("CONSUMER.RESET.S.C", R"({"seq":2})");
    b.pull("1");
    b.restart(path(dir), false);
    QCOMPARE(b.consumer().delivered().consumer, ConsumerSeq(1));
    QCOMPARE(b.consumer().tracker().size(), std::size_t{1});
}

/// After a start the number of a deleted consumer is given away again.
void TestSimulatedFaults::laterConsumerHasNoPast()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.publishMany(1);
    b.addConsumer(R"("ack_policy":"explicit","ack_wait":1000000000,"max_deliver":1)");
    b.pull("1");
    b.advance(1000);
    QCOMPARE(b.consumer().cell(StreamSeq(1), "s.a").state, DeliveryState::Exhausted);
    b.request("CONSUMER.DELETE.S.C");
    b.advance(1000); // what was noted is written
    b.restart(path(dir), true);
    b.addConsumer(R"("ack_policy":"explicit","deliver_policy":"new")", "D");
    b.restart(path(dir), true);
    QCOMPARE(b.consumer("D").cell(StreamSeq(1), "s.a").state, DeliveryState::BeforeStart);
}

/// A limit per subject takes a late message and one of the whole stream early ones, in one turn.
void TestSimulatedFaults::limitDoesNotMoveTheFloorPastPending()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"max_msgs":4,"max_msgs_per_subject":1)");
    for (const char* subject : {"s.a", "s.b", "s.c", "s.d"})
        b.publish(subject);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("4");
    b.bus->inject("s.c", "again");
    b.bus->inject("s.e", "one too many");
    b.run();
    QVERIFY(b.consumer().tracker().find(StreamSeq(2)) != nullptr);
    QVERIFY(b.ackSeq(4));
    QVERIFY2(b.consumer().ackFloor().stream < StreamSeq(2), "message 2 is still pending");
}

void TestSimulatedFaults::purgeAndDeleteInOneTurnCountOnce()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    for (const char* subject : {"s.a", "s.b", "s.b", "s.b"})
        b.publish(subject);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.bus->inject("$JS.API.STREAM.PURGE.S", R"({"filter":"s.a"})", "r1");
    b.bus->inject("$JS.API.STREAM.MSG.DELETE.S", R"({"seq":3})", "r2");
    b.run();
    QCOMPARE(b.info()["num_pending"], 2);
}

/// The reset counts at once, and the message that has just left is told of behind it.
void TestSimulatedFaults::deleteAndResetInOneTurnCountOnce()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.publishMany(4);
    b.addConsumer(R"("ack_policy":"explicit")");
    b.stream().removeMessage(StreamSeq(3), false, ClientId{}, [](const auto&) {});
    QVERIFY(b.consumer().reset(1).ok());
    b.run();
    QCOMPARE(b.consumer().pendingCount(), std::uint64_t{3});
}

/// While the stream tells of a removal and a purge it catches the advisory of the removal, which is
/// not written yet.
void TestSimulatedFaults::purgeShowsNothingBeforeItIsStored()
{
    struct Order final : FlowObserver
    {
        std::set<std::uint64_t> stored;
        std::vector<std::uint64_t> early;
        std::size_t delivered = 0;
        void onFlow(const FlowEvent& event, const FlowText&) noexcept override
        {
            if (event.kind == FlowKind::Stored)
                stored.insert(event.seq.value());
            if (event.kind != FlowKind::Delivered)
                return;
            ++delivered;
            if (!stored.contains(event.seq.value()))
                early.push_back(event.seq.value());
        }
    };
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    Order order;
    b.hub.add(order);
    b.request(
        "STREAM.CREATE.S", R"({"name":"S","subjects":["s.>","$JS.EVENT.ADVISORY.CONSUMER.>"]})");
    b.publishMany(2);
    b.publish("s.b");
    b.addConsumer(R"("ack_policy":"explicit")");
    b.pull("1");
    b.bus->inject("$JS.API.CONSUMER.MSG.NEXT.S.C", "9", "in");
    b.bus->inject("$JS.API.STREAM.MSG.DELETE.S", R"({"seq":1})", "r1");
    b.bus->inject("$JS.API.STREAM.PURGE.S", R"({"filter":"s.b"})", "r2");
    b.run();
    QCOMPARE(order.early, std::vector<std::uint64_t>());
    QVERIFY(order.delivered >= 3); // the advisory too
    b.hub.remove(order);
}

/// A loss of power may take the removal back: a record of it would settle what nobody has
/// acknowledged.
void TestSimulatedFaults::removalLeavesNoRecord()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"retention":"workqueue","max_msgs":2)");
    b.addConsumer(R"("ack_policy":"explicit")");
    b.publishMany(2);
    b.pull("2");
    b.publish("s.a"); // takes the place of message 1
    QCOMPARE(b.info()["num_ack_pending"], 1);
    std::size_t records = 0;
    QVERIFY(b.stream().consumerLog().replay([&](const store::ConsumerRecord& record) {
        ++records;
        QCOMPARE(record.kind, store::ConsumerRecord::Kind::Delivered);
    }));
    QCOMPARE(records, std::size_t{2});
    b.restart(path(dir), false);
    QCOMPARE(b.info()["num_ack_pending"], 1);
    QVERIFY(b.consumer().tracker().find(StreamSeq(2)) != nullptr);
}

/// The second delivery of an early message has a higher number than the first one of a later one.
/// The real server confirms the ack of that one and minds it not.
void TestSimulatedFaults::ackAllPassesOverEarlierDeliveries()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.publishMany(3);
    b.addConsumer(R"("ack_policy":"all","ack_wait":1000000000)");
    b.pull("3");
    b.advance(1000);
    b.pull("1"); // message 1 as delivery 4
    QVERIFY(b.ackSeq(1, "+ACK", 4));
    QVERIFY(b.ackSeq(3, "+ACK", 3));
    QCOMPARE(b.info()["num_ack_pending"], 2);
}

void TestSimulatedFaults::ackAllMindsNumbersBeforeReset()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.publishMany(9);
    b.addConsumer(R"("ack_policy":"all")");
    b.pull("9");
    b.request("CONSUMER.RESET.S.C", R"({"seq":5})");
    b.pull("2"); // 5 and 6 as deliveries 1 and 2
    QVERIFY(b.ackSeq(5, "+ACK", 9)); // as it was numbered before
    QVERIFY(b.ackSeq(6, "+ACK", 2));
    QCOMPARE(b.info()["num_ack_pending"], 1);
}

/// A message that was delivered under an earlier filter leaves with the interest of the others.
void TestSimulatedFaults::interestThatEndsFreesTheSlot()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"retention":"interest")");
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.a")");
    b.publishMany(1);
    b.pull("1");
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.b")");
    b.run();
    QCOMPARE(b.stream().store().state().messages, std::uint64_t{0});
    QCOMPARE(b.info()["num_ack_pending"], 0);
}

void TestSimulatedFaults::purgeKeepsWhatWasGivenUp()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"retention":"workqueue")");
    b.publishMany(2);
    b.addConsumer(
        R"("ack_policy":"explicit","ack_wait":1000000000,"max_deliver":1,"filter_subject":"s.a")");
    b.pull("2");
    b.advance(1000);
    b.request("STREAM.PURGE.S", R"({"filter":"s.a","keep":1})");
    b.restart(path(dir), false);
    QVERIFY2(b.stream().store().contains(StreamSeq(2)), "nobody has acknowledged it");
}

/// A late ack-all has counted on to a high delivery. A removed message with the next one must not
/// take the floor past messages that can then no longer be acknowledged.
void TestSimulatedFaults::removalSettlesNothingBefore()
{
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b);
    b.addConsumer(R"("ack_policy":"all","ack_wait":1000000000)");
    b.publishMany(4);
    b.pull("1");
    b.advance(600);
    b.pull("3");
    b.advance(500);
    b.pull("1"); // message 1 as delivery 5
    QVERIFY(b.ackSeq(1, "+ACK", 5));
    b.publish("s.a");
    b.pull("1"); // message 5 as delivery 6
    b.request("STREAM.MSG.DELETE.S", R"({"seq":5})");
    QCOMPARE(b.info()["num_ack_pending"], 3);
    QCOMPARE(b.info()["ack_floor"]["stream_seq"], 1);
    b.restart(path(dir), false);
    QCOMPARE(b.info()["num_ack_pending"], 3);
    QCOMPARE(b.info()["ack_floor"]["stream_seq"], 1);
}

void TestSimulatedFaults::pendingBelowTheFloorStays_data()
{
    QTest::addColumn<QString>("retention");
    QTest::addRow("work queue") << "workqueue";
    QTest::addRow("interest") << "interest";
}

/// A purge of one subject lets the floor count on from what it took, as in the real server. What
/// was delivered before and nobody has acknowledged is still owed.
void TestSimulatedFaults::pendingBelowTheFloorStays()
{
    QFETCH(QString, retention);
    const QTemporaryDir dir;
    ConsumerBench b(path(dir));
    stream(b, R"(,"retention":")" + retention.toStdString() + "\"");
    b.addConsumer(R"("ack_policy":"explicit")");
    b.publish("s.a", "1");
    b.publish("s.b", "2");
    b.publish("s.a", "3");
    b.pull("3");
    b.request("STREAM.PURGE.S", R"({"filter":"s.b"})");
    QVERIFY(b.ackSeq(3, "+ACK", 3));
    QCOMPARE(b.info()["ack_floor"]["stream_seq"], 3);
    b.restart(path(dir), false);
    QVERIFY2(b.stream().store().contains(StreamSeq(1)), "nobody has acknowledged it");
    QCOMPARE(b.info()["num_ack_pending"], 1);
}

QTEST_GUILESS_MAIN(TestSimulatedFaults)
#include "tst_simulated_faults.moc"
