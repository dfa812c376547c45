// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/override_dialog.h"
#include "lanes/lane_view.h"
#include "models/stream_tree_model.h"
#include "pages/activity_panel.h"
#include "pages/explorer.h"
#include "pages/inspector.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/stream_page.h"
#include "pages/welcome_page.h"
#include "scenes/script.h"
#include "style/theme.h"
#include "support/test_program.h"
#include "text/config_text.h"
#include "text/quantity.h"
#include "window/program.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace jetglass;
using items::CellState;
using window::Program;

namespace {

/// How many pixels of \a widget are (nearly) of this colour.
int pixels(QWidget& widget, const QColor& colour)
{
    const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const QRgb p = line[x];
            count += qAbs(qRed(p) - colour.red()) <= 2 && qAbs(qGreen(p) - colour.green()) <= 2
                    && qAbs(qBlue(p) - colour.blue()) <= 2
                ? 1
                : 0;
        }
    }
    return count;
}

} // namespace

/// The real program, offscreen, with its broker and an outside client of it. The steps build on
/// each other.
class TestMainWindow : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void anEmptyBrokerSaysWhatToDo();
    void theExampleAppears();
    void aPublishedMessageIsSeen();
    void deliveryAndAckChangeCellsAndColours();
    void aNakWithDelayIsParkedAndExplained();
    void aPendingDeliveryIsOverridden();
    void anOverrideOfWhatIsSettledIsRefused();
    void theEventLogTells();
    void theMessageTableShowsTheStream();
    void settingsAreShownInNatsTerms();
    void languageSwitchesLive();
    void themeSwitchesLive();
    void aStreamThatGoesLeavesTheWindow();
    void aLabClockIsTold();
    void cleanupTestCase();

private:
    void run(scenes::Script& script);
    void trigger(const QString& keys); ///< the action with this shortcut
    [[nodiscard]] QStringList logged(int column);
    [[nodiscard]] const items::LaneCell* cell(const QString& consumer, quint64 seq);
    [[nodiscard]] models::Session& session() { return *m_program->window().session(); }
    [[nodiscard]] pages::StreamPage& page() { return m_program->window().streamPage(); }

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    std::unique_ptr<client::Connection> m_client;
};

void TestMainWindow::initTestCase()
{
    QElapsedTimer timer;
    timer.start();
    m_program = std::make_unique<Program>(tests::optionsIn(m_folder.path()));
    QVERIFY(tests::starts(*m_program));
    qInfo("window with a live broker after %lld ms", timer.elapsed());
    m_client = std::make_unique<client::Connection>();
    client::ConnectOptions connect;
    connect.servers = QStringList{m_program->window().session()->source.serverUrl()};
    connect.name = QStringLiteral("outside");
    m_client->open(connect);
    QTRY_VERIFY(m_client->isConnected());
}

void TestMainWindow::cleanupTestCase()
{
    m_client.reset();
    m_program.reset();
}

