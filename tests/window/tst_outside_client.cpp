// SPDX-License-Identifier: GPL-3.0-or-later
// The real program while a nats.c program of the seeds works on its broker: what the models hold
// and what is painted where, from the broker's own transitions.
#include "charts/pending_chart.h"
#include "charts/rate_chart.h"
#include "lanes/lane_view.h"
#include "models/stream_tree_model.h"
#include "pages/activity_panel.h"
#include "pages/charts_panel.h"
#include "pages/explorer.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/stream_page.h"
#include "style/theme.h"
#include "support/outside_client.h"
#include "support/test_program.h"
#include "window/program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace jetglass;
using items::CellState;
using window::Program;

namespace {

constexpr qint64 kSecondNs = 1'000'000'000;

int count(const QImage& image, const QColor& colour)
{
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            found += image.pixelColor(x, y) == colour ? 1 : 0;
    return found;
}

const char* word(CellState state)
{
    constexpr const char* kWords[items::kCellStateCount] = {"not matched",
        "before start",
        "waiting",
        "delivered",
        "in progress",
        "naked",
        "redelivery due",
        "acked",
        "acked above",
        "terminated",
        "exhausted",
        "settled"};
    return kWords[static_cast<std::size_t>(state)];
}

QStringList list(std::initializer_list<const char*> words)
{
    QStringList all;
    for (const char* one : words)
        all << QString::fromLatin1(one);
    return all;
}

} // namespace

/// The steps build on each other.
class TestOutsideClient : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void itsStreamAppears();
    void publishedMessagesWait();
    void theTableHasTheirRows();
    void aFetchIsSeen();
    void theChartsGetTheirPoints();
    void eachAnswerHasItsState();
    void theAckWaitPasses();
    void theSecondDeliveryIsCounted();
    void maxDeliverIsReached();
    void theLogToldAll();
    void cleanupTestCase();

private:
    /// State of each sequence from 1 on, once the lane holds them all.
    [[nodiscard]] QStringList states();
    [[nodiscard]] const items::LaneCell* cell(quint64 seq) { return feed().laneCell(0, seq); }
    [[nodiscard]] const items::LaneItem& lane() { return feed().lanes().front(); }
    [[nodiscard]] QString wrongPaint(quint64 seq, CellState state);
    [[nodiscard]] models::LaneFeed& feed() { return page().lanes().feed(); }
    [[nodiscard]] pages::StreamPage& page() { return m_program->window().streamPage(); }
    [[nodiscard]] models::Session& session() { return *m_program->window().session(); }
    [[nodiscard]] QString fact()
    {
        return m_program->window()
            .explorer()
            .model()
            .indexOf(session().selection.stream())
            .data(models::StreamTreeModel::FactRole)
            .toString();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    std::unique_ptr<tests::OutsideClient> m_client;
};

/// Compares by words, so that a failure tells which sequence is where.
#define COMPARE_STATES(...) QTRY_COMPARE(states(), list({__VA_ARGS__}))
/// What is painted follows within a frame or two.
#define COMPARE_PAINT(seq, state) QTRY_COMPARE(wrongPaint(seq, state), QString())

void TestOutsideClient::initTestCase()
{
    m_program = std::make_unique<Program>(tests::optionsIn(m_folder.path()));
    m_program->window().resize(1280, 800);
    QVERIFY(tests::starts(*m_program));
    m_client = std::make_unique<tests::OutsideClient>(session().source.serverUrl());
    QCOMPARE(m_client->answer(), QStringLiteral("ok"));
}

void TestOutsideClient::cleanupTestCase()
{
    m_client.reset();
    m_program.reset();
}

QStringList TestOutsideClient::states()
{
    QStringList all;
    feed().request(1, feed().lastSeq());
    for (quint64 seq = 1; seq <= feed().lastSeq() && !feed().lanes().empty(); ++seq)
        all << QString::fromLatin1(cell(seq) ? word(cell(seq)->state) : "unknown");
    return all;
}

/// Empty when the cell's own place shows the fill, the border and the ink of the state, and nothing
/// of another state's ink.
QString TestOutsideClient::wrongPaint(quint64 seq, CellState state)
{
    lanes::LaneView& view = page().lanes().view();
    const QRect at = view.layoutOfLanes().cellRect(0, seq);
    const QImage image = view.viewport()->grab(at).toImage().convertToFormat(QImage::Format_RGB32);
    const style::Theme& theme = style::Theme::light();
    const style::StateLook& look = theme.look(state);
    const int area = at.width() * at.height();
    if (area < 100)
        return QStringLiteral("no room for a shape");
    if (count(image, look.fill) < area / 4)
        return QStringLiteral("fill: %1 of %2").arg(count(image, look.fill)).arg(area);
    const QImage top = image.copy(0, 0, image.width(), 1);
    const int border = count(top, look.border);
    // A dashed line has gaps, a solid one goes from corner to corner.
    const int width = image.width();
    if (look.dashed ? border == 0 || border > width * 3 / 4 : border < width / 2)
        return QStringLiteral("border: %1 of %2").arg(border).arg(width);
    for (const QColor& ink : {theme.amber, theme.red, theme.green}) {
        const bool own = ink == look.ink;
        if ((count(image, ink) > 0) != own)
            return QStringLiteral("%1 pixels of %2").arg(count(image, ink)).arg(ink.name());
    }
    return {};
}

