// SPDX-License-Identifier: GPL-3.0-or-later
// What a newcomer does with the keyboard in the first minutes, in the real program.
#include "dialogs/config_dialog.h"
#include "dialogs/delete_dialog.h"
#include "forms/config_form.h"
#include "forms/consumer_form.h"
#include "forms/stream_form.h"
#include "pages/consume_page.h"
#include "pages/explorer.h"
#include "pages/no_match.h"
#include "pages/publish_page.h"
#include "pages/stream_page.h"
#include "support/test_program.h"
#include "window/command_palette.h"
#include "window/program.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using client::AckKind;
using window::Program;

/// The steps build on each other.
class TestFirstUse : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void aNewStreamIsSelected();
    void publishBeginsAtTheSubject();
    void fetchBelongsToTheSelectedStream();
    void onlyWhatIsSeenTakesTheFocus();
    void aWordIsDeletedNotAStream();
    void badHeadersAreNotSent();
    void keysAnswerWhatIsHeld();
    void aButtonThatRestsLeavesTheFocusInTheList();
    void aShortcutShowsTheFirstField_data();
    void aShortcutShowsTheFirstField();
    void noLetterStandsTwice_data();
    void noLetterStandsTwice();
    void aNameFindsItsStream();
    void whatMatchesNothingIsSaid();
    void theWindowsOwnNameFollowsTheLanguage();
    void cleanupTestCase();

private:
    void trigger(const QString& keys);
    void make(const QString& stream);
    /// The texts that hold a mnemonic and can be seen.
    [[nodiscard]] QStringList mnemonicTexts();
    [[nodiscard]] window::MainWindow& window() { return m_program->window(); }
    [[nodiscard]] const StreamOverview* stream(const char* name)
    {
        return window().session()->source.stream(QString::fromLatin1(name));
    }
    [[nodiscard]] std::string selected()
    {
        const models::Session& session = *window().session();
        const StreamOverview* at = session.source.stream(session.selection.stream());
        return at ? at->name : std::string();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
};

void TestFirstUse::initTestCase()
{
    m_program = std::make_unique<Program>(tests::optionsIn(m_folder.path()));
    QVERIFY(tests::starts(*m_program));
}

void TestFirstUse::cleanupTestCase()
{
    m_program.reset();
}

void TestFirstUse::trigger(const QString& keys)
{
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    for (QAction* action : window().actions()) {
        if (action->shortcut() == QKeySequence(keys)) {
            QVERIFY2(action->isEnabled(), qPrintable(keys));
            return action->trigger();
        }
    }
    QFAIL(qPrintable(keys + QStringLiteral(" does nothing")));
}

void TestFirstUse::make(const QString& name)
{
    trigger(QStringLiteral("Ctrl+N"));
    auto* dialog = window().findChild<dialogs::StreamDialog*>();
    QVERIFY(dialog);
    dialog->form()->form()->setText(QStringLiteral("name"), name);
    dialog->form()->form()->setText(
        QStringLiteral("subjects"), name.toLower() + QStringLiteral(".>"));
    QVERIFY(tests::saves(dialog));
    QTRY_VERIFY(!window().findChild<dialogs::StreamDialog*>());
}

void TestFirstUse::aNewStreamIsSelected()
{
    make(QStringLiteral("ALPHA"));
    QTRY_COMPARE(selected(), std::string("ALPHA"));
    make(QStringLiteral("WORK"));
    QTRY_COMPARE(selected(), std::string("WORK"));
}