void TestMainWindow::run(scenes::Script& script)
{
    QString problem = QStringLiteral("still running");
    script.run([&problem](const QString& text) { problem = text; });
    QTRY_COMPARE_WITH_TIMEOUT(problem, QString(), 10'000);
}

const items::LaneCell* TestMainWindow::cell(const QString& consumer, quint64 seq)
{
    models::LaneFeed& feed = page().lanes().feed();
    for (std::size_t lane = 0; lane < feed.lanes().size(); ++lane) {
        if (feed.lanes()[lane].name == consumer)
            return feed.laneCell(static_cast<int>(lane), seq);
    }
    return nullptr;
}

void TestMainWindow::trigger(const QString& keys)
{
    for (QAction* action : m_program->window().actions()) {
        if (action->shortcut() == QKeySequence(keys)) {
            QVERIFY2(action->isEnabled(), qPrintable(keys));
            return action->trigger();
        }
    }
    QFAIL(qPrintable(keys + QStringLiteral(" does nothing")));
}

QStringList TestMainWindow::logged(int column)
{
    models::EventLogModel& log = page().activity().log();
    QStringList texts;
    for (int row = 0; row < log.rowCount(); ++row)
        texts << log.index(row, column).data().toString();
    return texts;
}

void TestMainWindow::anEmptyBrokerSaysWhatToDo()
{
    auto* welcome = m_program->window().findChild<pages::WelcomePage*>();
    QVERIFY(welcome && welcome->isVisible());
    bool addressShown = false;
    for (const QLabel* label : welcome->findChildren<QLabel*>())
        addressShown = addressShown || label->text() == session().source.serverUrl();
    QVERIFY(addressShown);
}

void TestMainWindow::theExampleAppears()
{
    m_program->window().createExample();
    QTRY_VERIFY_WITH_TIMEOUT(page().isVisible(), 10'000);
    QTRY_COMPARE(page().lanes().feed().lastSeq(), 5U);
    QTRY_COMPARE(page().lanes().feed().lanes().size(), std::size_t(2));
    const QModelIndex at =
        m_program->window().explorer().model().indexOf(session().selection.stream());
    QCOMPARE(at.data().toString(), QStringLiteral("ORDERS"));
    QTRY_COMPARE(at.data(models::StreamTreeModel::FactRole).toString(), QStringLiteral("5"));
}

void TestMainWindow::aPublishedMessageIsSeen()
{
    models::LaneFeed& feed = page().lanes().feed();
    scenes::Script script;
    script.publish(
        *m_client, QStringLiteral("orders.paid"), QStringLiteral("{\"order_id\":\"ORD-106\"}"));
    run(script);
    QTRY_COMPARE(feed.lastSeq(), 6U);
    feed.request(1, 6);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 6)
        && cell(QStringLiteral("payments"), 6)->state == CellState::Waiting);
    QTRY_VERIFY(cell(QStringLiteral("mailer"), 6)
        && cell(QStringLiteral("mailer"), 6)->state == CellState::NotMatched);
    QTRY_COMPARE(feed.streamCell(6)->subject, QStringLiteral("orders.paid"));
}

void TestMainWindow::deliveryAndAckChangeCellsAndColours()
{
    lanes::LaneView& view = page().lanes().view();
    const style::Theme& theme = style::Theme::light();
    const QColor green = theme.look(CellState::Acked).fill;
    const QColor amber = theme.look(CellState::Delivered).fill;
    QCOMPARE(pixels(*view.viewport(), green), 0);
    scenes::Script script;
    script.consume(*m_client,
        QStringLiteral("ORDERS"),
        QStringLiteral("payments"),
        {QStringLiteral("+ACK"), QString(), QStringLiteral("+ACK")});
    run(script);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 1)
        && cell(QStringLiteral("payments"), 1)->state == CellState::Acked);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 2)
        && cell(QStringLiteral("payments"), 2)->state == CellState::Delivered);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 3)
        && cell(QStringLiteral("payments"), 3)->state == CellState::AckedAbove);
    QCOMPARE(page().lanes().feed().clientName(cell(QStringLiteral("payments"), 2)->holder),
        QStringLiteral("outside"));
    QTRY_VERIFY(pixels(*view.viewport(), green) > 50);
    QTRY_VERIFY(pixels(*view.viewport(), amber) > 50);
}

void TestMainWindow::aNakWithDelayIsParkedAndExplained()
{
    scenes::Script script;
    script.consume(*m_client,
        QStringLiteral("ORDERS"),
        QStringLiteral("payments"),
        {QStringLiteral("-NAK {\"delay\":60000000000}")});
    run(script);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 4)
        && cell(QStringLiteral("payments"), 4)->state == CellState::Naked);
    const StreamOverview* stream = session().source.stream(QStringLiteral("ORDERS"));
    for (const ConsumerOverview& consumer : stream->consumers) {
        if (consumer.name == "payments")
            session().selection.setConsumer(stream->id, consumer.id);
    }
    session().selection.setSequence(4);
    pages::Inspector& inspector = m_program->window().inspector();
    QTRY_VERIFY(!inspector.explanation().sentences.isEmpty());
    QTRY_VERIFY(inspector.explanation().title.contains(QStringLiteral("4")));
    QTRY_VERIFY(inspector.explanation().sentences.first().contains(QStringLiteral("-NAK")));
    QCOMPARE(inspector.explanation().tone, items::Tone::Waiting);
}

