// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/base64.h"
#include "base/time_text.h"

#include <QTest>

using namespace jetglass::base;

class TestTimeText : public QObject
{
    Q_OBJECT
private slots:
    void rfc3339_data();
    void rfc3339();
    void refusesBadTimes();
    void durations_data();
    void durations();
    void refusesBadDurations();
    void base64RoundTrip();
    void accountHash();
};

void TestTimeText::rfc3339_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("printed");
    QTest::newRow("whole second") << "2026-11-29T15:34:01Z" << qint64(1795966441000000000)
                                  << "2026-11-29T15:34:01Z";
    QTest::newRow("nine digits") << "2026-11-29T15:34:01.572312964Z" << qint64(1795966441572312964)
                                 << "2026-11-29T15:34:01.572312964Z";
    QTest::newRow("zeros are cut")
        << "2026-11-29T15:34:01.500Z" << qint64(1795966441500000000) << "2026-11-29T15:34:01.5Z";
    QTest::newRow("offset") << "2026-11-29T17:34:01+02:00" << qint64(1795966441000000000)
                            << "2026-11-29T15:34:01Z";
    QTest::newRow("zero time") << "0001-01-01T00:00:00Z" << qint64(kZeroTime)
                               << "0001-01-01T00:00:00Z";
    QTest::newRow("epoch") << "1970-01-01T00:00:00Z" << qint64(0) << "1970-01-01T00:00:00Z";
    QTest::newRow("before the epoch")
        << "1969-12-31T23:59:59.9Z" << qint64(-100000000) << "1969-12-31T23:59:59.9Z";
}

void TestTimeText::rfc3339()
{
    QFETCH(QString, text);
    QFETCH(qint64, ns);
    QFETCH(QString, printed);
    const auto parsed = parseRfc3339(text.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(qint64(*parsed), ns);
    QCOMPARE(QString::fromStdString(jetglass::base::rfc3339(ns)), printed);
}

void TestTimeText::refusesBadTimes()
{
    for (const char* text : {"",
             "2026-11-29",
             "2026-13-29T15:34:01Z",
             "2026-11-29T15:34:01",
             "2026-11-29T15:34:01.Z",
             "2026-11-29 15:34:01Z",
             "2026-02-30T00:00:00Z",
             "2026-11-29T15:34:01+0200"})
        QVERIFY2(!parseRfc3339(text), text);
}

void TestTimeText::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("printed");
    QTest::newRow("zero") << "0" << qint64(0) << "0s";
    QTest::newRow("ms") << "300ms" << qint64(300000000) << "300ms";
    QTest::newRow("mixed") << "1m30s" << qint64(90000000000) << "1m30s";
    QTest::newRow("hours") << "1.5h" << qint64(5400000000000) << "1h30m0s";
    QTest::newRow("fraction") << "1500ms" << qint64(1500000000) << "1.5s";
    QTest::newRow("negative") << "-2s" << qint64(-2000000000) << "-2s";
    QTest::newRow("micro") << "1.5us" << qint64(1500) << "1.5µs";
    QTest::newRow("nano") << "7ns" << qint64(7) << "7ns";
}

void TestTimeText::durations()
{
    QFETCH(QString, text);
    QFETCH(qint64, ns);
    QFETCH(QString, printed);
    const auto parsed = parseGoDuration(text.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(qint64(*parsed), ns);
    QCOMPARE(QString::fromStdString(goDuration(ns)), printed);
}

void TestTimeText::refusesBadDurations()
{
    for (const char* text : {"", "5", "s", "1x", "1m2", "--1s", "1..5s"})
        QVERIFY2(!parseGoDuration(text), text);
}

void TestTimeText::base64RoundTrip()
{
    for (const std::string& bytes : {std::string(""),
             std::string("a"),
             std::string("ab"),
             std::string("abc"),
             std::string("\x00\xff\x10\x80", 4)}) {
        const auto back = parseBase64(base64(bytes));
        QVERIFY(back.has_value());
        QVERIFY(*back == bytes);
    }
    QCOMPARE(base64("ab"), std::string("YWI="));
    QVERIFY(!parseBase64("a*b"));
}

void TestTimeText::accountHash()
{
    QCOMPARE(shortHash("$G"), std::string("szMpdrwD"));
}

QTEST_GUILESS_MAIN(TestTimeText)
#include "tst_time_text.moc"
