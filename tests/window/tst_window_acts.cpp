// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader does with the window, in the real program: forms, panels and dialogs, each through
// the action that opens it, and what the broker has afterwards.
#include "dialogs/config_dialog.h"
#include "dialogs/delete_dialog.h"
#include "dialogs/preview_view.h"
#include "dialogs/purge_dialog.h"
#include "forms/config_form.h"
#include "forms/consumer_form.h"
#include "forms/stream_form.h"
#include "lanes/lane_view.h"
#include "pages/consume_page.h"
#include "pages/lanes_page.h"
#include "pages/publish_page.h"
#include "pages/replay_page.h"
#include "pages/stream_page.h"
#include "support/test_program.h"
#include "window/program.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

#include <algorithm>

using namespace jetglass;
using window::Program;

/// The steps build on each other.
class TestWindowActs : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void threeReplicasAreRefusedInWords();
    void aStreamIsCreatedInItsForm();
    void aConsumerIsCreatedInItsForm();
    void aStreamIsEdited();
    void aConsumerIsEdited();
    void publishingShowsTheAckOrTheRefusal();
    void retentionMarksWhatGoesNext();
    void messagesAreFetchedAndAnsweredByHand();
    void aRangeIsReplayed();
    void aReplayIsCancelled();
    void purgeShowsWhatGoes();
    void gapsStayVisible();
    void aPurgeBeyondTheEndSaysThatItJumps();
    void aConsumerAndAStreamAreDeleted();
    void everyActionHasAKeyOrAMenu();
    void buttonsCanBeReachedByTab();
    void cleanupTestCase();

private:
    void trigger(const QString& keys);
    void publish();
    [[nodiscard]] bool saysOnReplayPage(const QString& words);
    template<class Dialog>
    [[nodiscard]] Dialog* opened(const QString& keys)
    {
        trigger(keys);
        return window().findChild<Dialog*>();
    }
    [[nodiscard]] static QString wordsOf(const QDialog& dialog);
    [[nodiscard]] window::MainWindow& window() { return m_program->window(); }
    [[nodiscard]] sources::FlowSource& source() { return window().session()->source; }
    [[nodiscard]] const StreamOverview* stream(const char* name)
    {
        return source().stream(QString::fromLatin1(name));
    }
    [[nodiscard]] models::LaneFeed& feed() { return window().streamPage().lanes().feed(); }

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
};

void TestWindowActs::initTestCase()
{
    m_program = std::make_unique<Program>(tests::optionsIn(m_folder.path()));
    QVERIFY(tests::starts(*m_program));
}

void TestWindowActs::cleanupTestCase()
{
    m_program.reset();
}

void TestWindowActs::trigger(const QString& keys)
{
    for (QAction* action : window().actions()) {
        if (action->shortcut() == QKeySequence(keys)) {
            QVERIFY2(action->isEnabled(), qPrintable(keys));
            return action->trigger();
        }
    }
    QFAIL(qPrintable(keys + QStringLiteral(" does nothing")));
}

void TestWindowActs::threeReplicasAreRefusedInWords()
{
    auto* dialog = opened<dialogs::StreamDialog>(QStringLiteral("Ctrl+N"));
    QVERIFY(dialog);
    forms::ConfigForm* form = dialog->form()->form();
    form->setText(QStringLiteral("name"), QStringLiteral("ORDERS"));
    form->setText(QStringLiteral("subjects"), QStringLiteral("orders.>"));
    form->setText(QStringLiteral("num_replicas"), QStringLiteral("3"));
    QTRY_VERIFY2(
        dialog->resultText().contains(QStringLiteral("10074")), qPrintable(dialog->resultText()));
    QVERIFY2(dialog->resultText().contains(
                 QStringLiteral("replicas > 1 not supported in non-clustered mode")),
        qPrintable(dialog->resultText()));
    const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
    QVERIFY2(std::any_of(labels.begin(),
                 labels.end(),
                 [](const QLabel* label) {
                     return !label->isHidden() // its section may be folded
                         && label->text().startsWith(
                             QStringLiteral("Copies need a cluster of at least as many servers."));
                 }),
        "the form does not say what copies need");
    dialog->save();
    QVERIFY(!stream("ORDERS"));
    form->setText(QStringLiteral("num_replicas"), QStringLiteral("1"));
    QTRY_VERIFY(!dialog->resultText().contains(QStringLiteral("10074")));
    delete dialog;
}

