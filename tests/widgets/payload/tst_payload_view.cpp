// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/payload_view.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

using namespace jetglass;
using payload::PayloadView;

class TestPayloadView : public QObject
{
    Q_OBJECT

private slots:
    void formFitsTheContent_data();
    void formFitsTheContent();
    void choiceStays();
    void largeIsCut();
    void restIsAskedFor();
    void headersAreListed();
    void copies();
    void disabledJsonSaysWhy();
};

namespace {

items::PayloadItem message(const QByteArray& payload, quint64 seq = 1)
{
    items::PayloadItem item;
    item.seq = seq;
    item.payload = payload;
    item.payloadSize = static_cast<quint64>(payload.size());
    return item;
}

QToolButton* button(PayloadView& view, const QString& text)
{
    for (QToolButton* candidate : view.findChildren<QToolButton*>()) {
        if (candidate->text() == text) {
            return candidate;
        }
    }
    return nullptr;
}

} // namespace

void TestPayloadView::formFitsTheContent_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<int>("form");
    QTest::addColumn<QString>("text");
    QTest::newRow("an object") << QByteArray(R"({"a":1})") << int(PayloadView::Form::Json)
                               << QStringLiteral("{\n  \"a\": 1\n}");
    QTest::newRow("words") << QByteArray("hello") << int(PayloadView::Form::Text)
                           << QStringLiteral("hello");
    QTest::newRow("bytes") << QByteArray("\x01\x02", 2) << int(PayloadView::Form::Hex)
                           << QStringLiteral(
                                  "00000000  01 02                                             ..");
    QTest::newRow("nothing") << QByteArray() << int(PayloadView::Form::Text) << QString();
}

void TestPayloadView::formFitsTheContent()
{
    QFETCH(QByteArray, payload);
    QFETCH(int, form);
    PayloadView view;
    view.setMessage(message(payload));
    QCOMPARE_EQ(int(view.form()), form);
    QTEST(view.shownText(), "text");
}

void TestPayloadView::choiceStays()
{
    PayloadView view;
    view.setMessage(message(R"({"a":1})"));
    QTest::mouseClick(button(view, QStringLiteral("Hex")), Qt::LeftButton);
    QVERIFY(view.form() == PayloadView::Form::Hex);
    view.setMessage(message("hello", 2));
    QVERIFY(view.form() == PayloadView::Form::Hex);
    view.setForm(PayloadView::Form::Json); // not possible for words
    QVERIFY(view.form() == PayloadView::Form::Text);
    view.setMessage(message("[1]", 3));
    QVERIFY(view.form() == PayloadView::Form::Json);
}

void TestPayloadView::largeIsCut()
{
    PayloadView view;
    view.setMessage(message(QByteArray(PayloadView::kTextLimit + 1000, 'x')));
    QVERIFY(view.isCut());
    QCOMPARE_EQ(view.shownText().remove(u'\n').size(), PayloadView::kTextLimit);
    view.showAll();
    QVERIFY(!view.isCut());
    QCOMPARE_EQ(view.shownText().remove(u'\n').size(), PayloadView::kTextLimit + 1000);
    // The next message is cut again.
    view.setMessage(message(QByteArray(PayloadView::kTextLimit + 1000, 'y'), 2));
    QVERIFY(view.isCut());
}

void TestPayloadView::restIsAskedFor()
{
    PayloadView view;
    items::PayloadItem part = message("first bytes", 7);
    part.payloadSize = 1'000'000;
    view.setMessage(part);
    QVERIFY(view.isCut());
    QSignalSpy asked(&view, &PayloadView::loadAllRequested);
    view.showAll();
    QCOMPARE_EQ(asked.size(), 1);
    QCOMPARE_EQ(asked[0][0].toULongLong(), quint64{7});
    view.setMessage(message(QByteArray(1'000'000, 'z'), 7));
    QVERIFY(!view.isCut());
    QCOMPARE_EQ(view.shownText().remove(u'\n').size(), 1'000'000);
}

void TestPayloadView::headersAreListed()
{
    PayloadView view;
    auto* table = view.findChild<QTableWidget*>();
    QVERIFY(!table->isVisibleTo(&view));
    items::PayloadItem item = message("x");
    item.headers = {{QStringLiteral("Nats-Msg-Id"), QStringLiteral("order-1")},
        {QStringLiteral("Empty"), QString()}};
    view.setMessage(item);
    QVERIFY(table->isVisibleTo(&view));
    QCOMPARE_EQ(table->rowCount(), 2);
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("order-1"));
    view.clear();
    QVERIFY(!table->isVisibleTo(&view));
    QVERIFY(view.shownText().isEmpty());
}

void TestPayloadView::copies()
{
    PayloadView view;
    view.setMessage(message(R"([1,2])"));
    QTest::mouseClick(button(view, QStringLiteral("Copy")), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("[\n  1,\n  2\n]"));
}

void TestPayloadView::disabledJsonSaysWhy()
{
    PayloadView view;
    view.setMessage(message("{\"a\":"));
    const QToolButton* json = button(view, QStringLiteral("JSON"));
    QVERIFY(!json->isEnabled());
    QVERIFY2(json->toolTip().startsWith(QStringLiteral("Not JSON: ")), qPrintable(json->toolTip()));
}

QTEST_MAIN(TestPayloadView)
#include "tst_payload_view.moc"