void TestOutsideClient::itsStreamAppears()
{
    QCOMPARE(m_client->say("stream"), QStringLiteral("ok"));
    QTRY_VERIFY(session().source.stream(QStringLiteral("ORDERS")));
    session().selection.setStream(session().source.stream(QStringLiteral("ORDERS"))->id);
    QTRY_VERIFY(page().isVisible());
    QTRY_COMPARE(fact(), QStringLiteral("0"));
    QCOMPARE(feed().stream().name, QStringLiteral("ORDERS"));
    QCOMPARE(m_client->say("worker 30 2"), QStringLiteral("ok"));
    QTRY_COMPARE(feed().lanes().size(), std::size_t(1));
    QCOMPARE(lane().name, QStringLiteral("order-worker"));
    QVERIFY2(lane().kind.contains(QStringLiteral("ack_wait 30")), qPrintable(lane().kind));
}

void TestOutsideClient::publishedMessagesWait()
{
    for (int n = 1; n <= 6; ++n) {
        const QByteArray step = "publish orders." + QByteArray(n % 2 ? "created" : "paid")
            + " {\"order_id\":\"ORD-" + QByteArray::number(100 + n) + "\"}";
        QCOMPARE(m_client->say(step.constData()), QStringLiteral("ok %1").arg(n));
    }
    QTRY_COMPARE(feed().lastSeq(), 6U);
    QTRY_COMPARE(fact(), QStringLiteral("6"));
    COMPARE_STATES("waiting", "waiting", "waiting", "waiting", "waiting", "waiting");
    QTRY_COMPARE(feed().streamCell(2)->subject, QStringLiteral("orders.paid"));
    QCOMPARE(lane().delivered, 0U);
    COMPARE_PAINT(1, CellState::Waiting);
    COMPARE_PAINT(6, CellState::Waiting);
}

void TestOutsideClient::theTableHasTheirRows()
{
    m_program->window().showTab(pages::StreamPage::MessagesTab);
    models::MessageFeed& rows = page().messages().feed();
    QTRY_COMPARE(rows.lastPosition(), 6U);
    for (quint64 seq = 1; seq <= 6; ++seq) {
        QTRY_VERIFY(rows.row(seq));
        const items::MessageItem& row = *rows.row(seq);
        QCOMPARE(row.seq, seq);
        QVERIFY(row.stored && !row.hasHeaders);
        QCOMPARE(row.subject,
            seq % 2 ? QStringLiteral("orders.created") : QStringLiteral("orders.paid"));
        QCOMPARE(row.preview, QStringLiteral("{\"order_id\":\"ORD-%1\"}").arg(100 + seq));
        QCOMPARE(row.size, 22U);
    }
    m_program->window().showTab(pages::StreamPage::LanesTab);
}

void TestOutsideClient::aFetchIsSeen()
{
    QCOMPARE(m_client->say("fetch 5"), QStringLiteral("ok 1:1 2:1 3:1 4:1 5:1"));
    COMPARE_STATES("delivered", "delivered", "delivered", "delivered", "delivered", "waiting");
    for (quint64 seq = 1; seq <= 5; ++seq) {
        QCOMPARE(cell(seq)->deliveries, 1U);
        QCOMPARE(feed().clientName(cell(seq)->holder), QStringLiteral("orders-client"));
        QCOMPARE(cell(seq)->deadline - cell(seq)->since, 30 * kSecondNs);
    }
    QTRY_COMPARE(lane().delivered, 5U);
    QCOMPARE(lane().ackFloor, 0U);
    COMPARE_PAINT(5, CellState::Delivered);
    COMPARE_PAINT(6, CellState::Waiting);
}

void TestOutsideClient::eachAnswerHasItsState()
{
    for (const char* step : {"ack 1", "nak 2", "ack 3", "term 4"})
        QCOMPARE(m_client->say(step), QStringLiteral("ok"));
    COMPARE_STATES("acked", "redelivery due", "acked above", "terminated", "delivered", "waiting");
    QTRY_COMPARE(lane().ackFloor, 1U);
    COMPARE_PAINT(1, CellState::Acked);
    COMPARE_PAINT(2, CellState::RedeliveryDue);
    COMPARE_PAINT(3, CellState::AckedAbove);
    COMPARE_PAINT(4, CellState::Terminated);
    COMPARE_PAINT(5, CellState::Delivered);
    COMPARE_PAINT(6, CellState::Waiting);
}

