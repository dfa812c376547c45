// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/scaled_scroll.h"
#include "axis/time_axis.h"
#include "axis/zoom_range.h"

#include <QTest>

using namespace jetglass::axis;

/// The small value structs of the axis folder.
class TestScaledScroll : public QObject
{
    Q_OBJECT

private slots:
    void exactBelowTheBarsLimit();
    void farPositionsStayExact_data();
    void farPositionsStayExact();
    void endsMeetTheBarsEnds();
    void windowStaysInTheWhole();
    void movingKeepsTheWidth_data();
    void movingKeepsTheWidth();
    void sharesAndBack();
    void timeAndBack();
    void timeLabels_data();
    void timeLabels();
};

void TestScaledScroll::exactBelowTheBarsLimit()
{
    ScaledScroll scroll;
    scroll.setRange(-6, 100'000, 500);
    for (const qint64 position : {-6, 0, 77, 100'000}) {
        scroll.setPosition(position);
        QCOMPARE_EQ(scroll.positionOf(scroll.barValue()), position);
    }
    QVERIFY(!scroll.setPosition(200'000));
    QCOMPARE_EQ(scroll.position(), 100'000);
    QVERIFY(scroll.atEnd());
}

void TestScaledScroll::farPositionsStayExact_data()
{
    QTest::addColumn<qint64>("position");
    QTest::newRow("a pixel from the end") << qint64{90'000'000'000'000'000 - 1};
    QTest::newRow("odd in the middle") << qint64{45'000'000'000'000'001};
    QTest::newRow("near the start") << qint64{3};
}

void TestScaledScroll::farPositionsStayExact()
{
    QFETCH(qint64, position);
    ScaledScroll scroll;
    scroll.setRange(0, 90'000'000'000'000'000, 1000);
    scroll.setPosition(position);
    QCOMPARE_EQ(scroll.position(), position);
    QCOMPARE_GE(scroll.barValue(), 0);
    QCOMPARE_LE(scroll.barValue(), scroll.barMaximum());
    // What the bar can say is as near as its own resolution allows.
    const qint64 error = std::abs(scroll.positionOf(scroll.barValue()) - position);
    QCOMPARE_LE(error, scroll.last() / (qint64{1} << 30) + 16);
}

void TestScaledScroll::endsMeetTheBarsEnds()
{
    ScaledScroll scroll;
    scroll.setRange(1000, 90'000'000'000'000'000, 1000);
    QCOMPARE_EQ(scroll.positionOf(0), 1000);
    QCOMPARE_EQ(scroll.positionOf(scroll.barMaximum()), scroll.last());
    scroll.setPosition(scroll.last());
    QCOMPARE_EQ(scroll.barValue(), scroll.barMaximum());
    QCOMPARE_GE(scroll.barPage(), 1);
}

void TestScaledScroll::windowStaysInTheWhole()
{
    ZoomRange range;
    QVERIFY(range.setWhole({1, 1000}));
    QVERIFY(!range.setWhole({1, 1000}));
    QVERIFY(range.setWindow({900, 1200}));
    QCOMPARE(range.window(), (SeqRange{900, 1000}));
    QVERIFY(range.select(950));
    QVERIFY(range.setWhole({960, 2000}));
    QVERIFY(range.whole().contains(range.window()));
    QVERIFY(!range.selection());
    QVERIFY(!range.select(5));
    QVERIFY(range.setWhole({1, 0}));
    QVERIFY(range.window().isEmpty());
}

void TestScaledScroll::movingKeepsTheWidth_data()
{
    QTest::addColumn<quint64>("first");
    QTest::addColumn<quint64>("expected");
    QTest::newRow("inside") << quint64{500} << quint64{500};
    QTest::newRow("before the start") << quint64{0} << quint64{1};
    QTest::newRow("behind the end") << quint64{5000} << quint64{901};
}

void TestScaledScroll::movingKeepsTheWidth()
{
    QFETCH(quint64, first);
    ZoomRange range;
    range.setWhole({1, 1000});
    range.setWindow({100, 199});
    range.moveWindow(first);
    QTEST(range.window().first, "expected");
    QCOMPARE_EQ(range.window().count(), quint64{100});
}

void TestScaledScroll::sharesAndBack()
{
    ZoomRange range;
    range.setWhole({1, 1'000'000'000'000'000});
    QCOMPARE_EQ(range.seqAtShare(0), quint64{1});
    QCOMPARE_EQ(range.seqAtShare(1), quint64{1'000'000'000'000'000});
    QCOMPARE_EQ(range.shareOf(1), 0.0);
    QCOMPARE_LT(std::abs(range.shareOf(range.seqAtShare(0.25)) - 0.25), 1e-9);
}

void TestScaledScroll::timeAndBack()
{
    const TimeAxis axis(1'700'000'000'000, 1'700'000'060'000, 600);
    QCOMPARE_EQ(axis.xOf(1'700'000'030'000), 300.0);
    QCOMPARE_EQ(axis.msAt(300), 1'700'000'030'000);
    // 1'700'000'000 s is 20 s into a minute: the next quarter of a minute is 10 s on.
    QCOMPARE_EQ(axis.firstLabelMs(15'000), 1'700'000'010'000);
}

void TestScaledScroll::timeLabels_data()
{
    QTest::addColumn<qint64>("span");
    QTest::addColumn<qint64>("step");
    QTest::newRow("half a second") << qint64{500} << qint64{100};
    QTest::newRow("a minute") << qint64{60'000} << qint64{10'000};
    QTest::newRow("an hour") << qint64{3'600'000} << qint64{600'000};
    QTest::newRow("a year") << qint64{365LL * 86'400'000} << qint64{61LL * 86'400'000};
}

void TestScaledScroll::timeLabels()
{
    QFETCH(qint64, span);
    const TimeAxis axis(0, span, 600);
    QTEST(axis.labelStepMs(100), "step");
}

QTEST_GUILESS_MAIN(TestScaledScroll)
#include "tst_scaled_scroll.moc"
