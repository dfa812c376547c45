// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jetglass::text {

/// Numbers as a person writes them. Decimal point and group separators follow the program's
/// language.

QString count(quint64 n); ///< "1,234,567"
QString shortCount(
    quint64 n); ///< "950", "1.2 k", "12.5 M": for narrow places, full number in the tooltip
/// \a n for a text with %n or %Ln, which takes no more than an int.
int plural(quint64 n);
QString bytes(quint64 n); ///< "184 B", "9.8 KiB", "1.5 GiB"
QString rate(double perSecond); ///< "0", "0.4", "412", "1,180", "96.2 k"
/// A span in at most two units: "350 ms", "7.6 s", "6 min 12 s", "3 h 5 min", "2 d". Negative spans
/// count as 0.
QString duration(qint64 nanoseconds);
/// A configured span without rounding: "30 s", "1 h 30 min", "250 ms"; 0 or less is "off".
QString setting(qint64 nanoseconds);
/// Time of day with milliseconds, local time: "14:03:22.171".
QString clockTime(qint64 wallNs);
/// Time of day, with the date in front if it is not the day of \a nowNs.
QString moment(qint64 wallNs, qint64 nowNs);
/// Full, unambiguous, with zone: "2026-11-29 14:03:22.171250 UTC+01:00".
QString exactTime(qint64 wallNs);
/// Of a configured limit: -1 (or less) is "no limit".
QString limit(qint64 n);
QString byteLimit(qint64 n);

/// Which clock people read: true shows UTC instead of local time (tests, screenshots).
void showUtc(bool on);

} // namespace jetglass::text
