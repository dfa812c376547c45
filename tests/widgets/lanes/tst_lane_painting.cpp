// SPDX-License-Identifier: GPL-3.0-or-later
// What a lane view paints, and how little it looks at for that.
#include "lanes/lane_words.h"
#include "shown_lanes.h"

using namespace jetglass;
using items::CellState;
using lanes::kStreamLane;
using lanes::LaneView;
using tests::countColor;
using tests::fillUniform;
using tests::SampleLanes;
using tests::show;

namespace {

/// Counts how often a repaint looks at the stream and at its lanes.
class CountedLanes final : public SampleLanes
{
public:
    [[nodiscard]] const items::StreamCell* streamCell(quint64 seq) const override
    {
        ++streamLooks;
        return SampleLanes::streamCell(seq);
    }
    [[nodiscard]] const items::LaneCell* laneCell(int lane, quint64 seq) const override
    {
        ++laneLooks;
        const quint64 before = streamLooks; // the sample asks itself, too
        const items::LaneCell* cell = SampleLanes::laneCell(lane, seq);
        streamLooks = before;
        return cell;
    }
    mutable quint64 streamLooks = 0;
    mutable quint64 laneLooks = 0;
};

} // namespace

class TestLanePainting : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { tests::setStyleAndTheme(); }
    void statesArePainted_data();
    void statesArePainted();
    void removedIsHatched();
    void skippedIsNotHatched();
    void loadingIsNotWaiting();
    void countdownShrinks();
    void stallIsRed();
    void densityForAMillion();
    void looksOnlyAtWhatIsSeen_data();
    void looksOnlyAtWhatIsSeen();
    void emptyStreamSaysSo();
};

void TestLanePainting::statesArePainted_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("dark");
    for (int i = 0; i < items::kCellStateCount; ++i) {
        for (const bool dark : {false, true}) {
            QTest::addRow("state %d %s", i, dark ? "dark" : "light") << i << dark;
        }
    }
}

void TestLanePainting::statesArePainted()
{
    QFETCH(int, state);
    QFETCH(bool, dark);
    const style::Theme& theme = dark ? style::Theme::darkTheme() : style::Theme::light();
    SampleLanes source;
    fillUniform(source, static_cast<CellState>(state), 30);
    LaneView view;
    view.setPalette(theme.palette());
    show(view, source);
    const QRect cell = view.layoutOfLanes().cellRect(0, 20);
    const QImage image = tests::picture(view).copy(cell);
    const style::StateLook& look = theme.look(static_cast<CellState>(state));
    const int area = cell.width() * cell.height();
    if (look.fill.isValid()) {
        QCOMPARE_GT(countColor(image, look.fill), area / 4);
    } else {
        QCOMPARE_GT(countColor(image, theme.window), area * 3 / 4);
    }
    if (look.shape != style::Shape::Empty) {
        QCOMPARE_GT(tests::countNear(image, look.ink, 40), 3);
    }
    if (look.border.isValid() && look.border != look.fill && !look.dashed) {
        QCOMPARE_GT(tests::countNear(image, look.border, 40), cell.width());
    }
}

void TestLanePainting::removedIsHatched()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    const QImage image = tests::picture(view);
    const auto& theme = style::Theme::light();
    const QRect removed = view.layoutOfLanes().cellRect(kStreamLane, 30);
    const QRect stored = view.layoutOfLanes().cellRect(kStreamLane, 33);
    QCOMPARE_GT(tests::countNear(image.copy(removed), theme.faint, 30), 60);
    QCOMPARE_EQ(tests::countNear(image.copy(stored), theme.faint, 10), 0);
}

/// In the stream and in every lane: nobody removed what never was.
void TestLanePainting::skippedIsNotHatched()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    const QImage image = tests::picture(view);
    const auto& theme = style::Theme::light();
    for (const int lane : {kStreamLane, 0, 1}) {
        const QRect skipped = view.layoutOfLanes().cellRect(lane, 31);
        QCOMPARE_GT(tests::countNear(image.copy(skipped), theme.faint, 60), 8);
        const QRect inside = skipped.adjusted(3, 3, -3, -3);
        QCOMPARE_EQ(tests::countNear(image.copy(inside), theme.faint, 30), 0);
        QVERIFY(
            lanes::cellWords(source, lane, 31, false).contains(QStringLiteral("never existed")));
    }
}

void TestLanePainting::loadingIsNotWaiting()
{
    SampleLanes source;
    fillUniform(source, CellState::Waiting, 30);
    source.setLoaded(1, 19);
    LaneView view;
    show(view, source);
    const auto& theme = style::Theme::light();
    const QRect cell = view.layoutOfLanes().cellRect(0, 20);
    QCOMPARE_GT(countColor(tests::picture(view).copy(cell), theme.neutralFill), 50);
    source.setLoaded(1, 30);
    QCOMPARE_EQ(countColor(tests::picture(view).copy(cell), theme.neutralFill), 0);
    QCOMPARE_GT(countColor(tests::picture(view).copy(cell), theme.base), 50);
}

