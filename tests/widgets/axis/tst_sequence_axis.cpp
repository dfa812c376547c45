// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/sequence_axis.h"

#include <QTest>

using jetglass::axis::SequenceAxis;
using jetglass::axis::SequenceZoom;

class TestSequenceAxis : public QObject
{
    Q_OBJECT

private slots:
    void pixelsAndBack_data();
    void pixelsAndBack();
    void visibleRange_data();
    void visibleRange();
    void zoomStepsReturn();
    void zoomKeepsTheAnchor_data();
    void zoomKeepsTheAnchor();
    void fitting_data();
    void fitting();
    void labelStep_data();
    void labelStep();
};

namespace {

constexpr quint64 kFar = 1'000'000'000'000'000; // 10^15

} // namespace

void TestSequenceAxis::pixelsAndBack_data()
{
    QTest::addColumn<int>("pixels");
    QTest::addColumn<quint64>("sequences");
    QTest::addColumn<quint64>("seq");
    QTest::newRow("a cell near the start") << 27 << quint64{1} << quint64{42};
    QTest::newRow("the widest cell at 10^15") << 90 << quint64{1} << kFar;
    QTest::newRow("a pixel each at 10^15") << 1 << quint64{1} << kFar - 1;
    QTest::newRow("a thousand a pixel") << 1 << quint64{1024} << quint64{1024 * 77};
    QTest::newRow("a trillion a pixel") << 1 << (quint64{1} << 40) << (quint64{900} << 40);
}

void TestSequenceAxis::pixelsAndBack()
{
    QFETCH(int, pixels);
    QFETCH(quint64, sequences);
    QFETCH(quint64, seq);
    const SequenceAxis axis({pixels, sequences}, 0, 1000);
    const qint64 pixel = axis.pixelOf(seq);
    QCOMPARE_EQ(axis.seqOfPixel(pixel), seq);
    QCOMPARE_EQ(axis.seqOfPixel(pixel + pixels - 1), seq);
    QCOMPARE_EQ(axis.seqOfPixel(pixel + pixels), seq + sequences);

    const SequenceAxis scrolled({pixels, sequences}, pixel - 100, 1000);
    QCOMPARE_EQ(scrolled.xOf(seq), 100);
    QCOMPARE_EQ(scrolled.seqAt(100), seq);
}

void TestSequenceAxis::visibleRange_data()
{
    QTest::addColumn<int>("pixels");
    QTest::addColumn<quint64>("sequences");
    QTest::addColumn<qint64>("left");
    QTest::addColumn<int>("width");
    QTest::addColumn<quint64>("first");
    QTest::addColumn<quint64>("last");
    QTest::newRow("whole cells") << 10 << quint64{1} << qint64{100} << 50 << quint64{10}
                                 << quint64{14};
    QTest::newRow("cut cells") << 10 << quint64{1} << qint64{95} << 50 << quint64{9} << quint64{14};
    QTest::newRow("before the start")
        << 10 << quint64{1} << qint64{-20} << 50 << quint64{0} << quint64{2};
    QTest::newRow("columns") << 1 << quint64{8} << qint64{4} << 10 << quint64{32} << quint64{111};
    QTest::newRow("far away") << 90 << quint64{1} << static_cast<qint64>(kFar * 90) << 180 << kFar
                              << kFar + 1;
}

void TestSequenceAxis::visibleRange()
{
    QFETCH(int, pixels);
    QFETCH(quint64, sequences);
    QFETCH(qint64, left);
    QFETCH(int, width);
    QFETCH(quint64, first);
    QFETCH(quint64, last);
    const SequenceAxis axis({pixels, sequences}, left, width);
    QCOMPARE_EQ(axis.firstVisible(), first);
    QCOMPARE_EQ(axis.lastVisible(), last);
}

void TestSequenceAxis::zoomStepsReturn()
{
    SequenceZoom zoom{90, 1};
    int steps = 0;
    while (zoom.sequences < SequenceZoom::kMaxSequences) {
        const SequenceZoom out = zoom.out();
        QVERIFY(out != zoom);
        QCOMPARE(out.in(), zoom);
        zoom = out;
        ++steps;
    }
    QCOMPARE_GT(steps, 60);
    QCOMPARE(zoom.out(), zoom);
    QCOMPARE((SequenceZoom{90, 1}.in()), (SequenceZoom{90, 1}));
}

void TestSequenceAxis::zoomKeepsTheAnchor_data()
{
    QTest::addColumn<quint64>("anchor");
    QTest::addColumn<int>("x");
    QTest::newRow("near the start") << quint64{50} << 300;
    QTest::newRow("at the left edge") << quint64{1'000'000} << 0;
    QTest::newRow("at 10^15") << kFar << 999;
}

void TestSequenceAxis::zoomKeepsTheAnchor()
{
    QFETCH(quint64, anchor);
    QFETCH(int, x);
    SequenceAxis axis({27, 1}, 0, 1000);
    axis.setLeft(axis.pixelOf(anchor) - x);
    for (SequenceZoom zoom = axis.zoom(); zoom.sequences < 1'000'000; zoom = zoom.out()) {
        const SequenceAxis next = axis.zoomed(zoom, x);
        // Within the sequences that one pixel stands for, it is the same one.
        QCOMPARE_LE(next.seqAt(x), anchor);
        QCOMPARE_GT(next.seqAt(x) + zoom.sequences, anchor);
    }
}

void TestSequenceAxis::fitting_data()
{
    QTest::addColumn<quint64>("count");
    QTest::addColumn<int>("width");
    QTest::newRow("one message") << quint64{1} << 1000;
    QTest::newRow("a screenful") << quint64{40} << 1000;
    QTest::newRow("a pixel each") << quint64{999} << 1000;
    QTest::newRow("a million") << quint64{1'000'000} << 1000;
    QTest::newRow("10^15") << kFar << 1000;
    QTest::newRow("no width") << quint64{10} << 0;
}

void TestSequenceAxis::fitting()
{
    QFETCH(quint64, count);
    QFETCH(int, width);
    const SequenceZoom zoom = SequenceZoom::fitting(count, width);
    const quint64 columns = count / zoom.sequences * static_cast<quint64>(zoom.pixels);
    QCOMPARE_LE(columns, static_cast<quint64>(std::max(width, 1)));
    if (count > 11) {
        // One step closer would not fit.
        const SequenceZoom closer = zoom.in();
        const quint64 more = count / closer.sequences * static_cast<quint64>(closer.pixels);
        QCOMPARE_GE(more, static_cast<quint64>(width));
    }
}

void TestSequenceAxis::labelStep_data()
{
    QTest::addColumn<int>("pixels");
    QTest::addColumn<quint64>("sequences");
    QTest::addColumn<int>("room");
    QTest::addColumn<quint64>("step");
    QTest::newRow("each cell") << 90 << quint64{1} << 60 << quint64{1};
    QTest::newRow("every other") << 35 << quint64{1} << 60 << quint64{2};
    QTest::newRow("tens") << 8 << quint64{1} << 60 << quint64{10};
    QTest::newRow("hundreds of thousands") << 1 << quint64{1024} << 90 << quint64{100'000};
}

void TestSequenceAxis::labelStep()
{
    QFETCH(int, pixels);
    QFETCH(quint64, sequences);
    QFETCH(int, room);
    const SequenceAxis axis({pixels, sequences}, 0, 1000);
    QTEST(axis.labelStep(room), "step");
}

QTEST_GUILESS_MAIN(TestSequenceAxis)
#include "tst_sequence_axis.moc"