void TestWindowActs::aStreamIsCreatedInItsForm()
{
    auto* dialog = opened<dialogs::StreamDialog>(QStringLiteral("Ctrl+N"));
    QVERIFY(dialog);
    forms::ConfigForm* form = dialog->form()->form();
    form->setText(QStringLiteral("name"), QStringLiteral("ORDERS"));
    form->setText(QStringLiteral("subjects"), QStringLiteral("orders.>"));
    form->setText(QStringLiteral("max_msgs"), QStringLiteral("8"));
    QVERIFY(tests::saves(dialog));
    QTRY_VERIFY(stream("ORDERS"));
    QCOMPARE(stream("ORDERS")->config.maxMsgs, 8);
    QTRY_COMPARE(window().session()->selection.stream(), stream("ORDERS")->id);
}

void TestWindowActs::aConsumerIsCreatedInItsForm()
{
    auto* dialog = opened<dialogs::ConsumerDialog>(QStringLiteral("Ctrl+Shift+N"));
    QVERIFY(dialog);
    forms::ConfigForm* form = dialog->form()->form();
    form->setText(QStringLiteral("durable_name"), QStringLiteral("worker"));
    // Nothing comes back by itself while the steps below look at it.
    form->setText(QStringLiteral("ack_wait"), QStringLiteral("1h"));
    QVERIFY(tests::saves(dialog));
    QTRY_COMPARE(stream("ORDERS")->consumers.size(), std::size_t(1));
    QTRY_COMPARE(feed().lanes().size(), std::size_t(1));
    QCOMPARE(feed().lanes().front().name, QStringLiteral("worker"));
}

void TestWindowActs::aStreamIsEdited()
{
    auto* dialog = opened<dialogs::StreamDialog>(QStringLiteral("F2"));
    QVERIFY(dialog);
    QVERIFY(dialog->form()->isEditing());
    dialog->form()->form()->setText(QStringLiteral("max_msgs"), QStringLiteral("6"));
    QVERIFY(tests::saves(dialog));
    QTRY_COMPARE(stream("ORDERS")->config.maxMsgs, 6);
}

void TestWindowActs::aConsumerIsEdited()
{
    models::Selection& selection = window().session()->selection;
    QCOMPARE(stream("ORDERS")->consumers.front().config.maxDeliver, -1);
    selection.setConsumer(stream("ORDERS")->id, stream("ORDERS")->consumers.front().id);
    auto* dialog = opened<dialogs::ConsumerDialog>(QStringLiteral("F2"));
    QVERIFY(dialog);
    QVERIFY(dialog->form()->isEditing());
    dialog->form()->form()->setText(QStringLiteral("max_deliver"), QStringLiteral("4"));
    QVERIFY(tests::saves(dialog));
    QTRY_COMPARE(stream("ORDERS")->consumers.front().config.maxDeliver, 4);
    QCOMPARE(stream("ORDERS")->consumers.size(), std::size_t(1));
    QCOMPARE(stream("ORDERS")->consumers.front().name, std::string("worker"));
    selection.setConsumer(stream("ORDERS")->id, ConsumerId{});
}

/// The button rests until the answer is there: so does this test between two messages.
void TestWindowActs::publish()
{
    pages::PublishPage* page = window().publishPage();
    QTRY_VERIFY(!page->controller()->progress().running);
    QSignalSpy finished(page->controller(), &controllers::PublishController::finished);
    page->publish();
    QTRY_COMPARE(finished.count(), 1);
}

void TestWindowActs::publishingShowsTheAckOrTheRefusal()
{
    pages::PublishPage* page = window().publishPage();
    client::Message message;
    message.subject = QStringLiteral("orders.created");
    message.payload = "{\"n\":1}";
    message.headers = {{QStringLiteral("Nats-Msg-Id"), QStringLiteral("first")}};
    page->setMessage(message);
    publish();
    QVERIFY2(
        page->resultText().contains(QLatin1String("ORDERS 1")), qPrintable(page->resultText()));
    QTRY_COMPARE(feed().lastSeq(), 1U);
    publish();
    QVERIFY2(
        page->resultText().contains(QLatin1String("uplicate")), qPrintable(page->resultText()));
    message.subject = QStringLiteral("nobody.home");
    page->setMessage(message);
    publish();
    QVERIFY2(page->resultText().contains(QLatin1String("503")), qPrintable(page->resultText()));
    message.headers.clear();
    message.subject = QStringLiteral("orders.paid");
    page->setMessage(message);
    for (quint64 seq = 2; seq <= 8; ++seq) {
        publish();
        QTRY_COMPARE(feed().lastSeq(), seq);
    }
}

