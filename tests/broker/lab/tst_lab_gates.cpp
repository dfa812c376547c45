// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/manual_clock.h"
#include "lab/lab_gates.h"

#include <QTest>

#include <string>
#include <vector>

using namespace jetglass;

class TestLabGates : public QObject
{
    Q_OBJECT
private slots:
    void withoutARuleNothingIsAsked();
    void matching_data();
    void matching();
    void countEndsARule();
    void heldPublishesGoOnStepByStep();
    void heldDeliveriesPassAsOftenAsStepped();
    void dropDelayDuplicateReorder();
    void removingLetsGo();
    void refusesRulesThatCannotWork();
    void actingIsAFlowEvent();

private:
    static GateRule rule(GatePlace place, GateVerb verb)
    {
        GateRule made;
        made.place = place;
        made.verb = verb;
        return made;
    }
};

namespace {

struct Lab
{
    base::ManualClock clock;
    base::TimerQueue timers{clock};
    flow::FlowHub hub{clock};
    lab::LabGates gates{timers, hub};
};

struct Counter final : FlowObserver
{
    void onFlow(const FlowEvent& event, const FlowText&) noexcept override
    {
        if (event.kind == FlowKind::GateActed)
            ++count;
    }
    int count = 0;
};

flow::GateSubject at(GatePlace place, StreamSeq seq = StreamSeq(7))
{
    return {place, "ORDERS", "payments", "orders.created", seq, ClientId{3}};
}

} // namespace

void TestLabGates::withoutARuleNothingIsAsked()
{
    Lab lab;
    QVERIFY(!lab.gates.active());
    const auto number = lab.gates.add(rule(GatePlace::AckIn, GateVerb::Drop));
    QVERIFY(number.ok());
    QVERIFY(lab.gates.active());
    QVERIFY(lab.gates.remove(*number));
    QVERIFY(!lab.gates.active());
    QVERIFY(!lab.gates.remove(*number));
}

void TestLabGates::matching_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("acts");
    QTest::newRow("stream") << "stream"
                            << "ORDERS" << true;
    QTest::newRow("other stream") << "stream"
                                  << "TASKS" << false;
    QTest::newRow("consumer") << "consumer"
                              << "payments" << true;
    QTest::newRow("other consumer") << "consumer"
                                    << "audit" << false;
    QTest::newRow("pattern") << "subject"
                             << "orders.*" << true;
    QTest::newRow("other pattern") << "subject"
                                   << "tasks.>" << false;
    QTest::newRow("from sequence") << "first"
                                   << "7" << true;
    QTest::newRow("from a later sequence") << "first"
                                           << "8" << false;
    QTest::newRow("up to an earlier sequence") << "last"
                                               << "6" << false;
    QTest::newRow("client") << "client"
                            << "3" << true;
    QTest::newRow("other client") << "client"
                                  << "4" << false;
}

void TestLabGates::matching()
{
    QFETCH(QString, member);
    QFETCH(QString, value);
    QFETCH(bool, acts);
    Lab lab;
    GateRule wanted = rule(GatePlace::AckIn, GateVerb::Drop);
    if (member == u"stream")
        wanted.stream = value.toStdString();
    else if (member == u"consumer")
        wanted.consumer = value.toStdString();
    else if (member == u"subject")
        wanted.subject = value.toStdString();
    else if (member == u"first")
        wanted.firstSeq = value.toULongLong();
    else if (member == u"last")
        wanted.lastSeq = value.toULongLong();
    else
        wanted.client = ClientId{value.toUInt()};
    QVERIFY(lab.gates.add(wanted).ok());
    QCOMPARE(lab.gates.decide(at(GatePlace::AckIn)).verb == GateVerb::Drop, acts);
    QVERIFY(lab.gates.decide(at(GatePlace::PubAckOut)).verb == GateVerb::Pass);
}

void TestLabGates::countEndsARule()
{
    Lab lab;
    GateRule twice = rule(GatePlace::PubAckOut, GateVerb::Drop);
    twice.count = 2;
    QVERIFY(lab.gates.add(twice).ok());
    int dropped = 0;
    for (int i = 0; i < 5; ++i)
        dropped += lab.gates.decide(at(GatePlace::PubAckOut)).verb == GateVerb::Drop ? 1 : 0;
    QCOMPARE(dropped, 2);
    QCOMPARE(lab.gates.list().front().acted, std::uint64_t(2));
}

