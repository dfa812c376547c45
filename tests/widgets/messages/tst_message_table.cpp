// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/message_table.h"
#include "style/theme.h"
#include "support/picture.h"
#include "support/sample_pages.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyleFactory>
#include <QTest>

using namespace jetglass;
using messages::MessageLayout;
using messages::MessageTable;
using tests::SamplePages;

class TestMessageTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void rowsToPixels_data();
    void rowsToPixels();
    void followsTheTail();
    void asksForVisibleRows();
    void keysMove_data();
    void keysMove();
    void clickSelects();
    void tenToTheFifteen();
    void selectByProgram();
    void columnsResize();
    void rowsLoad();
    void resetForgets();
    void movedRowsAreNotPaintedAgain_data();
    void movedRowsAreNotPaintedAgain();

private:
    static void show(MessageTable& table, SamplePages& pages);
};

void TestMessageTable::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(style::Theme::light().palette());
}

void TestMessageTable::show(MessageTable& table, SamplePages& pages)
{
    table.resize(900, 400);
    table.setSource(&pages);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
}

void TestMessageTable::rowsToPixels_data()
{
    QTest::addColumn<quint64>("first");
    QTest::addColumn<quint64>("last");
    QTest::addColumn<quint64>("at");
    QTest::newRow("a few rows") << quint64{1} << quint64{5} << quint64{1};
    QTest::newRow("first moved on") << quint64{1000} << quint64{5000} << quint64{3000};
    QTest::newRow("10^15 rows") << quint64{1} << quint64{1'000'000'000'000'000}
                                << quint64{999'999'999'999'000};
}

void TestMessageTable::rowsToPixels()
{
    QFETCH(quint64, first);
    QFETCH(quint64, last);
    QFETCH(quint64, at);
    MessageLayout layout;
    layout.first = first;
    layout.last = last;
    layout.height = 200;
    layout.rowHeight = 20;
    layout.top = layout.pixelOf(at);
    QCOMPARE_EQ(layout.firstVisible(), at);
    QCOMPARE_EQ(layout.lastVisible(), std::min(last, at + 9));
    QCOMPARE_EQ(layout.yOf(at), 0);
    QCOMPARE_EQ(layout.positionAt(5).value_or(0), at);
    QVERIFY(!layout.positionAt(-1));
    layout.top = layout.highestTop();
    QCOMPARE_EQ(layout.lastVisible(), last);
    QCOMPARE_EQ(layout.topShowing(first), layout.pixelOf(first));
}

void TestMessageTable::followsTheTail()
{
    SamplePages pages;
    pages.setBounds(1, 100);
    MessageTable table;
    show(table, pages);
    QCOMPARE_EQ(table.layoutOfRows().lastVisible(), quint64{100});
    pages.setBounds(1, 5000);
    QCOMPARE_EQ(table.layoutOfRows().lastVisible(), quint64{5000});
    table.verticalScrollBar()->setValue(400);
    QVERIFY(!table.isFollowing());
    const quint64 first = table.layoutOfRows().firstVisible();
    pages.setBounds(1, 6000);
    QCOMPARE_EQ(table.layoutOfRows().firstVisible(), first);
    // Older rows go, what is read stays put.
    pages.setBounds(5, 6000);
    QCOMPARE_EQ(table.layoutOfRows().firstVisible(), first);
    table.verticalScrollBar()->setValue(table.verticalScrollBar()->maximum());
    QVERIFY(table.isFollowing());
}

void TestMessageTable::asksForVisibleRows()
{
    SamplePages pages;
    pages.setBounds(1, 1'000'000);
    MessageTable table;
    show(table, pages);
    QCOMPARE_EQ(pages.requestedLast, quint64{1'000'000});
    QCOMPARE_LT(pages.requestedLast - pages.requestedFirst, quint64{40});
    const int before = pages.requests;
    table.viewport()->repaint();
    QCOMPARE_EQ(pages.requests, before);
}

void TestMessageTable::keysMove_data()
{
    QTest::addColumn<quint64>("seq");
    QTest::addColumn<int>("key");
    QTest::addColumn<quint64>("expected");
    QTest::newRow("up") << quint64{500} << int(Qt::Key_Up) << quint64{499};
    QTest::newRow("down") << quint64{500} << int(Qt::Key_Down) << quint64{501};
    QTest::newRow("home") << quint64{500} << int(Qt::Key_Home) << quint64{1};
    QTest::newRow("end") << quint64{500} << int(Qt::Key_End) << quint64{1000};
    QTest::newRow("up at the top") << quint64{1} << int(Qt::Key_Up) << quint64{1};
    QTest::newRow("down at the bottom") << quint64{1000} << int(Qt::Key_Down) << quint64{1000};
}

void TestMessageTable::keysMove()
{
    QFETCH(quint64, seq);
    QFETCH(int, key);
    SamplePages pages;
    pages.setBounds(1, 1000);
    MessageTable table;
    show(table, pages);
    table.select(seq);
    QSignalSpy selected(&table, &MessageTable::selected);
    QTest::keyClick(&table, static_cast<Qt::Key>(key));
    QTEST(table.currentSeq(), "expected");
    QCOMPARE_EQ(selected.size(), 1);
    const MessageLayout& layout = table.layoutOfRows();
    QVERIFY(layout.yOf(table.currentSeq()) >= 0);
    QVERIFY(layout.yOf(table.currentSeq()) + layout.rowHeight <= layout.height);
}

void TestMessageTable::clickSelects()
{
    SamplePages pages;
    pages.setBounds(1, 1000);
    MessageTable table;
    show(table, pages);
    QSignalSpy selected(&table, &MessageTable::selected);
    QSignalSpy activated(&table, &MessageTable::activated);
    const quint64 seq = table.layoutOfRows().lastVisible() - 3;
    const QPoint at(200, table.layoutOfRows().yOf(seq) + 5);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE_EQ(selected.size(), 1);
    QCOMPARE_EQ(selected[0][0].toULongLong(), seq);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE_EQ(activated.size(), 1);
    const QRect row(0, table.layoutOfRows().yOf(seq), 900, table.layoutOfRows().rowHeight);
    QCOMPARE_GT(
        tests::countColor(tests::picture(table).copy(row), style::Theme::light().selection), 2000);
    QVERIFY(table.accessibleDescription().contains(QString::number(seq)));
}

void TestMessageTable::tenToTheFifteen()
{
    constexpr quint64 kLast = 1'000'000'000'000'000;
    SamplePages pages;
    pages.setBounds(1, kLast);
    MessageTable table;
    show(table, pages);
    QCOMPARE_EQ(table.layoutOfRows().lastVisible(), kLast);
    table.select(kLast / 3);
    QCOMPARE_EQ(table.currentSeq(), kLast / 3);
    QVERIFY(!table.isFollowing());
    QTest::keyClick(&table, Qt::Key_Down);
    QCOMPARE_EQ(table.currentSeq(), kLast / 3 + 1);
    // The column is wide enough for the number.
    QCOMPARE_GT(table.header()->sectionSize(MessageTable::Seq),
        table.fontMetrics().horizontalAdvance(QString::number(kLast)));
}

void TestMessageTable::selectByProgram()
{
    SamplePages pages;
    pages.setBounds(10, 20);
    MessageTable table;
    show(table, pages);
    QSignalSpy selected(&table, &MessageTable::selected);
    table.select(15);
    QCOMPARE_EQ(table.currentSeq(), quint64{15});
    table.select(99);
    QCOMPARE_EQ(table.currentSeq(), quint64{0});
    QCOMPARE_EQ(selected.size(), 0);
}

void TestMessageTable::columnsResize()
{
    SamplePages pages;
    pages.setBounds(1, 100);
    MessageTable table;
    show(table, pages);
    table.header()->resizeSection(MessageTable::Subject, 700);
    QCOMPARE_GT(table.horizontalScrollBar()->maximum(), 0);
    table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
    QCOMPARE_EQ(table.header()->offset(), table.horizontalScrollBar()->value());
    table.header()->resizeSection(MessageTable::Subject, 100);
    QCOMPARE_EQ(table.horizontalScrollBar()->maximum(), 0);
}

void TestMessageTable::rowsLoad()
{
    SamplePages pages;
    pages.setBounds(1, 100);
    pages.setLoaded(false);
    MessageTable table;
    show(table, pages);
    const QColor& skeleton = style::Theme::light().neutralFill;
    QCOMPARE_GT(tests::countColor(tests::picture(table), skeleton), 2000);
    pages.setLoaded(true);
    QCOMPARE_LT(tests::countColor(tests::picture(table), skeleton), 200);
}

void TestMessageTable::resetForgets()
{
    SamplePages pages;
    pages.setBounds(1, 1000);
    MessageTable table;
    show(table, pages);
    table.select(3);
    QVERIFY(!table.isFollowing());
    emit pages.reset();
    QCOMPARE_EQ(table.currentSeq(), quint64{0});
    QVERIFY(table.isFollowing());
    QCOMPARE_EQ(table.layoutOfRows().lastVisible(), quint64{1000});
    table.setSource(nullptr);
    QVERIFY(!tests::picture(table).isNull());
}

namespace {

/// How much of a viewport was painted.
class PaintedRows final : public QObject
{
public:
    explicit PaintedRows(QWidget& widget) { widget.installEventFilter(this); }
    int height = 0;

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            for (const QRect& rect : static_cast<QPaintEvent*>(event)->region()) {
                height += rect.height();
            }
        }
        return false;
    }
};

} // namespace