/// Six may stay: the third is the oldest and goes next.
void TestWindowActs::retentionMarksWhatGoesNext()
{
    QTRY_COMPARE(feed().stream().nextOut, 3U);
    QVERIFY2(feed().stream().nextOutText.contains(QStringLiteral("max_msgs")),
        qPrintable(feed().stream().nextOutText));
    feed().request(1, 8);
    QTRY_VERIFY(feed().streamCell(1));
    QVERIFY(!feed().streamCell(1)->stored);
    QCOMPARE(feed().streamCell(1)->removal, items::RemovalCause::MaxMsgs);
}

void TestWindowActs::messagesAreFetchedAndAnsweredByHand()
{
    trigger(QStringLiteral("Ctrl+G"));
    pages::ConsumePage* page = window().consumePage();
    page->setConsumer(QStringLiteral("ORDERS"), QStringLiteral("worker"));
    page->fetch(); // a batch of five: 3 to 7
    QTRY_COMPARE(page->controller()->held().size(), 5);
    page->view()->selectRow(0);
    page->answerSelected(client::AckKind::Ack);
    page->view()->selectRow(1);
    page->answerSelected(client::AckKind::InProgress);
    page->controller()->answer(
        page->controller()->held()[2].id, client::AckKind::NakDelay, std::chrono::hours(1));
    page->view()->selectRow(3);
    page->answerSelected(client::AckKind::Term);
    const auto state = [this](quint64 seq) {
        const items::LaneCell* cell = feed().laneCell(0, seq);
        return cell ? cell->state : items::CellState::NotMatched;
    };
    QTRY_COMPARE(state(3), items::CellState::Acked);
    QTRY_COMPARE(state(4), items::CellState::InProgress);
    QTRY_COMPARE(state(5), items::CellState::Naked);
    QTRY_COMPARE(state(6), items::CellState::Terminated);
    QCOMPARE(state(7), items::CellState::Delivered);
    QCOMPARE(state(8), items::CellState::Waiting);
    QVERIFY(feed().laneCell(0, 4)->deadline > feed().now());
    // Answers for what this window was given are no overrides.
    QVERIFY(!feed().laneCell(0, 4)->overridden);
}

void TestWindowActs::aRangeIsReplayed()
{
    trigger(QStringLiteral("Ctrl+R"));
    pages::ReplayPage* page = window().replayPage();
    page->setRange(QStringLiteral("ORDERS"), 3, 8);
    // Every label stands over its field: no two of them in a column of their own.
    for (const QLabel* label : page->findChildren<QLabel*>()) {
        if (label->buddy() && page->isAncestorOf(label->buddy()))
            QTRY_COMPARE_LE(label->geometry().bottom(), label->buddy()->geometry().top());
    }
    QSignalSpy finished(page->controller(), &controllers::ReplayController::finished);
    QSignalSpy progressed(page->controller(), &controllers::ReplayController::progressChanged);
    page->start();
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(page->controller()->progress().published, 6U);
    QCOMPARE(page->controller()->progress().permille(), 1000);
    QVERIFY(progressed.count() > 0);
    QCOMPARE(feed().lastSeq(), 8U); // to replay.<stream>, which no stream captures
}

