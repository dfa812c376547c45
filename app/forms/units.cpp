// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/units.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace jetglass::forms {
namespace {

using namespace Qt::StringLiterals;

bool meansUnlimited(const QString& text)
{
    return text.isEmpty() || text == u"-1"_s
        || text.compare(u"unlimited"_s, Qt::CaseInsensitive) == 0 || text == u"∞"_s;
}

/// number × factor without losing digits where a double would: whole numbers go through integers.
std::optional<qint64> scaled(const QString& number, qint64 factor)
{
    bool whole = false;
    const qint64 n = number.toLongLong(&whole);
    if (whole) {
        if (n > std::numeric_limits<qint64>::max() / factor)
            return std::nullopt;
        return n * factor;
    }
    bool ok = false;
    const double value = number.toDouble(&ok) * static_cast<double>(factor);
    if (!ok || value < 0 || value > 9e18)
        return std::nullopt;
    return std::llround(value);
}

struct Unit
{
    const char* name;
    qint64 factor;
};

constexpr qint64 kKi = 1024;
constexpr Unit kSizes[] = {{"", 1},
    {"b", 1},
    {"k", kKi},
    {"m", kKi* kKi},
    {"g", kKi* kKi* kKi},
    {"t", kKi* kKi* kKi* kKi},
    {"kib", kKi},
    {"mib", kKi* kKi},
    {"gib", kKi* kKi* kKi},
    {"tib", kKi* kKi* kKi* kKi},
    {"kb", 1000},
    {"mb", 1000000},
    {"gb", 1000000000},
    {"tb", 1000000000000}};

constexpr qint64 kSecond = 1000000000;
constexpr Unit kTimes[] = {{"ns", 1},
    {"us", 1000},
    {"µs", 1000},
    {"ms", 1000000},
    {"s", kSecond},
    {"sec", kSecond},
    {"m", 60 * kSecond},
    {"min", 60 * kSecond},
    {"h", 3600 * kSecond},
    {"d", 86400 * kSecond},
    {"w", 604800 * kSecond}};

template<std::size_t N>
std::optional<qint64> factorOf(const Unit (&units)[N], const QString& name)
{
    for (const Unit& u : units) {
        if (name == QString::fromUtf8(u.name))
            return u.factor;
    }
    return std::nullopt;
}

} // namespace

std::optional<qint64> parseSize(const QString& text)
{
    const QString t = text.trimmed().toLower();
    if (meansUnlimited(t))
        return -1;
    static const QRegularExpression re(u"^(\\d+(?:\\.\\d+)?)\\s*([a-z]*)$"_s);
    const QRegularExpressionMatch m = re.match(t);
    if (!m.hasMatch())
        return std::nullopt;
    const auto factor = factorOf(kSizes, m.captured(2));
    return factor ? scaled(m.captured(1), *factor) : std::nullopt;
}

QString sizeText(qint64 bytes)
{
    if (bytes < 0)
        return {};
    constexpr Unit kBinary[] = {
        {"TiB", kKi * kKi * kKi * kKi}, {"GiB", kKi * kKi * kKi}, {"MiB", kKi * kKi}, {"KiB", kKi}};
    for (const Unit& u : kBinary) {
        if (bytes >= u.factor && bytes % u.factor == 0)
            return QString::number(bytes / u.factor) + u' ' + QLatin1String(u.name);
    }
    constexpr Unit kDecimal[] = {{"GB", 1000000000}, {"MB", 1000000}};
    for (const Unit& u : kDecimal) {
        if (bytes >= u.factor && bytes % u.factor == 0)
            return QString::number(bytes / u.factor) + u' ' + QLatin1String(u.name);
    }
    return QString::number(bytes) + u" B"_s;
}

std::optional<qint64> parseDuration(const QString& text)
{
    const QString t = text.trimmed().toLower();
    if (t.isEmpty() || t == u"0"_s)
        return 0;
    bool ok = false;
    t.toDouble(&ok);
    if (ok)
        return t.startsWith(u'-') ? std::nullopt : scaled(t, kSecond);
    static const QRegularExpression part(
        u"\\G\\s*(\\d+(?:\\.\\d+)?)\\s*(ns|us|µs|ms|sec|s|min|m|h|d|w)"_s);
    qint64 sum = 0;
    qsizetype at = 0;
    while (at < t.size()) {
        const QRegularExpressionMatch m = part.match(t, at);
        if (!m.hasMatch())
            return std::nullopt;
        const auto ns = scaled(m.captured(1), *factorOf(kTimes, m.captured(2)));
        if (!ns || sum > std::numeric_limits<qint64>::max() - *ns)
            return std::nullopt;
        sum += *ns;
        at = m.capturedEnd();
    }
    return sum;
}

QString durationText(qint64 ns)
{
    if (ns == 0)
        return {};
    constexpr Unit kParts[] = {{"h", 3600 * kSecond},
        {"m", 60 * kSecond},
        {"s", kSecond},
        {"ms", 1000000},
        {"µs", 1000},
        {"ns", 1}};
    if (ns % (86400 * kSecond) == 0 && ns >= 172800 * kSecond)
        return QString::number(ns / (86400 * kSecond)) + u'd';
    QString text;
    for (const Unit& u : kParts) {
        const qint64 n = ns / u.factor;
        if (n > 0)
            text += QString::number(n) + QString::fromUtf8(u.name);
        ns -= n * u.factor;
    }
    return text;
}

std::optional<qint64> parseCount(const QString& text)
{
    QString t = text.trimmed().toLower();
    if (meansUnlimited(t))
        return -1;
    t.remove(u' ').remove(u'_').remove(u'\'').remove(QChar(0x00a0));
    static const QRegularExpression re(u"^(\\d+(?:\\.\\d+)?)([kmg]?)$"_s);
    const QRegularExpressionMatch m = re.match(t);
    if (!m.hasMatch())
        return std::nullopt;
    const QString unit = m.captured(2);
    const qint64 factor = unit == u"k"_s ? 1000
        : unit == u"m"_s                 ? 1000000
        : unit == u"g"_s                 ? 1000000000
                                         : 1;
    if (factor == 1 && m.captured(1).contains(u'.'))
        return std::nullopt;
    return scaled(m.captured(1), factor);
}

} // namespace jetglass::forms
