// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/density_image.h"
#include "lanes/lane_layout.h"

#include <QTest>

using namespace jetglass;
using lanes::CellRun;
using lanes::LaneHit;
using lanes::LaneLayout;

class TestLaneLayout : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void rowsDoNotOverlap_data();
    void rowsDoNotOverlap();
    void hitFindsTheCell_data();
    void hitFindsTheCell();
    void scrolledLanesAreHitWhereTheyAre();
    void cellsFollowTheZoom_data();
    void cellsFollowTheZoom();
    void runsMerge_data();
    void runsMerge();
    void visibleLanesOnly();
    void densityShares();
    void oneInAMillionIsSeen();

private:
    LaneLayout m_layout;
};

namespace {

style::Metrics plainMetrics()
{
    style::Metrics m;
    m.line = 16;
    m.smallLine = 14;
    m.smallDigit = 7;
    m.gap = 3;
    m.pad = 8;
    return m;
}

} // namespace

void TestLaneLayout::init()
{
    m_layout = LaneLayout();
    m_layout.setMetrics(plainMetrics());
    m_layout.setAxis(axis::SequenceAxis({27, 1}, 0, 800));
    m_layout.arrange({1000, 600}, 3, 200, 0);
}

void TestLaneLayout::rowsDoNotOverlap_data()
{
    QTest::addColumn<int>("lanes");
    QTest::addColumn<int>("height");
    QTest::newRow("few lanes in a tall view") << 2 << 900;
    QTest::newRow("many lanes") << 20 << 400;
    QTest::newRow("no height at all") << 3 << 10;
}

void TestLaneLayout::rowsDoNotOverlap()
{
    QFETCH(int, lanes);
    QFETCH(int, height);
    m_layout.arrange({1000, height}, lanes, 200, 0);
    QCOMPARE_EQ(m_layout.streamRow().top(), m_layout.axisRect().bottom() + 1);
    QCOMPARE_EQ(m_layout.laneRow(0).top(), m_layout.streamRow().bottom() + 1);
    for (int lane = 0; lane < lanes; ++lane) {
        const QRect row = m_layout.laneRow(lane);
        QCOMPARE_EQ(m_layout.laneRow(lane + 1).top(), row.bottom() + 1);
        QVERIFY(row.top() < m_layout.cellTop(lane));
        QVERIFY(m_layout.markLine(lane, 0) >= m_layout.cellTop(lane) + m_layout.cellHeight(lane));
        QVERIFY(m_layout.markLine(lane, 1) + 14 <= row.bottom() + 1);
    }
}

void TestLaneLayout::hitFindsTheCell_data()
{
    QTest::addColumn<int>("lane");
    QTest::addColumn<quint64>("seq");
    QTest::newRow("stream row") << lanes::kStreamLane << quint64{3};
    QTest::newRow("first lane") << 0 << quint64{1};
    QTest::newRow("last lane") << 2 << quint64{28};
}

void TestLaneLayout::hitFindsTheCell()
{
    QFETCH(int, lane);
    QFETCH(quint64, seq);
    const QRect cell = m_layout.cellRect(lane, seq);
    for (const QPoint point : {cell.topLeft(), cell.center(), cell.bottomRight()}) {
        const LaneHit hit = m_layout.hit(point);
        QVERIFY(hit.part == LaneHit::Part::Cells);
        QCOMPARE_EQ(hit.lane, lane);
        QCOMPARE_EQ(hit.seq, seq);
    }
    const LaneHit header = m_layout.hit(QPoint(10, cell.center().y()));
    QVERIFY(header.part == LaneHit::Part::Header);
    QCOMPARE_EQ(header.lane, lane);
}

void TestLaneLayout::scrolledLanesAreHitWhereTheyAre()
{
    m_layout.arrange({1000, 300}, 20, 200, 333);
    for (int lane = 0; lane < 20; ++lane) {
        const QPoint point = m_layout.cellRect(lane, 5).center();
        const LaneHit hit = m_layout.hit(point);
        if (m_layout.lanesArea().contains(point)) {
            QCOMPARE_EQ(hit.lane, lane);
        } else {
            QVERIFY(hit.lane != lane);
        }
    }
}

