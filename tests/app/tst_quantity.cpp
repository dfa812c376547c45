// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/breakable.h"
#include "text/quantity.h"

#include <QLocale>
#include <QTest>

using namespace jetglass;

namespace {
constexpr qint64 kMs = 1'000'000;
constexpr qint64 kSecond = 1000 * kMs;
QString plain(QString text)
{
    return text.replace(QChar(0xA0), QLatin1Char(' '));
}
} // namespace

class TestQuantity : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void bytes_data();
    void bytes();
    void longNamesMayBreak();
    void durations_data();
    void durations();
    void settings_data();
    void settings();
    void rates_data();
    void rates();
    void shortCounts_data();
    void shortCounts();
    void times();
};

void TestQuantity::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    text::showUtc(true);
}

void TestQuantity::bytes_data()
{
    QTest::addColumn<quint64>("n");
    QTest::addColumn<QString>("expected");
    QTest::newRow("nothing") << quint64(0) << "0 B";
    QTest::newRow("few") << quint64(184) << "184 B";
    QTest::newRow("just below a unit") << quint64(1023) << "1,023 B";
    QTest::newRow("a unit has no .0") << quint64(1024) << "1 KiB";
    QTest::newRow("with a digit") << quint64(10035) << "9.8 KiB";
    QTest::newRow("three digits are enough") << quint64(157286400) << "150 MiB";
    QTest::newRow("rounds into the next unit") << quint64(1048570) << "1 MiB";
    QTest::newRow("the largest") << ~quint64(0) << "16,384 PiB";
}

void TestQuantity::bytes()
{
    QFETCH(quint64, n);
    QTEST(plain(text::bytes(n)), "expected");
}

void TestQuantity::durations_data()
{
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("expected");
    QTest::newRow("past counts as nothing") << qint64(-5) << "0 ms";
    QTest::newRow("less than a millisecond") << qint64(1000) << "< 1 ms";
    QTest::newRow("milliseconds") << 350 * kMs << "350 ms";
    QTest::newRow("seconds") << 7600 * kMs << "7.6 s";
    QTest::newRow("minutes and seconds") << 372 * kSecond << "6 min 12 s";
    QTest::newRow("whole minutes") << 120 * kSecond << "2 min";
    QTest::newRow("hours and minutes") << 11100 * kSecond << "3 h 5 min";
    QTest::newRow("days") << 86400 * 2 * kSecond << "2 d";
    QTest::newRow("days and hours") << (86400 * 2 + 3600 * 3) * kSecond << "2 d 3 h";
}

void TestQuantity::durations()
{
    QFETCH(qint64, ns);
    QTEST(plain(text::duration(ns)), "expected");
}

void TestQuantity::settings_data()
{
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("expected");
    QTest::newRow("zero is off") << qint64(0) << "off";
    QTest::newRow("30 s stays 30 s") << 30 * kSecond << "30 s";
    QTest::newRow("24 h is a day") << 86400 * kSecond << "1 d";
    QTest::newRow("an hour and a half") << 5400 * kSecond << "1 h 30 min";
    QTest::newRow("milliseconds are not rounded") << 1250 * kMs << "1,250 ms";
    QTest::newRow("nor are nanoseconds") << qint64(1'000'001) << "1,000,001 ns";
}

void TestQuantity::settings()
{
    QFETCH(qint64, ns);
    QTEST(plain(text::setting(ns)), "expected");
}

void TestQuantity::rates_data()
{
    QTest::addColumn<double>("perSecond");
    QTest::addColumn<QString>("expected");
    QTest::newRow("nothing") << 0.0 << "0";
    QTest::newRow("less than one") << 0.42 << "0.4";
    QTest::newRow("hundreds are whole") << 412.4 << "412";
    QTest::newRow("thousands are grouped") << 1180.0 << "1,180";
    QTest::newRow("many are shortened") << 96'240.0 << "96.2 k";
}

void TestQuantity::rates()
{
    QFETCH(double, perSecond);
    QTEST(plain(text::rate(perSecond)), "expected");
}

void TestQuantity::shortCounts_data()
{
    QTest::addColumn<quint64>("n");
    QTest::addColumn<QString>("expected");
    QTest::newRow("small") << quint64(950) << "950";
    QTest::newRow("thousand") << quint64(1234) << "1.2 k";
    QTest::newRow("million") << quint64(12'500'000) << "12.5 M";
    QTest::newRow("no 1000 k") << quint64(999'950) << "1 M";
}

void TestQuantity::shortCounts()
{
    QFETCH(quint64, n);
    QTEST(plain(text::shortCount(n)), "expected");
}

void TestQuantity::times()
{
    const qint64 at = 1'764'448'402'171'250'000; // 2025-11-29 20:33:22.171250 UTC
    QCOMPARE(text::clockTime(at), QStringLiteral("20:33:22.171"));
    QCOMPARE(text::moment(at, at + kSecond), QStringLiteral("20:33:22.171"));
    QCOMPARE(text::moment(at, at + 86400 * kSecond), QStringLiteral("2025-11-29 20:33:22"));
    QVERIFY(text::exactTime(at).startsWith(QStringLiteral("2025-11-29 20:33:22.171250 UTC")));
}

void TestQuantity::longNamesMayBreak()
{
    const QString space(QChar(0x200B));
    QCOMPARE(text::breakable(QStringLiteral("orders.created by a-b")),
        QStringLiteral("orders.%1created by a-b").arg(space));
    QCOMPARE(text::breakable(QString(45, QLatin1Char('x'))),
        QString(20, QLatin1Char('x')) + space + QString(20, QLatin1Char('x')) + space
            + QString(5, QLatin1Char('x')));
    QCOMPARE(
        text::breakable(QStringLiteral("short words only")), QStringLiteral("short words only"));
}

QTEST_GUILESS_MAIN(TestQuantity)
#include "tst_quantity.moc"