void TestMessageTable::movedRowsAreNotPaintedAgain_data()
{
    QTest::addColumn<QString>("act");
    QTest::addColumn<int>("rows");
    QTest::newRow("one row down by key") << QStringLiteral("down") << 3;
    QTest::newRow("scrolled by two rows") << QStringLiteral("scroll") << 3;
    QTest::newRow("two new rows while following") << QStringLiteral("grow") << 4;
    QTest::newRow("a row in sight changed") << QStringLiteral("change") << 1;
    QTest::newRow("a row out of sight changed") << QStringLiteral("far") << 0;
}

/// What is on the screen afterwards is what painting everything gives.
void TestMessageTable::movedRowsAreNotPaintedAgain()
{
    QFETCH(QString, act);
    QFETCH(int, rows);
    SamplePages pages;
    pages.setBounds(1, 1000);
    MessageTable table;
    show(table, pages);
    if (act != QLatin1String("grow")) {
        table.select(500);
    }
    QCoreApplication::processEvents();
    PaintedRows painted(*table.viewport());
    const int row = table.layoutOfRows().rowHeight;
    QScrollBar* bar = table.verticalScrollBar();
    if (act == QLatin1String("down")) {
        QTest::keyClick(&table, Qt::Key_Down);
    } else if (act == QLatin1String("scroll")) {
        bar->setValue(bar->value() - row * 2);
    } else if (act == QLatin1String("grow")) {
        pages.setBounds(1, 1002);
    } else {
        const quint64 at =
            act == QLatin1String("far") ? 1 : table.layoutOfRows().firstVisible() + 4;
        emit pages.changed(at, at);
    }
    QCoreApplication::processEvents();
    QVERIFY2(painted.height <= rows * row, qPrintable(QString::number(painted.height)));
    QCOMPARE(painted.height > 0, rows > 0);
    const QImage shown = table.screen()
                             ->grabWindow(table.winId())
                             .toImage()
                             .copy(table.viewport()->geometry())
                             .convertToFormat(QImage::Format_RGB32);
    QCOMPARE(shown, tests::picture(table));
}

QTEST_MAIN(TestMessageTable)
#include "tst_message_table.moc"
