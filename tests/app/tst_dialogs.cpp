// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to keys that are typed into the dialogs. No broker: nothing is ever sent.
#include "client/same_as.h"
#include "dialogs/config_dialog.h"
#include "dialogs/preview_view.h"
#include "dialogs/purge_dialog.h"
#include "forms/config_form.h"
#include "forms/consumer_form.h"
#include "forms/same_as_view.h"
#include "forms/stream_form.h"
#include "forms/tone.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>

#include <algorithm>

using namespace jetglass;

class TestDialogs : public QObject
{
    Q_OBJECT
private slots:
    void typingChoosesTheOption_data();
    void typingChoosesTheOption();
    void theStreamFormBeginsAtTheName();
    void aNewFormShowsNoError();
    void aConsumerWithoutANameIsNotCreatedByReturn();
    void theTablesShowTheirRows_data();
    void theTablesShowTheirRows();
    void theCommandFitsItsBox();
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

/// What nobody has filled in yet is said quietly; red comes with the attempt.
void TestDialogs::aNewFormShowsNoError()
{
    dialogs::StreamDialog stream(nullptr, nullptr, {});
    dialogs::ConsumerDialog consumer(
        nullptr, nullptr, {{QStringLiteral("name"), QStringLiteral("ORDERS")}}, {});
    const QColor red = forms::toneColor(forms::Tone::Bad, stream.palette());
    const auto reds = [&red](const QDialog& dialog) {
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        return std::count_if(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && !label->text().isEmpty()
                && label->palette().color(label->foregroundRole()) == red;
        });
    };
    stream.show();
    consumer.show();
    QVERIFY(QTest::qWaitForWindowActive(&consumer));
    QCOMPARE(reds(stream), 0);
    QCOMPARE(reds(consumer), 0);
    QVERIFY(stream.resultText().contains(QStringLiteral("name")));
    stream.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&stream));
    stream.form()->form()->setText(QStringLiteral("subjects"), QStringLiteral("orders.>"));
    QCOMPARE(reds(stream), 0);
    stream.form()->form()->setText(QStringLiteral("max_age"), QStringLiteral("soon"));
    QVERIFY(reds(stream) > 0);
    stream.form()->form()->setText(QStringLiteral("max_age"), QString());
    QCOMPARE(reds(stream), 0);
    stream.form()->form()->focusField(QStringLiteral("name"));
    QTest::keyClick(stream.focusWidget(), Qt::Key_Return);
    QVERIFY(reds(stream) > 0);
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

void TestDialogs::theTablesShowTheirRows_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("seen");
    QTest::newRow("one") << 1 << 1;
    QTest::newRow("three") << 3 << 3;
    QTest::newRow("more than there is room for") << 20 << 4;
}

/// Where a dialog is as small as it gets, whole rows are in view, and no room is left blank.
void TestDialogs::theTablesShowTheirRows()
{
    QFETCH(int, rows);
    QFETCH(int, seen);
    PreviewAnswer answer;
    answer.found = true;
    answer.count = static_cast<std::uint64_t>(rows);
    for (int i = 1; i <= rows; ++i) {
        MessageRow row;
        row.seq = StreamSeq(static_cast<std::uint64_t>(i));
        row.subject = "orders.created";
        answer.sample.push_back(row);
        answer.consumers.push_back({});
    }
    dialogs::PreviewView view;
    view.setPreview(answer);
    view.resize(500, 10);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.resize(500, view.minimumSizeHint().height());
    for (const QTableWidget* table : view.findChildren<QTableWidget*>()) {
        const QRect last = table->visualItemRect(table->item(seen - 1, 0));
        QTRY_COMPARE_GE(table->viewport()->height(), last.bottom() + 1);
        QCOMPARE_LE(table->maximumHeight() - table->horizontalHeader()->height(),
            table->verticalHeader()->defaultSectionSize() * std::min(rows, 8) + 8);
    }
}

void TestDialogs::theCommandFitsItsBox()
{
    forms::SameAsView view;
    view.setServer(QStringLiteral("nats://127.0.0.1:39937"));
    client::Message message;
    message.subject = QStringLiteral("orders.created");
    message.payload = "{\"order_id\":\"ORD-7\"}";
    view.setAction(client::PublishAction{message});
    const auto* box = view.findChild<QPlainTextEdit*>();
    const auto* tabs = view.findChild<QTabBar*>();
    for (const int width : {300, 700}) {
        view.resize(width, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_COMPARE(box->horizontalScrollBar()->maximum(), 0);
        QVERIFY(tabs->tabRect(tabs->count() - 1).right() <= tabs->width());
    }
}

QTEST_MAIN(TestDialogs)
#include "tst_dialogs.moc"