void TestWindowActs::aReplayIsCancelled()
{
    controllers::ReplayController* controller = window().replayPage()->controller();
    controllers::ReplayPlan plan = window().replayPage()->plan();
    plan.speed = 0.000'001; // at a millionth of its own pace it would take days
    QSignalSpy finished(controller, &controllers::ReplayController::finished);
    controller->start(plan, false, false);
    QTRY_VERIFY(controller->progress().published >= 1);
    QVERIFY(controller->progress().running);
    // What it waits for is told, and how long.
    QTRY_COMPARE(controller->progress().next, 4U);
    QVERIFY(controller->progress().nextAfter > 0);
    QVERIFY(controller->progress().nextIn > controller->progress().nextAfter);
    const auto* bar = window().replayPage()->findChild<QProgressBar*>();
    QTRY_VERIFY(bar->isVisible());
    QTRY_VERIFY(saysOnReplayPage(QStringLiteral("Waiting: 4 came in")));
    controller->cancel();
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(controller->progress().cancelled);
    QVERIFY(controller->progress().published < 6);
    QVERIFY(!bar->isVisible());
    QVERIFY(!saysOnReplayPage(QStringLiteral("Waiting: ")));
}

bool TestWindowActs::saysOnReplayPage(const QString& words)
{
    const auto labels = window().replayPage()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&words](const QLabel* label) {
        return label->text().contains(words);
    });
}

void TestWindowActs::purgeShowsWhatGoes()
{
    auto* dialog = opened<dialogs::PurgeDialog>(QStringLiteral("Ctrl+Shift+Del"));
    QVERIFY(dialog);
    client::PurgeRequest request;
    request.seq = 5;
    dialog->setRequest(request);
    QTRY_VERIFY(dialog->purgeButton()->isEnabled());
    // The tables have filled: nothing may cover what stands below it.
    const auto overlaps = [dialog] {
        int bottom = 0;
        for (const QWidget* each :
            dialog->findChild<dialogs::PreviewView*>()->findChildren<QWidget*>(
                QString(), Qt::FindDirectChildrenOnly)) {
            if (each->isVisible() && each->y() < bottom)
                return true;
            bottom = each->isVisible() ? each->geometry().bottom() : bottom;
        }
        return bottom == 0;
    };
    QTRY_VERIFY(!overlaps());
    // Acked or not, 3 and 4 go; the worker holds 4 still.
    const QString headline = dialog->preview()->headline();
    QVERIFY2(headline.startsWith(QStringLiteral("2 messages with ")), qPrintable(headline));
    QStringList texts;
    for (const QLabel* label : dialog->preview()->findChildren<QLabel*>())
        texts << label->text();
    QVERIFY2(
        texts.join(QLatin1Char(' ')).contains(QStringLiteral("Sequences 3 to 4. 4 messages stay.")),
        qPrintable(texts.join(QLatin1Char(' '))));
    const auto tables = dialog->preview()->findChildren<QTableWidget*>();
    QCOMPARE(tables.size(), 2);
    const auto rows = [](const QTableWidget& table, QList<int> columns) {
        QStringList all;
        for (int row = 0; row < table.rowCount(); ++row) {
            QStringList cells;
            for (const int column : columns)
                cells << table.item(row, column)->text();
            all << cells.join(QLatin1Char('|'));
        }
        return all;
    };
    QCOMPARE(rows(*tables[0], {0, 2, 3}),
        (QStringList{
            QStringLiteral("3|orders.paid|{\"n\":1}"), QStringLiteral("4|orders.paid|{\"n\":1}")}));
    QCOMPARE(rows(*tables[1], {0, 1, 2}), QStringList{QStringLiteral("worker|0|1")});
    QSignalSpy purged(dialog, &dialogs::PurgeDialog::purged);
    dialog->purgeButton()->click();
    QTRY_COMPARE(purged.count(), 1);
    QCOMPARE(purged.first().first().toULongLong(), 2U);
    QTRY_COMPARE(stream("ORDERS")->counts.first, StreamSeq(5));
}

void TestWindowActs::gapsStayVisible()
{
    feed().request(1, 8);
    QTRY_VERIFY(feed().streamCell(4) && !feed().streamCell(4)->stored);
    QTRY_COMPARE(feed().streamCell(4)->removal, items::RemovalCause::Purge);
    QCOMPARE(feed().firstSeq(), 1U);
    QVERIFY(window().streamPage().lanes().view().window().contains(4));
}

/// What the texts of \a dialog say, one after the other.
QString TestWindowActs::wordsOf(const QDialog& dialog)
{
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts << (label->isVisible() ? label->text() : QString());
    return texts.join(QLatin1Char(' '));
}