void TestLaneLayout::cellsFollowTheZoom_data()
{
    QTest::addColumn<int>("pixels");
    QTest::addColumn<int>("width");
    QTest::newRow("wide cells have a wide gap") << 90 << 87;
    QTest::newRow("usual") << 27 << 24;
    QTest::newRow("small") << 11 << 9;
    QTest::newRow("smallest cell") << 8 << 7;
    QTest::newRow("no gap below a cell") << 3 << 3;
    QTest::newRow("a pixel") << 1 << 1;
}

void TestLaneLayout::cellsFollowTheZoom()
{
    QFETCH(int, pixels);
    m_layout.setAxis(axis::SequenceAxis({pixels, 1}, 0, 800));
    QTEST(m_layout.cellRect(0, 7).width(), "width");
    QCOMPARE_EQ(m_layout.cellRect(0, 8).left() - m_layout.cellRect(0, 7).left(), pixels);
}

void TestLaneLayout::runsMerge_data()
{
    QTest::addColumn<QString>("looks"); // one letter a sequence, from 1
    QTest::addColumn<QString>("runs");
    QTest::newRow("all the same") << "aaaa"
                                  << "0+12a";
    QTest::newRow("two halves") << "aabb"
                                << "0+6a 6+6b";
    QTest::newRow("each its own") << "aba"
                                  << "0+3a 3+3b 6+3a";
    QTest::newRow("one only") << "c"
                              << "0+3c";
}

void TestLaneLayout::runsMerge()
{
    QFETCH(QString, looks);
    const axis::SequenceAxis axis({3, 1}, 3, 800);
    std::vector<CellRun> runs;
    LaneLayout::mergeRuns(
        axis,
        1,
        static_cast<quint64>(looks.size()),
        [&looks](quint64 seq) { return int(looks[static_cast<qsizetype>(seq) - 1].unicode()); },
        runs);
    QStringList printed;
    for (const CellRun& run : runs) {
        printed << QStringLiteral("%1+%2%3").arg(run.x).arg(run.width).arg(
            QChar(static_cast<char16_t>(run.look)));
    }
    QTEST(printed.join(QLatin1Char(' ')), "runs");
}

void TestLaneLayout::visibleLanesOnly()
{
    m_layout.arrange({1000, 300}, 50, 200, 0);
    const auto [first, last] = m_layout.lanesIn(QRect(0, 0, 1000, 300));
    QCOMPARE_EQ(first, 0);
    QCOMPARE_LT(last, 5);
    const auto none = m_layout.lanesIn(m_layout.streamRow());
    QCOMPARE_GT(none.first, none.second);
}

void TestLaneLayout::densityShares()
{
    items::DensityStrip strip;
    strip.resize(1, 1);
    strip.columns[0] = {1, 10, 10, 0, false};
    strip.counts[strip.index(0, 0, items::CellState::Acked)] = 4;
    strip.counts[strip.index(0, 0, items::CellState::AckedAbove)] = 1;
    strip.counts[strip.index(0, 0, items::CellState::Naked)] = 2;
    strip.counts[strip.index(0, 0, items::CellState::NotMatched)] = 3;
    const lanes::DensityShares shares = lanes::laneShares(strip, 0, 0);
    QCOMPARE_EQ(shares[0], 0.5);
    QCOMPARE_EQ(shares[1], 0.2);
    QCOMPARE_EQ(shares[2], 0.0);
    QCOMPARE_LT(std::abs(shares[4] - 0.3), 1e-9);
}

void TestLaneLayout::oneInAMillionIsSeen()
{
    items::DensityStrip strip;
    strip.resize(1, 1);
    strip.columns[0] = {0, 1'048'575, 1'048'576, 0, false};
    strip.counts[strip.index(0, 0, items::CellState::Acked)] = 1'048'575;
    strip.counts[strip.index(0, 0, items::CellState::Exhausted)] = 1;
    QImage image(1, 26, QImage::Format_ARGB32_Premultiplied);
    const style::Theme& theme = style::Theme::light();
    lanes::paintLaneDensity(
        image, strip, 0, axis::SequenceAxis({1, quint64{1} << 20}, 0, 1), theme);
    int red = 0;
    for (int y = 0; y < image.height(); ++y) {
        red += image.pixel(0, y) == theme.look(items::CellState::Exhausted).solid.rgb() ? 1 : 0;
    }
    // The column is full of acked ones; the single bad one must still not vanish.
    QCOMPARE_GE(red, 1);
}

QTEST_GUILESS_MAIN(TestLaneLayout)
#include "tst_lane_layout.moc"
