// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/hex_text.h"
#include "payload/json_text.h"
#include "payload/long_lines.h"

#include <QTest>

using namespace jetglass::payload;

class TestPayloadText : public QObject
{
    Q_OBJECT

private slots:
    void pretty_data();
    void pretty();
    void notJson_data();
    void notJson();
    void hex_data();
    void hex();
    void longLines_data();
    void longLines();
    void text_data();
    void text();
};

void TestPayloadText::pretty_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QString>("out");
    QTest::newRow("keys keep their order")
        << QByteArray(R"({"z":1,"a":2})") << QStringLiteral("{\n  \"z\": 1,\n  \"a\": 2\n}");
    QTest::newRow("numbers keep their form") << QByteArray(
        "[12345678901234567890,1.50]") << QStringLiteral("[\n  12345678901234567890,\n  1.50\n]");
    QTest::newRow("nested and empty")
        << QByteArray(R"({"a":{},"b":[ ],"c":[{"d":null}]})")
        << QStringLiteral("{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    {\n"
                          "      \"d\": null\n    }\n  ]\n}");
    QTest::newRow("brackets in strings")
        << QByteArray(R"({"a":"}{],:\""})") << QStringLiteral("{\n  \"a\": \"}{],:\\\"\"\n}");
    QTest::newRow("already indented")
        << QByteArray("{ \"a\" :\n\t1 }") << QStringLiteral("{\n  \"a\": 1\n}");
    QTest::newRow("a bare number") << QByteArray(" 42 ") << QStringLiteral("42");
    QTest::newRow("a bare string") << QByteArray("\"hi\"") << QStringLiteral("\"hi\"");
    QTest::newRow("Chinese") << QByteArray("{\"名\":\"值\"}")
                             << QStringLiteral("{\n  \"名\": \"值\"\n}");
}

void TestPayloadText::pretty()
{
    QFETCH(QByteArray, in);
    const auto out = prettyJson(in);
    QVERIFY(out);
    QTEST(*out, "out");
}

void TestPayloadText::notJson_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("words") << QByteArray("hello world");
    QTest::newRow("cut short") << QByteArray("{\"a\":1");
    QTest::newRow("two values") << QByteArray("1,2");
    QTest::newRow("bytes") << QByteArray("\x00\x01\x02", 3);
}

void TestPayloadText::notJson()
{
    QFETCH(QByteArray, in);
    JsonProblem problem;
    QVERIFY(!prettyJson(in, &problem));
    QVERIFY(!problem.what.isEmpty());
}

void TestPayloadText::hex_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QString>("out");
    QTest::newRow("nothing") << QByteArray() << QString();
    QTest::newRow("a short line") << QByteArray("Az\x00\xff",
        4) << QStringLiteral("00000000  41 7a 00 ff                                       Az..");
    QTest::newRow("a full line and more")
        << QByteArray("0123456789abcdefX")
        << QStringLiteral(
               "00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n"
               "00000010  58                                                X");
}

void TestPayloadText::hex()
{
    QFETCH(QByteArray, in);
    QTEST(hexText(in), "out");
}

void TestPayloadText::longLines_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<int>("lines");
    const QString x(kLongestLine, u'x');
    QTest::newRow("short") << QStringLiteral("a\nb") << 2;
    QTest::newRow("just fits") << x << 1;
    QTest::newRow("one too long") << x + u'y' << 2;
    QTest::newRow("breaks of its own") << x + u'\n' + x << 2;
    QTest::newRow("many") << x + x + x << 3;
    QTest::newRow("a pair on the border")
        << QString(kLongestLine - 1, u'x') + QString::fromUtf8("😀") + u'z' << 2;
}

void TestPayloadText::longLines()
{
    QFETCH(QString, in);
    bool broken = false;
    const QString out = breakLongLines(in, broken);
    const QStringList lines = out.split(u'\n');
    QTEST(static_cast<int>(lines.size()), "lines");
    QCOMPARE(broken, out != in);
    for (const QString& line : lines) {
        QCOMPARE_LE(line.size(), kLongestLine + 1);
        QVERIFY(line.isValidUtf16());
    }
    QCOMPARE(QString(out).remove(u'\n'), QString(in).remove(u'\n'));
}

void TestPayloadText::text_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<bool>("cut");
    QTest::addColumn<bool>("expected");
    QTest::newRow("ascii") << QByteArray("hello\n") << false << true;
    QTest::newRow("empty") << QByteArray() << false << true;
    QTest::newRow("Chinese") << QByteArray("消息") << false << true;
    QTest::newRow("half a character at the end of a cut")
        << QByteArray("消息").chopped(1) << true << true;
    QTest::newRow("half a character otherwise") << QByteArray("消息").chopped(1) << false << false;
    QTest::newRow("a zero byte") << QByteArray("a\0b", 3) << false << false;
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x00", 3) << false << false;
}

void TestPayloadText::text()
{
    QFETCH(QByteArray, in);
    QFETCH(bool, cut);
    QTEST(isText(in, cut), "expected");
}

QTEST_GUILESS_MAIN(TestPayloadText)
#include "tst_payload_text.moc"
