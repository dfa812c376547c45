// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to keys that are typed into the dialogs. No broker: nothing is ever sent.
#include "dialogs/config_dialog.h"
#include "dialogs/purge_dialog.h"
#include "forms/config_form.h"
#include "forms/consumer_form.h"
#include "forms/same_as_view.h"
#include "forms/stream_form.h"

#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>

using namespace jetglass;

class TestDialogs : public QObject
{
    Q_OBJECT
private slots:
    void typingChoosesTheOption_data();
    void typingChoosesTheOption();
    void theStreamFormBeginsAtTheName();
    void aConsumerWithoutANameIsNotCreatedByReturn();
};

void TestDialogs::typingChoosesTheOption_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<quint64>("seq");
    QTest::addColumn<quint64>("keep");
    QTest::newRow("before a sequence") << QStringLiteral("purgeSeq") << quint64(12) << quint64(0);
    QTest::newRow("all but the newest") << QStringLiteral("purgeKeep") << quint64(0) << quint64(12);
}

void TestDialogs::typingChoosesTheOption()
{
    QFETCH(QString, field);
    QFETCH(quint64, seq);
    QFETCH(quint64, keep);
    dialogs::PurgeDialog dialog(nullptr, nullptr, QStringLiteral("ORDERS"));
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto* edit = dialog.findChild<QLineEdit*>(field);
    QVERIFY(edit && edit->isEnabled());
    edit->setFocus();
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("1"));
    QVERIFY(edit->hasFocus());
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("2"));
    QVERIFY(edit->hasFocus());
    QCOMPARE(edit->text(), QStringLiteral("12"));
    QCOMPARE(dialog.request().seq, seq);
    QCOMPARE(dialog.request().keep, keep);
    QVERIFY(dialog.request().filter.isEmpty());
    const auto* command = dialog.findChild<forms::SameAsView*>();
    QVERIFY(command && command->isVisible());
    // Emptied again it still does not mean all: nothing can be pressed.
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QVERIFY(!dialog.purgeButton()->isEnabled());
    QVERIFY2(!command->isVisible(), "a command that purges everything can be copied");
    QVERIFY(!dialog.findChildren<QRadioButton*>().first()->isChecked());
}

void TestDialogs::theStreamFormBeginsAtTheName()
{
    dialogs::StreamDialog dialog(nullptr, nullptr, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("ORDERS"));
    QCOMPARE(dialog.form()->form()->text(QStringLiteral("name")), QStringLiteral("ORDERS"));
}

void TestDialogs::aConsumerWithoutANameIsNotCreatedByReturn()
{
    dialogs::ConsumerDialog dialog(
        nullptr, nullptr, {{QStringLiteral("name"), QStringLiteral("ORDERS")}}, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    const auto saves = [&dialog] {
        for (const QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->isDefault())
                return button->text();
        }
        return QString();
    };
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
    QVERIFY(dialog.isVisible()); // nor was it cancelled
    QVERIFY2(dialog.resultText().contains(QStringLiteral("name")), qPrintable(dialog.resultText()));
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("worker"));
    QCOMPARE(dialog.form()->form()->text(QStringLiteral("durable_name")), QStringLiteral("worker"));
    QCOMPARE(saves(), QStringLiteral("&Create"));
}

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