/// Nobody answers for 5, and nobody asks for it again yet.
void TestOutsideClient::theAckWaitPasses()
{
    QCOMPARE(m_client->say("advance 31000"), QStringLiteral("ok"));
    COMPARE_STATES(
        "acked", "redelivery due", "acked above", "terminated", "redelivery due", "waiting");
    QCOMPARE(cell(5)->deliveries, 1U);
    QCOMPARE(lane().ackFloor, 1U);
    COMPARE_PAINT(5, CellState::RedeliveryDue);
}

void TestOutsideClient::theSecondDeliveryIsCounted()
{
    QCOMPARE(m_client->say("fetch 2"), QStringLiteral("ok 2:2 5:2"));
    COMPARE_STATES("acked", "delivered", "acked above", "terminated", "delivered", "waiting");
    QCOMPARE(cell(2)->deliveries, 2U);
    QCOMPARE(cell(5)->deliveries, 2U);
    COMPARE_PAINT(2, CellState::Delivered);
    QCOMPARE(m_client->say("ack 2"), QStringLiteral("ok"));
    QTRY_COMPARE(lane().ackFloor, 4U);
    COMPARE_STATES("acked", "acked", "acked", "terminated", "delivered", "waiting");
    COMPARE_PAINT(3, CellState::Acked);
    // Held all the same: the client asks for more time.
    QCOMPARE(m_client->say("working 5"), QStringLiteral("ok"));
    COMPARE_STATES("acked", "acked", "acked", "terminated", "in progress", "waiting");
    COMPARE_PAINT(5, CellState::InProgress);
}

/// The second delivery was the last one that max_deliver allows. As in NATS that shows when
/// somebody asks again: 5 is passed over and 6 comes.
void TestOutsideClient::maxDeliverIsReached()
{
    QCOMPARE(m_client->say("advance 31000"), QStringLiteral("ok"));
    COMPARE_STATES("acked", "acked", "acked", "terminated", "redelivery due", "waiting");
    QCOMPARE(m_client->say("fetch 1"), QStringLiteral("ok 6:1"));
    COMPARE_STATES("acked", "acked", "acked", "terminated", "exhausted", "delivered");
    QCOMPARE(cell(5)->deliveries, 2U);
    COMPARE_PAINT(5, CellState::Exhausted);
    QCOMPARE(m_client->say("ack 6"), QStringLiteral("ok"));
    QTRY_COMPARE(states().value(4), QStringLiteral("exhausted"));
    QTRY_COMPARE(lane().delivered, 6U);
    COMPARE_PAINT(6, cell(6)->state);
}

/// Newest first or last, the log has each step of 5 in words.
void TestOutsideClient::theLogToldAll()
{
    const models::EventLogModel& log = page().activity().log();
    const auto told = [&log] {
        QStringList events;
        for (int row = 0; row < log.rowCount(); ++row) {
            const auto text = [&log, row](
                                  int column) { return log.index(row, column).data().toString(); };
            if (text(models::EventLogModel::SeqColumn) == QStringLiteral("5"))
                events << text(models::EventLogModel::EventColumn);
        }
        return events;
    };
    QTRY_VERIFY(told().contains(QStringLiteral("exhausted")));
    for (const QString& wanted : {QStringLiteral("stored"),
             QStringLiteral("delivered"),
             QString(QStringLiteral("delivered ") + QChar(0xd7) + QLatin1Char('2')),
             QStringLiteral("timed out"),
             QStringLiteral("in progress")})
        QVERIFY2(told().contains(wanted), qPrintable(told().join(QStringLiteral(", "))));
}

/// Pending of the worker is what it was not given and what it holds: six from the publishes on.
void TestOutsideClient::theChartsGetTheirPoints()
{
    auto* panel = m_program->window().findChild<pages::ChartsPanel*>();
    QVERIFY(panel);
    const auto highest = [](charts::FlowChart& chart, int series) {
        double top = 0;
        chart.refreshNow();
        for (const QPointF& point : chart.shownPoints(series))
            top = std::max(top, point.y());
        return top;
    };
    // The broker tells the window of consumers on a round of its own, after the fetch was seen.
    QTRY_COMPARE(panel->pending().series(), QStringList{QStringLiteral("order-worker")});
    QTRY_COMPARE(highest(panel->pending(), 0), 6.0);
    // What was published and fetched passed within the last minute.
    for (const int series : {0, 1})
        QTRY_VERIFY2(highest(panel->rates(), series) > 0, qPrintable(QString::number(series)));
}

QTEST_MAIN(TestOutsideClient)
#include "tst_outside_client.moc"
