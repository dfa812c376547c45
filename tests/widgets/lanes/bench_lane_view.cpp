// SPDX-License-Identifier: GPL-3.0-or-later
// What a full repaint costs; the goal is under 2 ms at 1920x1080. CPU time, so that a busy machine
// does not count.
#include "lanes/lane_view.h"
#include "messages/message_table.h"
#include "support/sample_lanes.h"
#include "support/sample_pages.h"

#include <QImage>
#include <QTest>

#include <ctime>

using namespace jetglass;

class BenchLaneView : public QObject
{
    Q_OBJECT

private slots:
    void repaint_data();
    void repaint();
    void table();
};

namespace {

void measure(QWidget& widget, QImage& target)
{
    constexpr int kFrames = 100;
    widget.render(&target); // fills the caches
    const std::clock_t start = std::clock();
    for (int i = 0; i < kFrames; ++i) {
        widget.render(&target);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    QTest::setBenchmarkResult(seconds * 1e9 / kFrames, QTest::WalltimeNanoseconds);
}

} // namespace

void BenchLaneView::repaint_data()
{
    QTest::addColumn<int>("pixels");
    QTest::addColumn<quint64>("sequences");
    QTest::newRow("cells of 27 px") << 27 << quint64{1};
    QTest::newRow("cells of 8 px") << 8 << quint64{1};
    QTest::newRow("cells with words") << 72 << quint64{1};
    QTest::newRow("ticks of 3 px") << 3 << quint64{1};
    QTest::newRow("density") << 1 << quint64{512};
}

void BenchLaneView::repaint()
{
    QFETCH(int, pixels);
    QFETCH(quint64, sequences);
    tests::SampleLanes source;
    tests::fillLarge(source, 1'000'000, 10);
    lanes::LaneView view;
    view.resize(1920, 1080);
    view.setSource(&source);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setZoom({pixels, sequences});
    view.showFrom(900'000);
    QImage target(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    measure(*view.viewport(), target);
}

void BenchLaneView::table()
{
    tests::SamplePages pages;
    pages.setBounds(1, 10'000'000);
    messages::MessageTable view;
    view.resize(1920, 1080);
    view.setSource(&pages);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QImage target(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    measure(*view.viewport(), target);
}

QTEST_MAIN(BenchLaneView)
#include "bench_lane_view.moc"
