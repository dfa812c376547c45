// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/manual_clock.h"
#include "lab/lab_clock.h"

#include <QTest>

using jetglass::base::ManualClock;
using jetglass::lab::LabClock;

class TestLabClock : public QObject
{
    Q_OBJECT
private slots:
    void untouchedItIsTheSource();
    void pausedItStands();
    void scaledItRunsFaster();
    void movedItStaysAhead();
    void neverGoesBack();
    void savedAndRestored_data();
    void savedAndRestored();
    void refusesForeignText();
};

void TestLabClock::untouchedItIsTheSource()
{
    ManualClock source;
    LabClock clock(source);
    source.advance(500);
    clock.refresh();
    QCOMPARE(clock.now(), source.now());
    QCOMPARE(clock.wallTime(), source.wallTime());
    QVERIFY(clock.isReal());
    QVERIFY(clock.save().empty());
}

void TestLabClock::pausedItStands()
{
    ManualClock source;
    LabClock clock(source);
    clock.pause();
    const auto now = clock.now();
    const auto wall = clock.wallTime();
    source.advance(1'000'000);
    clock.refresh();
    QCOMPARE(clock.now(), now);
    QCOMPARE(clock.wallTime(), wall);
    QCOMPARE(clock.realDelayUntil(now + 10), std::int64_t(-1));
    clock.resume();
    source.advance(100);
    clock.refresh();
    QCOMPARE(clock.now(), now + 100);
    QCOMPARE(clock.wallTime(), wall + 100);
}

void TestLabClock::scaledItRunsFaster()
{
    ManualClock source;
    LabClock clock(source);
    const auto start = clock.now();
    clock.setRate(10);
    source.advance(1000);
    clock.refresh();
    QCOMPARE(clock.now(), start + 10'000);
    clock.setRate(0.5);
    source.advance(1000);
    clock.refresh();
    QCOMPARE(clock.now(), start + 10'500);
}

void TestLabClock::movedItStaysAhead()
{
    ManualClock source;
    LabClock clock(source);
    const auto start = clock.now();
    clock.moveTo(start + 30'000);
    QCOMPARE(clock.now(), start + 30'000);
    QCOMPARE(clock.offset(), std::int64_t(30'000));
    QCOMPARE(clock.wallTime() - source.wallTime(), std::int64_t(30'000));
    source.advance(5);
    clock.refresh();
    QCOMPARE(clock.now(), start + 30'005);
}

void TestLabClock::neverGoesBack()
{
    ManualClock source;
    LabClock clock(source);
    clock.moveTo(clock.now() + 1000);
    const auto ahead = clock.now();
    clock.moveTo(ahead - 500);
    QCOMPARE(clock.now(), ahead);
    clock.setRate(0.01);
    clock.refresh();
    QVERIFY(clock.now() >= ahead);
}

void TestLabClock::savedAndRestored_data()
{
    QTest::addColumn<bool>("paused");
    QTest::addColumn<double>("rate");
    QTest::newRow("running, moved") << false << 1.0;
    QTest::newRow("paused") << true << 1.0;
    QTest::newRow("fast") << false << 60.0;
}

void TestLabClock::savedAndRestored()
{
    QFETCH(bool, paused);
    QFETCH(double, rate);
    ManualClock source;
    LabClock clock(source);
    clock.moveTo(clock.now() + 3'600'000'000'000);
    clock.setRate(rate);
    if (paused)
        clock.pause();
    const auto wall = clock.wallTime();
    LabClock again(source);
    QVERIFY(again.restore(clock.save()));
    QCOMPARE(again.wallTime(), wall);
    QCOMPARE(again.paused(), paused);
    QCOMPARE(again.rate(), rate);
    QVERIFY(!again.isReal());
}

void TestLabClock::refusesForeignText()
{
    ManualClock source;
    LabClock clock(source);
    QVERIFY(!clock.restore("yesterday"));
    QVERIFY(clock.restore(""));
    QVERIFY(clock.isReal());
}

QTEST_GUILESS_MAIN(TestLabClock)
#include "tst_lab_clock.moc"