/// Message 2 is held by the outside client. The window answers in its place, through the menu's
/// action, and every view says that it was an override.
void TestMainWindow::aPendingDeliveryIsOverridden()
{
    session().selection.setSequence(2);
    trigger(QStringLiteral("Ctrl+Shift+O"));
    auto* dialog = m_program->window().findChild<dialogs::OverrideDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->carryOutButton().isEnabled());
    // Exactly what the broker gave to the client: first delivery, sequence 2, second of the
    // consumer.
    QVERIFY2(
        dialog->command().startsWith(QStringLiteral("nats pub '$JS.ACK.ORDERS.payments.1.2.2.")),
        qPrintable(dialog->command()));
    QVERIFY(dialog->command().endsWith(QStringLiteral("'+ACK'")));
    dialog->choose(client::AckKind::Term);
    QVERIFY(dialog->command().endsWith(QStringLiteral("'+TERM'")));
    QPointer<dialogs::OverrideDialog> gone = dialog;
    dialog->carryOutButton().click();
    QTRY_VERIFY(!gone);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 2)
        && cell(QStringLiteral("payments"), 2)->state == CellState::Terminated);
    QTRY_VERIFY(cell(QStringLiteral("payments"), 2)->overridden);
    QVERIFY(!cell(QStringLiteral("payments"), 1)->overridden);
    QTRY_VERIFY(logged(models::EventLogModel::EventColumn)
                    .contains(QStringLiteral("terminated (override)")));
    const auto inInspector = [this] {
        const QList<QLabel*> labels = m_program->window().inspector().findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("override from this"));
        });
    };
    QTRY_VERIFY(inInspector()); // it rests for a moment while events come fast
}

void TestMainWindow::anOverrideOfWhatIsSettledIsRefused()
{
    session().selection.setSequence(1);
    trigger(QStringLiteral("Ctrl+Shift+O"));
    auto* dialog = m_program->window().findChild<dialogs::OverrideDialog*>();
    QVERIFY(dialog);
    const auto says = [dialog](const QString& words) {
        const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&words](const QLabel* label) {
            return label->text().contains(words);
        });
    };
    QTRY_VERIFY(says(QStringLiteral("nothing to override")));
    QVERIFY(!dialog->carryOutButton().isEnabled());
    QVERIFY(dialog->command().isEmpty());
    dialog->close();
    QTRY_VERIFY(!m_program->window().findChild<dialogs::OverrideDialog*>());
}

void TestMainWindow::theEventLogTells()
{
    const QStringList events = logged(models::EventLogModel::EventColumn);
    for (const QString& wanted : {QStringLiteral("stored"),
             QStringLiteral("delivered"),
             QStringLiteral("acked"),
             QStringLiteral("nak")})
        QVERIFY2(events.contains(wanted),
            qPrintable(wanted + QStringLiteral(" not in ") + events.join(QLatin1Char(' '))));
}

void TestMainWindow::theMessageTableShowsTheStream()
{
    m_program->window().showTab(pages::StreamPage::MessagesTab);
    models::MessageFeed& feed = page().messages().feed();
    QTRY_COMPARE(feed.lastPosition(), 6U);
    QTRY_VERIFY(feed.row(6) != nullptr);
    QCOMPARE(feed.row(6)->subject, QStringLiteral("orders.paid"));
    QCOMPARE(feed.row(6)->preview, QStringLiteral("{\"order_id\":\"ORD-106\"}"));
    feed.setFilter(QStringLiteral("orders.created"));
    QTRY_COMPARE(feed.lastPosition(), 3U);
    feed.setFilter(QString());
    m_program->window().showTab(pages::StreamPage::LanesTab);
}

