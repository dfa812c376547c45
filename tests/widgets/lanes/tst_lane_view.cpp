// SPDX-License-Identifier: GPL-3.0-or-later
// Where a lane view stands, what it does with the mouse and the keys, and what it says in words.
#include "shown_lanes.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QTranslator>
#include <QWheelEvent>

using namespace jetglass;
using items::CellState;
using lanes::kStreamLane;
using lanes::LaneView;
using tests::countColor;
using tests::fillUniform;
using tests::SampleLanes;
using tests::show;

namespace {

class Shouting : public QTranslator
{
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(
        const char* /*context*/, const char* text, const char* /*note*/, int /*n*/) const override
    {
        return QString::fromUtf8(text).toUpper();
    }
};

} // namespace

class TestLaneView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { tests::setStyleAndTheme(); }
    void followsTheLiveEdge();
    void scrollingStopsFollowing();
    void asksForWhatIsInView();
    void clickSelects_data();
    void clickSelects();
    void keysMove_data();
    void keysMove();
    void enterAndEscape();
    void zoomByWheelAndKeys();
    void zoomStopsAtTheWholeStream();
    void farAway();
    void tooltipsSpeak();
    void descriptionForScreenReaders();
    void languageChanges();
    void lanesComeAndGo();
};

void TestLaneView::followsTheLiveEdge()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked);
    LaneView view;
    show(view, source);
    QVERIFY(view.isFollowing());
    for (const quint64 last : {quint64{101}, quint64{102}, quint64{500}, quint64{1'000'000}}) {
        source.setBounds(1, last);
        QCOMPARE_EQ(view.window().last, last);
        QVERIFY(view.layoutOfLanes().cellRect(0, last).right() < view.viewport()->width());
    }
    // Old ones go: the newest stays where it is.
    const QRect before = view.layoutOfLanes().cellRect(0, 1'000'000);
    source.setBounds(900'000, 1'000'000);
    QCOMPARE(view.layoutOfLanes().cellRect(0, 1'000'000), before);
}

void TestLaneView::scrollingStopsFollowing()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 1000);
    LaneView view;
    show(view, source);
    QSignalSpy following(&view, &LaneView::followingChanged);
    auto* live = view.findChild<QToolButton*>();
    QVERIFY(!live->isVisible());
    view.sequenceBar()->setValue(view.sequenceBar()->value() / 2);
    QVERIFY(!view.isFollowing());
    QVERIFY(live->isVisible());
    QCOMPARE_EQ(following.size(), 1);
    const axis::SeqRange window = view.window();
    source.setBounds(1, 1300);
    QCOMPARE(view.window(), window);
    QTRY_VERIFY2(live->text().contains(QStringLiteral("300")), qPrintable(live->text()));
    QTest::mouseClick(live, Qt::LeftButton);
    QVERIFY(view.isFollowing());
    QCOMPARE_EQ(view.window().last, quint64{1300});
    QVERIFY(!live->isVisible());
    // Scrolled back to the end by hand it is live again, too.
    view.showFrom(10);
    QVERIFY(!view.isFollowing());
    QCOMPARE_EQ(view.window().first, quint64{9});
    view.sequenceBar()->setValue(view.sequenceBar()->maximum());
    QVERIFY(view.isFollowing());
}

