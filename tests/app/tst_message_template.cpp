// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/message_template.h"

#include <QTest>

using namespace jetglass::client;

class TestMessageTemplate : public QObject
{
    Q_OBJECT
private slots:
    void expands_data();
    void expands();
    void expandsAllPartsOfAMessage();
    void leavesBinaryPayloadsAlone();
};

void TestMessageTemplate::expands_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* name, const char* text, const char* result) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(result);
    };
    row("nothing to replace", "plain", "plain");
    row("a counter", "order-{{counter}}", "order-42");
    row("a counter filled with zeros", "{{counter:5}}", "00042");
    row("a width smaller than the number", "{{counter:1}}", "42");
    row("blanks inside the braces", "{{ counter }}", "42");
    row("the time in UTC", "{{time}}", "2026-01-31T08:00:00.250Z");
    row("milliseconds", "{{unix_ms}}", "1769846400250");
    row("an id", "{{uuid}}", "the-id");
    row("several, with text between", "{{counter}}/{{uuid}}!", "42/the-id!");
    row("an unknown name stays", "{{name}} {{counter}}", "{{name}} 42");
    row("braces that are not closed stay", "{{counter", "{{counter");
    row("a value is not expanded again", "{{{{counter}}}}", "{{42}}");
    row("Chinese around it", "订单{{counter}}号", "订单42号");
}

void TestMessageTemplate::expands()
{
    QFETCH(QString, text);
    const QDateTime time(QDate(2026, 1, 31), QTime(8, 0, 0, 250), Qt::UTC);
    QTEST(expandTemplate(text, {42, time, QStringLiteral("the-id")}), "result");
}

void TestMessageTemplate::expandsAllPartsOfAMessage()
{
    Message m;
    m.subject = QStringLiteral("orders.{{counter}}");
    m.headers = {{QStringLiteral("Nats-Msg-Id"), QStringLiteral("id-{{counter}}")}};
    m.payload = "{\"n\":{{counter}}}";
    const Message e = expandTemplate(m, {7, {}, {}});
    QCOMPARE(e.subject, QStringLiteral("orders.7"));
    QCOMPARE(e.header(QStringLiteral("Nats-Msg-Id")), QStringLiteral("id-7"));
    QCOMPARE(e.payload, QByteArray("{\"n\":7}"));
}

void TestMessageTemplate::leavesBinaryPayloadsAlone()
{
    Message m;
    m.payload = QByteArray("\xff\xfe{{counter}}", 13);
    QCOMPARE(expandTemplate(m, {7, {}, {}}).payload, m.payload);
}

QTEST_GUILESS_MAIN(TestMessageTemplate)
#include "tst_message_template.moc"