void TestLabGates::heldPublishesGoOnStepByStep()
{
    Lab lab;
    const auto number = lab.gates.add(rule(GatePlace::PublishIn, GateVerb::Hold));
    std::vector<int> wentOn;
    for (int i = 0; i < 3; ++i) {
        QVERIFY(lab.gates.decide(at(GatePlace::PublishIn)).verb == GateVerb::Hold);
        lab.gates.park(at(GatePlace::PublishIn), 100, [&wentOn, i] { wentOn.push_back(i); });
    }
    QCOMPARE(lab.gates.list().front().held, std::uint64_t(3));
    QCOMPARE(lab.gates.step(*number, 1), std::uint64_t(1));
    QCOMPARE(wentOn, (std::vector<int>{0}));
    QCOMPARE(lab.gates.step(0, 10), std::uint64_t(2));
    QCOMPARE(wentOn, (std::vector<int>{0, 1, 2}));
}

void TestLabGates::heldDeliveriesPassAsOftenAsStepped()
{
    Lab lab;
    const auto number = lab.gates.add(rule(GatePlace::DeliveryOut, GateVerb::Hold));
    int delivered = 0;
    std::function<void()> loop = [&] {
        for (;;) {
            if (lab.gates.holds(at(GatePlace::DeliveryOut))) {
                lab.gates.wake(at(GatePlace::DeliveryOut), loop);
                return;
            }
            ++delivered;
        }
    };
    loop();
    QCOMPARE(delivered, 0);
    lab.gates.step(*number, 2);
    QCOMPARE(delivered, 2);
    lab.gates.step(*number, 1);
    QCOMPARE(delivered, 3);
}

void TestLabGates::dropDelayDuplicateReorder()
{
    Lab lab;
    std::string way;
    const auto go = [&](GateVerb verb, char c) {
        GateRule one = rule(GatePlace::AckIn, verb);
        one.delay = 1000;
        return [&lab, &way, c, number = *lab.gates.add(one), verb](std::int64_t delay = 1000) {
            lab.gates.act({verb, delay, number}, at(GatePlace::AckIn), [&way, c] { way += c; });
        };
    };
    go(GateVerb::Drop, 'd')();
    QCOMPARE(way, std::string());
    go(GateVerb::Duplicate, 'u')();
    QCOMPARE(way, std::string("uu"));
    go(GateVerb::Delay, 'l')();
    lab.clock.advance(999);
    lab.timers.fireDue();
    QCOMPARE(way, std::string("uu"));
    lab.clock.advance(1);
    lab.timers.fireDue();
    QCOMPARE(way, std::string("uul"));
    way.clear();
    GateRule reorder = rule(GatePlace::AckIn, GateVerb::Reorder);
    const auto number = *lab.gates.add(reorder);
    for (const char c : {'1', '2', '3', '4'})
        lab.gates.act(
            {GateVerb::Reorder, 0, number}, at(GatePlace::AckIn), [&way, c] { way += c; });
    QCOMPARE(way, std::string("2143"));
}

void TestLabGates::removingLetsGo()
{
    Lab lab;
    const auto number = lab.gates.add(rule(GatePlace::PublishIn, GateVerb::Hold));
    int wentOn = 0;
    QVERIFY(lab.gates.decide(at(GatePlace::PublishIn)).verb == GateVerb::Hold);
    lab.gates.park(at(GatePlace::PublishIn), 1, [&] { ++wentOn; });
    QVERIFY(lab.gates.remove(*number));
    QCOMPARE(wentOn, 1);
}

void TestLabGates::refusesRulesThatCannotWork()
{
    Lab lab;
    QVERIFY(!lab.gates.add(rule(GatePlace::AckIn, GateVerb::Hold)).ok());
    QVERIFY(!lab.gates.add(rule(GatePlace::AckIn, GateVerb::Delay)).ok());
    GateRule never = rule(GatePlace::AckIn, GateVerb::Drop);
    never.probability = 0;
    QVERIFY(!lab.gates.add(never).ok());
    GateRule backwards = rule(GatePlace::AckIn, GateVerb::Drop);
    backwards.firstSeq = 9;
    backwards.lastSeq = 3;
    QVERIFY(!lab.gates.add(backwards).ok());
    GateRule blank = rule(GatePlace::AckIn, GateVerb::Drop);
    blank.subject = "a b";
    QVERIFY(!lab.gates.add(blank).ok());
}

void TestLabGates::actingIsAFlowEvent()
{
    Lab lab;
    Counter counter;
    lab.hub.add(counter);
    QVERIFY(lab.gates.add(rule(GatePlace::AckIn, GateVerb::Drop)).ok());
    lab.gates.decide(at(GatePlace::AckIn));
    lab.gates.decide(at(GatePlace::PubAckOut));
    QCOMPARE(counter.count, 1);
}

QTEST_GUILESS_MAIN(TestLabGates)
#include "tst_lab_gates.moc"