void TestFirstUse::publishBeginsAtTheSubject()
{
    trigger(QStringLiteral("Ctrl+P"));
    QWidget* focused = window().focusWidget();
    QVERIFY(qobject_cast<QLineEdit*>(focused));
    QVERIFY(window().publishPage()->isAncestorOf(focused));
    QTest::keyClick(focused, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(focused, QStringLiteral("work.new"));
    QCOMPARE(window().publishPage()->message().subject, QStringLiteral("work.new"));
    for (int i = 0; i < 6; ++i) {
        QSignalSpy finished(
            window().publishPage()->controller(), &controllers::PublishController::finished);
        window().publishPage()->publish();
        QTRY_COMPARE(finished.count(), 1);
    }
}

void TestFirstUse::fetchBelongsToTheSelectedStream()
{
    trigger(QStringLiteral("Ctrl+Shift+N"));
    auto* dialog = window().findChild<dialogs::ConsumerDialog*>();
    QVERIFY(dialog);
    dialog->form()->form()->setText(QStringLiteral("durable_name"), QStringLiteral("hand"));
    dialog->form()->form()->setText(QStringLiteral("ack_wait"), QStringLiteral("1h"));
    QVERIFY(tests::saves(dialog));
    QTRY_COMPARE(stream("WORK")->consumers.size(), std::size_t(1));
    trigger(QStringLiteral("Ctrl+G"));
    const auto boxes = window().consumePage()->findChildren<QComboBox*>();
    QCOMPARE(boxes[0]->currentText(), QStringLiteral("WORK"));
    QTRY_COMPARE(boxes[1]->currentText(), QStringLiteral("hand"));
}

void TestFirstUse::onlyWhatIsSeenTakesTheFocus()
{
    trigger(QStringLiteral("Ctrl+G")); // in front: the consume panel
    const QWidget* start = window().focusWidget();
    for (int i = 0; i < 60; ++i) {
        QTest::keyClick(window().focusWidget(), Qt::Key_Tab);
        const QWidget* now = window().focusWidget();
        QVERIFY(now);
        QVERIFY2(!window().publishPage()->isAncestorOf(now), "a hidden panel has the focus");
        QVERIFY(now->isVisible());
    }
    QVERIFY(start);
    trigger(QStringLiteral("Ctrl+P"));
    QVERIFY(window().publishPage()->isAncestorOf(window().focusWidget()));
    QVERIFY(!window().consumePage()->isVisible());
}

void TestFirstUse::aWordIsDeletedNotAStream()
{
    trigger(QStringLiteral("Ctrl+P"));
    auto* edit = qobject_cast<QLineEdit*>(window().focusWidget());
    QVERIFY(edit);
    edit->setText(QStringLiteral("work.new"));
    edit->setCursorPosition(0);
    QTest::keyClick(edit, Qt::Key_Delete, Qt::ControlModifier);
    QCOMPARE(edit->text(), QStringLiteral(".new"));
    QVERIFY(!window().findChild<dialogs::DeleteStreamDialog*>());
    edit->setText(QStringLiteral("work.new"));
}

void TestFirstUse::badHeadersAreNotSent()
{
    pages::PublishPage* page = window().publishPage();
    client::Message message = page->message();
    const client::Message good = message;
    QPushButton* button = nullptr;
    for (auto* one : page->findChildren<QPushButton*>())
        if (one->text() == QStringLiteral("&Publish"))
            button = one;
    QVERIFY(button && button->isEnabled());
    for (const client::Header& bad : {client::Header{QStringLiteral("A:B"), QStringLiteral("v")},
             client::Header{QStringLiteral("A B"), QStringLiteral("v")},
             client::Header{QStringLiteral("A"), QStringLiteral("v\r\nB: c")}}) {
        message.headers = {bad};
        page->setMessage(message);
        QVERIFY2(!button->isEnabled(), qPrintable(bad.name));
    }
    page->setMessage(good);
    QVERIFY(button->isEnabled());
    button->setFocus();
    QSignalSpy finished(page->controller(), &controllers::PublishController::finished);
    QTest::keyClick(button, Qt::Key_Space);
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(window().focusWidget(), static_cast<QWidget*>(button));
}

void TestFirstUse::keysAnswerWhatIsHeld()
{
    trigger(QStringLiteral("Ctrl+G"));
    pages::ConsumePage* page = window().consumePage();
    page->fetch();
    QTRY_COMPARE(page->controller()->held().size(), 5);
    page->view()->setFocus();
    page->view()->selectRow(0);
    const auto answers = [page] {
        int open = 0;
        for (const controllers::HeldMessage& held : page->controller()->held())
            open += held.canAnswer() ? 1 : 0;
        return 5 - open;
    };
    QTest::keyClick(page->view(), Qt::Key_A);
    QTRY_COMPARE(answers(), 1);
    QTest::keyClick(page->view(), Qt::Key_P); // in progress: stays open
    QTest::keyClick(page->view(), Qt::Key_T);
    QTRY_COMPARE(answers(), 2);
    QTest::keyClick(page->view(), Qt::Key_D);
    QTRY_COMPARE(answers(), 3);
    QTRY_COMPARE(stream("WORK")->consumers.front().counts.ackPending, 3U);
}

void TestFirstUse::aButtonThatRestsLeavesTheFocusInTheList()
{
    pages::ConsumePage* page = window().consumePage();
    for (const int row : {3, 4}) {
        page->view()->selectRow(row);
        for (auto* button : page->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Ack") && button->isEnabled()) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QVERIFY(!qobject_cast<QDoubleSpinBox*>(window().focusWidget()));
    }
    QCOMPARE(window().focusWidget(), static_cast<QWidget*>(page->view()));
}

void TestFirstUse::aShortcutShowsTheFirstField_data()
{
    QTest::addColumn<QString>("keys");
    QTest::newRow("publish") << QStringLiteral("Ctrl+P");
    QTest::newRow("fetch") << QStringLiteral("Ctrl+G");
    QTest::newRow("replay") << QStringLiteral("Ctrl+R");
}

/// Also when the field has the focus already and was scrolled away with the wheel.
void TestFirstUse::aShortcutShowsTheFirstField()
{
    QFETCH(QString, keys);
    window().resize(1100, 480);
    trigger(keys);
    QWidget* field = window().focusWidget();
    QScrollArea* panel = nullptr;
    for (QWidget* at = field; at && !panel; at = at->parentWidget())
        panel = qobject_cast<QScrollArea*>(at);
    QVERIFY(panel);
    const auto inView = [&] {
        const QRect place(field->mapTo(panel->viewport(), QPoint()), field->size());
        return panel->viewport()->rect().contains(place);
    };
    QTRY_VERIFY(inView());
    QTRY_VERIFY(panel->verticalScrollBar()->maximum() > 0);
    panel->verticalScrollBar()->setValue(panel->verticalScrollBar()->maximum());
    QVERIFY(!inView());
    trigger(keys);
    QCOMPARE(window().focusWidget(), field);
    QTRY_VERIFY(inView());
    // Another field of the panel gets the focus as a mnemonic would give it.
    panel->verticalScrollBar()->setValue(panel->verticalScrollBar()->maximum());
    window().focusExplorer();
    field->setFocus(Qt::ShortcutFocusReason);
    QTRY_VERIFY(inView());
}

QStringList TestFirstUse::mnemonicTexts()
{
    QStringList texts;
    for (const QAction* action : window().menuBar()->actions())
        texts << action->text();
    for (const QLabel* label : window().findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy())
            texts << label->text();
    }
    for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
        if (button->isVisible())
            texts << button->text();
    }
    for (const QTabBar* bar : window().findChildren<QTabBar*>()) {
        for (int i = 0; bar->isVisible() && i < bar->count(); ++i)
            texts << bar->tabText(i);
    }
    return texts;
}