void TestWindowActs::aPurgeBeyondTheEndSaysThatItJumps()
{
    auto* dialog = opened<dialogs::PurgeDialog>(QStringLiteral("Ctrl+Shift+Del"));
    QVERIFY(dialog);
    client::PurgeRequest request;
    request.seq = 9; // the next one: nothing is skipped
    dialog->setRequest(request);
    QTRY_VERIFY(dialog->purgeButton()->isEnabled());
    QVERIFY(!wordsOf(*dialog).contains(QStringLiteral("jumps")));
    request.seq = 99;
    dialog->setRequest(request);
    QTRY_VERIFY(dialog->purgeButton()->isEnabled());
    QVERIFY2(wordsOf(*dialog).contains(QStringLiteral("jumps to sequence 99"))
            && wordsOf(*dialog).contains(QStringLiteral("first becomes 99, last becomes 98")),
        qPrintable(wordsOf(*dialog)));
    QSignalSpy purged(dialog, &dialogs::PurgeDialog::purged);
    dialog->purgeButton()->click();
    QTRY_COMPARE(purged.count(), 1);
    QTRY_COMPARE(stream("ORDERS")->counts.first, StreamSeq(99));
    QCOMPARE(stream("ORDERS")->counts.last, StreamSeq(98));
}

void TestWindowActs::aConsumerAndAStreamAreDeleted()
{
    models::Selection& selection = window().session()->selection;
    selection.setConsumer(stream("ORDERS")->id, stream("ORDERS")->consumers.front().id);
    auto* consumer = opened<dialogs::DeleteConsumerDialog>(QStringLiteral("Ctrl+Del"));
    QVERIFY(consumer);
    QTRY_VERIFY(consumer->deleteButton()->isEnabled());
    consumer->deleteButton()->click();
    QTRY_VERIFY(stream("ORDERS")->consumers.empty());
    selection.setConsumer(stream("ORDERS")->id, ConsumerId{});
    auto* whole = opened<dialogs::DeleteStreamDialog>(QStringLiteral("Ctrl+Del"));
    QVERIFY(whole);
    QTRY_VERIFY(whole->deleteButton()->isEnabled());
    const QString words = wordsOf(*whole);
    QVERIFY2(words.contains(QStringLiteral("The stream is empty."))
            && words.contains(QStringLiteral("The stream is deleted for good. Its subjects"))
            && !words.contains(QStringLiteral("Nothing")),
        qPrintable(words));
    whole->deleteButton()->click();
    QTRY_VERIFY(!stream("ORDERS"));
}

void TestWindowActs::everyActionHasAKeyOrAMenu()
{
    QList<QAction*> inMenus;
    for (const QMenu* menu : window().menuBar()->findChildren<QMenu*>())
        inMenus += menu->actions();
    for (QAction* action : window().actions()) {
        QVERIFY2(!action->text().isEmpty(), "an action without a name");
        QVERIFY2(inMenus.contains(action) || !action->shortcut().isEmpty(),
            qPrintable(action->text() + QStringLiteral(" cannot be reached by keyboard")));
    }
    QStringList keys;
    for (const QAction* action : window().actions()) {
        const QString key = action->shortcut().toString();
        QVERIFY2(
            key.isEmpty() || !keys.contains(key), qPrintable(key + QStringLiteral(" is taken")));
        keys << key;
    }
}

/// Toolbars repeat what the menus have; tabs are walked with the arrow keys; the cross in a line
/// edit does what deleting its text does.
void TestWindowActs::buttonsCanBeReachedByTab()
{
    for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
        const QWidget* parent = button->parentWidget();
        if (qobject_cast<const QToolBar*>(parent) || qobject_cast<const QTabBar*>(parent)
            || qobject_cast<const QLineEdit*>(parent)
            || button->objectName().startsWith(QLatin1String("qt_"))
            || button->inherits("QTableCornerButton"))
            continue;
        QVERIFY2(button->focusPolicy() & Qt::TabFocus,
            qPrintable(QString::fromLatin1(button->metaObject()->className()) + QLatin1Char(' ')
                + button->text() + QLatin1Char(' ') + button->toolTip() + QLatin1String(" in ")
                + QString::fromLatin1(parent->metaObject()->className())));
    }
}

QTEST_MAIN(TestWindowActs)
#include "tst_window_acts.moc"