void TestLanePainting::countdownShrinks()
{
    SampleLanes source;
    fillUniform(source, CellState::Delivered, 30);
    LaneView view;
    show(view, source);
    const QRect cell = view.layoutOfLanes().cellRect(0, 20);
    const auto ink = [&] {
        return tests::countNear(tests::picture(view).copy(cell), style::Theme::light().amber, 60);
    };
    const int fresh = ink();
    source.setNow(source.now() + 500);
    const int half = ink();
    source.setNow(source.now() + 500);
    const int over = ink();
    QCOMPARE_LT(half, fresh);
    QCOMPARE_LT(over, half);
}

void TestLanePainting::stallIsRed()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    const QRect row = view.layoutOfLanes().laneRow(2).adjusted(view.headerWidth(), 0, 0, 0);
    const auto& theme = style::Theme::light();
    const int stalled = tests::countNear(tests::picture(view).copy(row), theme.redBorder, 20);
    items::LaneItem item = source.lanes()[2];
    item.stall.clear();
    source.updateLane(2, item);
    const int moving = tests::countNear(tests::picture(view).copy(row), theme.redBorder, 20);
    QCOMPARE_GT(stalled, moving + 50);
}

void TestLanePainting::densityForAMillion()
{
    SampleLanes source;
    tests::fillLarge(source, 1'000'000, 2);
    LaneView view;
    show(view, source);
    view.zoomToFit();
    QVERIFY(!view.zoom().single());
    const QImage image = tests::picture(view);
    const auto& theme = style::Theme::light();
    const auto& layout = view.layoutOfLanes();
    const QRect left(view.headerWidth() + 20, layout.cellTop(0), 100, layout.cellHeight(0));
    QCOMPARE_GT(countColor(image.copy(left), theme.look(CellState::Acked).solid),
        left.width() * left.height() / 2);
    const int end = view.headerWidth() + layout.axis().xOf(1'000'000);
    const QRect right(end - 30, layout.cellTop(0), 20, layout.cellHeight(0));
    QCOMPARE_GT(countColor(image.copy(right), theme.look(CellState::Waiting).solid),
        right.width() * right.height() / 2);
}

void TestLanePainting::looksOnlyAtWhatIsSeen_data()
{
    QTest::addColumn<axis::SequenceZoom>("zoom");
    QTest::newRow("cells of 27 px") << axis::SequenceZoom{27, 1};
    QTest::newRow("cells of 8 px") << axis::SequenceZoom{8, 1};
    QTest::newRow("ticks of 2 px") << axis::SequenceZoom{2, 1};
    QTest::newRow("64 in a pixel") << axis::SequenceZoom{1, 64};
}

/// The work of a repaint follows from the screen, whatever the stream holds; and of a small dirty
/// rectangle from the rectangle.
void TestLanePainting::looksOnlyAtWhatIsSeen()
{
    QFETCH(axis::SequenceZoom, zoom);
    CountedLanes source;
    tests::fillLarge(source, 1'000'000, 10);
    LaneView view;
    view.resize(1280, 720);
    view.setSource(&source);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setZoom(zoom);
    view.showFrom(500'000);
    source.streamLooks = 0;
    source.laneLooks = 0;
    view.viewport()->repaint();
    const quint64 seen = zoom.single() ? view.window().count() + 2 : 0;
    QVERIFY2(source.streamLooks <= 2 * seen, qPrintable(QString::number(source.streamLooks)));
    QVERIFY2(source.laneLooks <= 10 * seen, qPrintable(QString::number(source.laneLooks)));
    if (!zoom.cells()) {
        return;
    }
    QVERIFY(source.laneLooks >= 5 * view.window().count()); // it does count
    source.streamLooks = 0;
    source.laneLooks = 0;
    const lanes::LaneLayout& layout = view.layoutOfLanes();
    view.viewport()->repaint(layout.cellRect(1, view.window().first + 3));
    QVERIFY2(source.laneLooks <= 5, qPrintable(QString::number(source.laneLooks)));
    QVERIFY2(source.streamLooks <= 6, qPrintable(QString::number(source.streamLooks)));
}

void TestLanePainting::emptyStreamSaysSo()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 0);
    source.setBounds(1, 0);
    LaneView view;
    show(view, source);
    QVERIFY(view.window().isEmpty());
    const auto& theme = style::Theme::light();
    const QRect row = view.layoutOfLanes().streamRow().adjusted(view.headerWidth() + 10, 0, 0, 0);
    QCOMPARE_GT(tests::countNear(tests::picture(view).copy(row), theme.muted, 60), 50);
    QTest::keyClick(&view, Qt::Key_End);
    source.setBounds(1, 1);
    QCOMPARE_EQ(view.window().last, quint64{1});
}

QTEST_MAIN(TestLanePainting)
#include "tst_lane_painting.moc"