void TestMainWindow::settingsAreShownInNatsTerms()
{
    QStringList terms;
    for (const text::SettingRow& row :
        text::settingRows(session().source.stream(QStringLiteral("ORDERS"))->config))
        terms << row.term;
    for (const QString& wanted : {QStringLiteral("retention"),
             QStringLiteral("max_age"),
             QStringLiteral("duplicate_window")})
        QVERIFY(terms.contains(wanted));
}

void TestMainWindow::languageSwitchesLive()
{
    settings::Preferences& preferences = m_program->window().preferences();
    const QModelIndex section = m_program->window().explorer().model().index(0, 0);
    QCOMPARE(section.data().toString(), QStringLiteral("Streams"));
    preferences.setLanguage(settings::Language::Chinese, false);
    QTRY_COMPARE(section.data().toString(), QStringLiteral("流"));
    QTRY_COMPARE(page().tabs().tabText(pages::StreamPage::LanesTab), QStringLiteral("泳道"));
    QVERIFY(
        m_program->window().menuBar()->actions().first()->text().contains(QStringLiteral("流")));
    preferences.setLanguage(settings::Language::English, false);
    QTRY_COMPARE(page().tabs().tabText(pages::StreamPage::LanesTab), QStringLiteral("Lanes"));
}

void TestMainWindow::themeSwitchesLive()
{
    settings::Preferences& preferences = m_program->window().preferences();
    lanes::LaneView& view = page().lanes().view();
    preferences.setTheme(settings::ThemeChoice::Dark, false);
    const style::Theme& dark = style::Theme::darkTheme();
    QTRY_VERIFY(pixels(*view.viewport(), dark.look(CellState::Acked).fill) > 50);
    // A few pixels of light text are like it; the ground is not.
    QVERIFY(pixels(*view.viewport(), style::Theme::light().window) < 1000);
    preferences.setTheme(settings::ThemeChoice::Light, false);
    QTRY_VERIFY(pixels(*view.viewport(), style::Theme::light().look(CellState::Acked).fill) > 50);
}

void TestMainWindow::aStreamThatGoesLeavesTheWindow()
{
    scenes::Script script;
    script.createStream(
        *m_client, QStringLiteral(R"({"name":"BRIEF","subjects":["brief"],"num_replicas":1})"));
    run(script);
    QTRY_VERIFY(session().source.stream(QStringLiteral("BRIEF")));
    session().selection.setStream(session().source.stream(QStringLiteral("BRIEF"))->id);
    scenes::Script remove;
    remove.add([this, &remove](const scenes::Script::Done& done) {
        client::Message message;
        message.subject = QStringLiteral("$JS.API.STREAM.DELETE.BRIEF");
        m_client->request(
            message, 5000, &remove, [done](const client::Reply&) { done(QString()); });
    });
    run(remove);
    QTRY_VERIFY(!session().source.stream(QStringLiteral("BRIEF")));
    QTRY_COMPARE(
        session().source.stream(session().selection.stream())->name, std::string("ORDERS"));
}

void TestMainWindow::aLabClockIsTold()
{
    const auto* badge = m_program->window().findChild<QLabel*>(QStringLiteral("clock"));
    QVERIFY(badge && badge->isHidden());
    const auto lab = [this](const QString& verb, const QByteArray& body) {
        bool answered = false;
        client::Message message;
        message.subject = QStringLiteral("$LAB.CLOCK.") + verb;
        message.payload = body;
        m_client->request(
            message, 5000, this, [&answered](const client::Reply&) { answered = true; });
        return QTest::qWaitFor([&answered] { return answered; });
    };
    QVERIFY(lab(QStringLiteral("ADVANCE"), "{\"ms\":11500}"));
    QTRY_COMPARE(badge->text(), QStringLiteral("clock: +") + text::duration(11'000'000'000));
    QVERIFY(badge->isVisible());
    QVERIFY(lab(QStringLiteral("PAUSE"), {}));
    QTRY_COMPARE(badge->text(), QStringLiteral("clock paused"));
    QVERIFY(badge->toolTip().contains(QStringLiteral("stands still")));
    QVERIFY(lab(QStringLiteral("RESUME"), {}));
    QTRY_VERIFY(badge->text().startsWith(QStringLiteral("clock: +")));
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