void TestLaneView::asksForWhatIsInView()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 1'000'000);
    LaneView view;
    show(view, source);
    QCOMPARE_EQ(source.requestedFirst, view.window().first);
    QCOMPARE_EQ(source.requestedLast, quint64{1'000'000});
    view.showFrom(500'000);
    QCOMPARE_LE(source.requestedFirst, quint64{500'000});
    QCOMPARE_GT(source.requestedLast, quint64{500'020});
    QCOMPARE_LT(source.requestedLast - source.requestedFirst, quint64{100});
    const int before = source.requests;
    view.viewport()->repaint();
    QCOMPARE_EQ(source.requests, before);
}

void TestLaneView::clickSelects_data()
{
    QTest::addColumn<int>("lane");
    QTest::addColumn<quint64>("seq");
    QTest::newRow("a cell of the stream") << kStreamLane << quint64{40};
    QTest::newRow("a cell of the first lane") << 0 << quint64{42};
    QTest::newRow("a cell of the last lane") << 2 << quint64{36};
    QTest::newRow("a removed one") << 0 << quint64{30};
}

void TestLaneView::clickSelects()
{
    QFETCH(int, lane);
    QFETCH(quint64, seq);
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    QSignalSpy selected(&view, &LaneView::selected);
    const QPoint at = view.layoutOfLanes().cellRect(lane, seq).center();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE_EQ(selected.size(), 1);
    QCOMPARE_EQ(selected[0][0].toULongLong(), seq);
    QCOMPARE_EQ(selected[0][1].toInt(), lane);
    QVERIFY(countColor(tests::picture(view), style::Theme::light().accent) > 100);
    // The same again changes nothing; a click beside the cells clears.
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE_EQ(selected.size(), 1);
    QSignalSpy header(&view, &LaneView::headerClicked);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(5, at.y()));
    QCOMPARE_EQ(header.size(), 1);
    QCOMPARE_EQ(header[0][0].toInt(), lane);
}

void TestLaneView::keysMove_data()
{
    QTest::addColumn<quint64>("seq");
    QTest::addColumn<int>("lane");
    QTest::addColumn<int>("key");
    QTest::addColumn<quint64>("toSeq");
    QTest::addColumn<int>("toLane");
    QTest::newRow("left") << quint64{42} << 0 << int(Qt::Key_Left) << quint64{41} << 0;
    QTest::newRow("right") << quint64{42} << 0 << int(Qt::Key_Right) << quint64{43} << 0;
    QTest::newRow("up to the stream") << quint64{42} << 0 << int(Qt::Key_Up) << quint64{42} << -1;
    QTest::newRow("no further up") << quint64{42} << -1 << int(Qt::Key_Up) << quint64{42} << -1;
    QTest::newRow("down") << quint64{42} << -1 << int(Qt::Key_Down) << quint64{42} << 0;
    QTest::newRow("no further down") << quint64{42} << 2 << int(Qt::Key_Down) << quint64{42} << 2;
    QTest::newRow("right at the end") << quint64{55} << 0 << int(Qt::Key_Right) << quint64{55} << 0;
    QTest::newRow("left at the start") << quint64{3} << 0 << int(Qt::Key_Left) << quint64{3} << 0;
    QTest::newRow("home: the oldest shown")
        << quint64{42} << 1 << int(Qt::Key_Home) << quint64{3} << 1;
    QTest::newRow("end: the newest") << quint64{42} << 1 << int(Qt::Key_End) << quint64{55} << 1;
    QTest::newRow("first key selects the newest")
        << quint64{0} << -1 << int(Qt::Key_Left) << quint64{55} << -1;
}

void TestLaneView::keysMove()
{
    QFETCH(quint64, seq);
    QFETCH(int, lane);
    QFETCH(int, key);
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    view.select(seq, lane);
    QTest::keyClick(&view, static_cast<Qt::Key>(key));
    QTEST(view.selection().seq, "toSeq");
    QTEST(view.selection().lane, "toLane");
    QVERIFY(view.window().contains(view.selection().seq));
}

void TestLaneView::enterAndEscape()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    QSignalSpy activated(&view, &LaneView::activated);
    QSignalSpy selected(&view, &LaneView::selected);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE_EQ(activated.size(), 0);
    view.select(42, 0);
    QCOMPARE_EQ(selected.size(), 0); // by program: no signal
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE_EQ(activated.size(), 1);
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE_EQ(view.selection().seq, quint64{0});
    QCOMPARE_EQ(selected.size(), 1);
}

void TestLaneView::zoomByWheelAndKeys()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 100'000);
    LaneView view;
    show(view, source);
    view.showFrom(50'000);
    const QPoint at(600, 100);
    const quint64 under = view.layoutOfLanes().hit(at).seq;
    QWheelEvent out(at,
        view.viewport()->mapToGlobal(at),
        {},
        {0, -120},
        Qt::NoButton,
        Qt::ControlModifier,
        Qt::NoScrollPhase,
        false);
    QApplication::sendEvent(view.viewport(), &out);
    QCOMPARE_EQ(view.zoom().pixels, 22);
    QCOMPARE_EQ(view.layoutOfLanes().hit(at).seq, under);
    QTest::keyClick(&view, Qt::Key_Plus);
    QCOMPARE_EQ(view.zoom().pixels, 27);
    QTest::keyClick(&view, Qt::Key_Minus);
    QTest::keyClick(&view, Qt::Key_Minus);
    QCOMPARE_EQ(view.zoom().pixels, 18);
    QTest::keyClick(&view, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(view.zoom(), axis::SequenceZoom{});
}

void TestLaneView::zoomStopsAtTheWholeStream()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 1'000'000);
    LaneView view;
    show(view, source);
    view.zoomToFit();
    QVERIFY(view.isFollowing());
    QCOMPARE_EQ(view.window().first, quint64{1});
    QCOMPARE_EQ(view.window().last, quint64{1'000'000});
    for (int i = 0; i < 40; ++i) {
        view.zoomOut();
    }
    QCOMPARE_LE(view.zoom().sequences, quint64{4096});
}

void TestLaneView::farAway()
{
    constexpr quint64 kLast = 1'000'000'000'000'000;
    SampleLanes source;
    fillUniform(source, CellState::Waiting, kLast);
    LaneView view;
    show(view, source);
    QCOMPARE_EQ(view.window().last, kLast);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE_EQ(view.selection().seq, quint64{1});
    QCOMPARE_EQ(view.window().first, quint64{1});
    view.showFrom(kLast / 2 + 1);
    QCOMPARE_EQ(view.window().first, kLast / 2);
    QCOMPARE_EQ(view.layoutOfLanes().cellRect(0, kLast / 2 + 1).left(), view.headerWidth() + 6);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE_EQ(view.selection().seq, kLast);
    QVERIFY(view.isFollowing());
    view.zoomToFit();
    QCOMPARE_EQ(view.window().first, quint64{1});
    QVERIFY(!tests::picture(view).isNull());
}

void TestLaneView::tooltipsSpeak()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    const auto tip = [&view](const QPoint& at) {
        QHelpEvent event(QEvent::ToolTip, at, view.viewport()->mapToGlobal(at));
        QApplication::sendEvent(view.viewport(), &event);
        return QToolTip::text();
    };
    const auto& layout = view.layoutOfLanes();
    const QString nak = tip(layout.cellRect(0, 46).center());
    QVERIFY2(nak.contains(QStringLiteral("nak")) && nak.contains(QStringLiteral("comes again in"))
            && nak.contains(QStringLiteral("orders.")),
        qPrintable(nak));
    const QString gone = tip(layout.cellRect(kStreamLane, 30).center());
    QVERIFY2(gone.contains(QStringLiteral("purged")), qPrintable(gone));
    const QString header = tip(QPoint(10, layout.cellTop(0) + 5));
    QVERIFY2(header.contains(QStringLiteral("ack_floor.stream_seq")), qPrintable(header));
    view.setZoom({1, 2});
    QVERIFY(!tests::picture(view).isNull()); // counts are asked for when they are drawn
    const int x = view.headerWidth() + view.layoutOfLanes().axis().xOf(50);
    const QString many = tip(QPoint(x, layout.cellTop(0) + 5));
    QVERIFY2(many.contains(QStringLiteral("messages 50 to"))
            && many.contains(QStringLiteral(" waiting")),
        qPrintable(many));
}

