// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pending_chart.h"
#include "charts/rate_chart.h"
#include "charts/series_reduce.h"
#include "style/theme.h"
#include "support/picture.h"

#include <QTest>

#include <algorithm>

using namespace jetglass;
using charts::kMostPoints;

class TestFlowChart : public QObject
{
    Q_OBJECT

private slots:
    void reduces_data();
    void reduces();
    void neverMoreThanAllowed();
    void onlyTheSpanIsShown();
    void otherConsumersOtherSeries();
    void followsTheTheme();
};

void TestFlowChart::reduces_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("spike");
    QTest::newRow("few points stay") << 10 << 3;
    QTest::newRow("just enough") << int(kMostPoints) << 3;
    QTest::newRow("one too many") << int(kMostPoints) + 1 << 200;
    QTest::newRow("many") << 14'000 << 7777;
}

void TestFlowChart::reduces()
{
    QFETCH(int, count);
    QFETCH(int, spike);
    std::vector<QPointF> points;
    for (int i = 0; i < count; ++i) {
        points.emplace_back(i, i == spike ? 1000 : i % 7);
    }
    std::vector<QPointF> out;
    const bool reduced = charts::reduceMinMax(points, out);
    QCOMPARE_EQ(reduced, count > int(kMostPoints));
    QCOMPARE_LE(out.size(), kMostPoints);
    QVERIFY(std::is_sorted(
        out.begin(), out.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    QVERIFY(std::any_of(out.begin(), out.end(), [](const QPointF& p) { return p.y() == 1000; }));
}

void TestFlowChart::neverMoreThanAllowed()
{
    charts::RateChart chart;
    chart.setSpan(3600);
    for (int i = 0; i < 20'000; ++i) {
        chart.append({i * 250, double(i % 100), 5, 5});
    }
    chart.refreshNow();
    for (int series = 0; series < 3; ++series) {
        QCOMPARE_LE(chart.shownPoints(series).size(), kMostPoints);
        QCOMPARE_GT(chart.shownPoints(series).size(), std::size_t{100});
    }
    QVERIFY(chart.isReduced());
    chart.setSpan(30);
    QVERIFY(!chart.isReduced());
}

void TestFlowChart::onlyTheSpanIsShown()
{
    charts::RateChart chart;
    chart.setSpan(10);
    for (int i = 0; i < 100; ++i) {
        chart.append({i * 1000, double(i), 0, 0});
    }
    chart.refreshNow();
    const auto points = chart.shownPoints(0);
    QCOMPARE_EQ(points.back().y(), 99.0);
    QCOMPARE_LE(points.size(), std::size_t{12});
    chart.clear();
    QVERIFY(chart.shownPoints(0).empty());
}

void TestFlowChart::otherConsumersOtherSeries()
{
    charts::PendingChart chart;
    chart.setSeries({QStringLiteral("a"), QStringLiteral("b")});
    chart.append({1000, {5, 6}});
    chart.append({2000, {7, 8, 9}}); // one more than there are series
    chart.refreshNow();
    QCOMPARE_EQ(chart.shownPoints(1).size(), std::size_t{2});
    chart.setSeries({QStringLiteral("a")});
    chart.append({3000, {1}});
    chart.refreshNow();
    QCOMPARE_EQ(chart.shownPoints(0).size(), std::size_t{1});
}

void TestFlowChart::followsTheTheme()
{
    QApplication::setPalette(style::Theme::light().palette());
    charts::RateChart chart;
    chart.resize(400, 250);
    chart.show();
    const auto share = [&chart](const style::Theme& theme) {
        const QImage image = tests::picture(chart);
        return tests::countColor(image, theme.base) * 100 / (image.width() * image.height());
    };
    QCOMPARE_GT(share(style::Theme::light()), 60);
    QApplication::setPalette(style::Theme::darkTheme().palette());
    QCoreApplication::processEvents();
    QCOMPARE_GT(share(style::Theme::darkTheme()), 60);
    QApplication::setPalette(style::Theme::light().palette());
    QCoreApplication::processEvents();
    QCOMPARE_GT(share(style::Theme::light()), 60);
}

QTEST_MAIN(TestFlowChart)
#include "tst_flow_chart.moc"