void TestFirstUse::noLetterStandsTwice_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<settings::Language>("language");
    const std::pair<const char*, settings::Language> languages[]{
        {"English", settings::Language::English}, {"Chinese", settings::Language::Chinese}};
    for (const auto& [name, language] : languages) {
        for (const char* keys : {"Ctrl+P", "Ctrl+G", "Ctrl+R"})
            QTest::addRow("%s %s", keys, name) << QString::fromLatin1(keys) << language;
    }
}

/// The same letter twice in one window opens neither.
void TestFirstUse::noLetterStandsTwice()
{
    QFETCH(QString, keys);
    QFETCH(settings::Language, language);
    trigger(keys);
    window().preferences().setLanguage(language, false);
    QMap<QString, QString> taken;
    for (const QString& text : mnemonicTexts()) {
        const QString key = QKeySequence::mnemonic(text).toString();
        if (key.isEmpty())
            continue;
        QVERIFY2(!taken.contains(key), qPrintable(key + u": " + taken[key] + u" and " + text));
        taken[key] = text;
    }
    QVERIFY(taken.size() > 8);
    window().preferences().setLanguage(settings::Language::English, false);
}

void TestFirstUse::aNameFindsItsStream()
{
    QCOMPARE(selected(), std::string("WORK"));
    trigger(QStringLiteral("Ctrl+L"));
    QTest::keyClicks(window().focusWidget(), QStringLiteral("alp"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Return);
    QCOMPARE(selected(), std::string("ALPHA"));
    trigger(QStringLiteral("Ctrl+L"));
    QTest::keyClicks(window().focusWidget(), QStringLiteral("work"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Return);
    QCOMPARE(selected(), std::string("WORK"));
    trigger(QStringLiteral("Ctrl+L"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Delete);
}

void TestFirstUse::whatMatchesNothingIsSaid()
{
    const auto visible = [this]() -> pages::NoMatch* {
        for (auto* label : window().findChildren<pages::NoMatch*>()) {
            if (label->isVisible())
                return label;
        }
        return nullptr;
    };
    const QString said = QStringLiteral("Nothing matches “zz<z”");
    for (const QString& keys : {QStringLiteral("Ctrl+L"), QStringLiteral("Ctrl+F")}) {
        QVERIFY(!visible());
        trigger(keys);
        auto* field = qobject_cast<QLineEdit*>(window().focusWidget());
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("zz<z"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(visible());
        QVERIFY2(
            visible()->text().contains(QStringLiteral("“zz&lt;z”")), qPrintable(visible()->text()));
        emit visible()->linkActivated(QStringLiteral("clear"));
        QTRY_VERIFY(!visible());
        QVERIFY(field->text().isEmpty());
    }
    window().showTab(pages::StreamPage::LanesTab);
    window().openPalette();
    const QPointer<window::CommandPalette> palette = window().findChild<window::CommandPalette*>();
    QVERIFY(palette);
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("zz<z"));
    const auto* list = palette->findChild<QListWidget*>();
    QCOMPARE(list->count(), 1);
    QVERIFY2(list->item(0)->text().startsWith(said), qPrintable(list->item(0)->text()));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    QVERIFY(palette); // there was nothing to do
    palette->close();
}

void TestFirstUse::theWindowsOwnNameFollowsTheLanguage()
{
    const auto named = [this](const QString& name) {
        const models::ClientDirectory& clients = window().session()->clients;
        return std::any_of(clients.clients().rows.begin(),
            clients.clients().rows.end(),
            [&](const ClientRow& row) { return clients.nameOf(row.id) == name; });
    };
    QTRY_VERIFY(named(QStringLiteral("this window")));
    window().preferences().setLanguage(settings::Language::Chinese, false);
    QVERIFY(!named(QStringLiteral("this window")));
    window().preferences().setLanguage(settings::Language::English, false);
    QVERIFY(named(QStringLiteral("this window")));
}

QTEST_MAIN(TestFirstUse)
#include "tst_first_use.moc"