void TestLaneView::descriptionForScreenReaders()
{
    SampleLanes source;
    tests::fillOrders(source);
    LaneView view;
    show(view, source);
    view.select(36, 2);
    const QString text = view.accessibleDescription();
    QVERIFY2(text.contains(QStringLiteral("mailer, message 36"))
            && text.contains(QStringLiteral("exhausted (max_deliver)")),
        qPrintable(text));
}

void TestLaneView::languageChanges()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 1000);
    LaneView view;
    show(view, source);
    view.showFrom(10);
    auto* live = view.findChild<QToolButton*>();
    QCOMPARE(live->text(), QStringLiteral("Back to live"));
    Shouting shouting;
    QApplication::installTranslator(&shouting);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(live->text(), QStringLiteral("BACK TO LIVE"));
    QApplication::removeTranslator(&shouting);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(live->text(), QStringLiteral("Back to live"));
}

void TestLaneView::lanesComeAndGo()
{
    SampleLanes source;
    fillUniform(source, CellState::Acked, 50);
    LaneView view;
    show(view, source, {600, 300});
    QCOMPARE_EQ(view.layoutOfLanes().laneCount(), 1);
    QCOMPARE_EQ(view.verticalScrollBar()->maximum(), 0);
    for (int i = 0; i < 12; ++i) {
        items::LaneItem item;
        item.name = QStringLiteral("consumer %1").arg(i);
        source.addLane(item, [](quint64) { return items::LaneCell{}; });
    }
    QCOMPARE_EQ(view.layoutOfLanes().laneCount(), 13);
    QCOMPARE_GT(view.verticalScrollBar()->maximum(), 0);
    view.select(50, 0);
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(&view, Qt::Key_Down);
    }
    QCOMPARE_EQ(view.selection().lane, 12);
    QVERIFY(
        view.layoutOfLanes().lanesArea().contains(view.layoutOfLanes().cellRect(12, 50).center()));
    auto gone = std::make_unique<SampleLanes>();
    fillUniform(*gone, CellState::Acked, 50);
    view.setSource(gone.get());
    gone.reset(); // a source may go at any time
    QVERIFY(!tests::picture(view).isNull());
    QTest::keyClick(&view, Qt::Key_Left);
}

QTEST_MAIN(TestLaneView)
#include "tst_lane_view.moc"
