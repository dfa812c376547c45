// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/units.h"

#include <QTest>

using namespace jetglass::forms;

class TestUnits : public QObject
{
    Q_OBJECT
private slots:
    void sizes_data();
    void sizes();
    void durations_data();
    void durations();
    void counts_data();
    void counts();
    void textsReadBack_data();
    void textsReadBack();
};

namespace {
constexpr qint64 kBad = -99;
constexpr qint64 kSecond = 1000000000;
} // namespace

void TestUnits::sizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("nothing is no limit") << QString() << qint64(-1);
    QTest::newRow("minus one is no limit") << QStringLiteral("-1") << qint64(-1);
    QTest::newRow("the word") << QStringLiteral("Unlimited") << qint64(-1);
    QTest::newRow("bare bytes") << QStringLiteral("1000") << qint64(1000);
    QTest::newRow("binary unit") << QStringLiteral("1 GiB") << qint64(1073741824);
    QTest::newRow("decimal unit") << QStringLiteral("1GB") << qint64(1000000000);
    QTest::newRow("single letter is binary") << QStringLiteral("512k") << qint64(524288);
    QTest::newRow("a fraction") << QStringLiteral("1.5 KiB") << qint64(1536);
    QTest::newRow("largest whole number")
        << QStringLiteral("9223372036854775807") << qint64(9223372036854775807);
    QTest::newRow("too large") << QStringLiteral("9223372036854775807k") << kBad;
    QTest::newRow("unknown unit") << QStringLiteral("3 apples") << kBad;
    QTest::newRow("negative") << QStringLiteral("-5") << kBad;
}

void TestUnits::sizes()
{
    QFETCH(QString, text);
    QTEST(parseSize(text).value_or(kBad), "bytes");
}

void TestUnits::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("nothing is zero") << QString() << qint64(0);
    QTest::newRow("hours") << QStringLiteral("24h") << 86400 * kSecond;
    QTest::newRow("parts") << QStringLiteral("1m30s") << 90 * kSecond;
    QTest::newRow("parts with blanks and words") << QStringLiteral("1 h 30 min") << 5400 * kSecond;
    QTest::newRow("milliseconds are not minutes") << QStringLiteral("500ms") << kSecond / 2;
    QTest::newRow("a fraction") << QStringLiteral("1.5h") << 5400 * kSecond;
    QTest::newRow("days") << QStringLiteral("2d") << 172800 * kSecond;
    QTest::newRow("weeks") << QStringLiteral("1w") << 604800 * kSecond;
    QTest::newRow("a bare number is seconds") << QStringLiteral("30") << 30 * kSecond;
    QTest::newRow("nanoseconds") << QStringLiteral("7ns") << qint64(7);
    QTest::newRow("negative") << QStringLiteral("-1s") << kBad;
    QTest::newRow("no unit after a part") << QStringLiteral("1m30") << kBad;
    QTest::newRow("words") << QStringLiteral("soon") << kBad;
    QTest::newRow("too long") << QStringLiteral("999999999w") << kBad;
}

void TestUnits::durations()
{
    QFETCH(QString, text);
    QTEST(parseDuration(text).value_or(kBad), "ns");
}

void TestUnits::counts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("count");
    QTest::newRow("nothing is no limit") << QString() << qint64(-1);
    QTest::newRow("digits") << QStringLiteral("1000") << qint64(1000);
    QTest::newRow("grouped digits") << QStringLiteral("1 000_000") << qint64(1000000);
    QTest::newRow("thousands") << QStringLiteral("10k") << qint64(10000);
    QTest::newRow("millions with a fraction") << QStringLiteral("1.5M") << qint64(1500000);
    QTest::newRow("a fraction of a message") << QStringLiteral("1.5") << kBad;
    QTest::newRow("words") << QStringLiteral("many") << kBad;
}

void TestUnits::counts()
{
    QFETCH(QString, text);
    QTEST(parseCount(text).value_or(kBad), "count");
}

void TestUnits::textsReadBack_data()
{
    QTest::addColumn<qint64>("value");
    for (const qint64 v : {qint64(1),
             qint64(999),
             qint64(1000),
             qint64(1024),
             qint64(1000000),
             qint64(1048577),
             90 * kSecond,
             86400 * kSecond,
             172800 * kSecond,
             kSecond + 1,
             qint64(1500000),
             qint64(1099511627776)})
        QTest::addRow("%lld", static_cast<long long>(v)) << v;
}

void TestUnits::textsReadBack()
{
    QFETCH(qint64, value);
    QCOMPARE(parseSize(sizeText(value)).value_or(kBad), value);
    QCOMPARE(parseDuration(durationText(value)).value_or(kBad), value);
}

QTEST_GUILESS_MAIN(TestUnits)
#include "tst_units.moc"
