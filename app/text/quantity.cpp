// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/quantity.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <cmath>

namespace jetglass::text {

namespace {

constexpr qint64 kMs = 1'000'000;
constexpr qint64 kSecond = 1'000 * kMs;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

bool g_utc = false; // GUI thread only

struct Quantity
{
    Q_DECLARE_TR_FUNCTIONS(Quantity)
};

/// One digit behind the point below 100, none above: three digits carry what the eye takes in.
QString threeDigits(double value)
{
    const int decimals = value < 99.95 ? 1 : 0;
    QString text = QLocale().toString(value, 'f', decimals);
    const QString zero = QString(QLocale().decimalPoint()) + QLocale().zeroDigit();
    if (decimals == 1 && text.endsWith(zero))
        text.chop(zero.size());
    return text;
}

QString withUnit(qint64 n, const QString& unit)
{
    return QLocale().toString(n) + QChar(0xA0) + unit;
}

QDateTime dateTime(qint64 wallNs)
{
    const qint64 ms = wallNs >= 0 ? wallNs / kMs : -((-wallNs + kMs - 1) / kMs);
    return g_utc ? QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC) : QDateTime::fromMSecsSinceEpoch(ms);
}

/// The two largest units of a span.
QString twoUnits(qint64 ns)
{
    if (ns >= kDay) {
        const qint64 hours = (ns % kDay) / kHour;
        const QString days = withUnit(ns / kDay, Quantity::tr("d"));
        return hours == 0 ? days : days + QLatin1Char(' ') + withUnit(hours, Quantity::tr("h"));
    }
    if (ns >= kHour) {
        const qint64 minutes = (ns % kHour) / kMinute;
        const QString hours = withUnit(ns / kHour, Quantity::tr("h"));
        return minutes == 0 ? hours
                            : hours + QLatin1Char(' ') + withUnit(minutes, Quantity::tr("min"));
    }
    const qint64 seconds = (ns % kMinute) / kSecond;
    const QString minutes = withUnit(ns / kMinute, Quantity::tr("min"));
    return seconds == 0 ? minutes
                        : minutes + QLatin1Char(' ') + withUnit(seconds, Quantity::tr("s"));
}

} // namespace

QString count(quint64 n)
{
    return QLocale().toString(n);
}

QString shortCount(quint64 n)
{
    static constexpr std::array<const char*, 5> kUnits{"", "k", "M", "G", "T"};
    double value = static_cast<double>(n);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    if (unit == 0)
        return count(n);
    return threeDigits(value) + QChar(0xA0) + QLatin1String(kUnits[unit]);
}

int plural(quint64 n)
{
    return static_cast<int>(std::min<quint64>(n, 2'000'000'000));
}

QString bytes(quint64 n)
{
    static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = static_cast<double>(n);
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return threeDigits(value) + QChar(0xA0) + QLatin1String(kUnits[unit]);
}

QString rate(double perSecond)
{
    const double value = std::max(0.0, perSecond);
    if (value < 0.05)
        return QLocale().toString(0);
    if (value < 9.95)
        return threeDigits(value);
    if (value < 9999.5)
        return QLocale().toString(static_cast<qint64>(std::llround(value)));
    return shortCount(static_cast<quint64>(std::llround(value)));
}

QString duration(qint64 nanoseconds)
{
    const qint64 ns = std::max<qint64>(0, nanoseconds);
    if (ns < kMs)
        return ns == 0 ? withUnit(0, Quantity::tr("ms"))
                       : QStringLiteral("< ") + withUnit(1, Quantity::tr("ms"));
    if (ns < kSecond)
        return withUnit(ns / kMs, Quantity::tr("ms"));
    if (ns < kMinute)
        return threeDigits(static_cast<double>(ns) / static_cast<double>(kSecond)) + QChar(0xA0)
            + Quantity::tr("s");
    return twoUnits(ns);
}

QString setting(qint64 nanoseconds)
{
    if (nanoseconds <= 0)
        return Quantity::tr("off");
    if (nanoseconds % kDay == 0)
        return withUnit(nanoseconds / kDay, Quantity::tr("d"));
    if (nanoseconds >= kMinute && nanoseconds % kSecond == 0)
        return twoUnits(nanoseconds);
    if (nanoseconds % kSecond == 0)
        return withUnit(nanoseconds / kSecond, Quantity::tr("s"));
    if (nanoseconds % kMs == 0)
        return withUnit(nanoseconds / kMs, Quantity::tr("ms"));
    return withUnit(nanoseconds, Quantity::tr("ns"));
}

QString clockTime(qint64 wallNs)
{
    return dateTime(wallNs).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString moment(qint64 wallNs, qint64 nowNs)
{
    const QDateTime at = dateTime(wallNs);
    if (at.date() == dateTime(nowNs).date())
        return at.toString(QStringLiteral("HH:mm:ss.zzz"));
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString exactTime(qint64 wallNs)
{
    const QDateTime at = dateTime(wallNs);
    const qint64 micros = (wallNs % kSecond) / 1000;
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) + QLatin1Char('.')
        + QString::number(micros).rightJustified(6, QLatin1Char('0')) + QLatin1Char(' ')
        + at.timeZone().displayName(at, QTimeZone::OffsetName);
}

QString limit(qint64 n)
{
    return n < 0 ? Quantity::tr("no limit") : QLocale().toString(n);
}

QString byteLimit(qint64 n)
{
    return n < 0 ? Quantity::tr("no limit") : bytes(static_cast<quint64>(n));
}

void showUtc(bool on)
{
    g_utc = on;
}

} // namespace jetglass::text
