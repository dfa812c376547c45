// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "streams/cron.h"
#include "streams/schedule_pattern.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::streams;

class tst_SchedulePattern : public QObject
{
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void fires_data();
    void fires();
    void leavesOutWhatWasMissed();
    void knowsZones();
};

namespace {

std::int64_t at(const char* text)
{
    return base::parseRfc3339(text).value();
}

} // namespace

void tst_SchedulePattern::refuses_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("zoned");
    for (const char* pattern : {"bogus",
             "@weird",
             "@at 2090-01-01",
             "@every 500ms",
             "@every x",
             "@every",
             "* * * * *",
             "* * * * * * *",
             "60 * * * * *",
             "* 60 * * * *",
             "* * 24 * * *",
             "* * * 0 * *",
             "* * * 32 * *",
             "* * * * 0 *",
             "* * * * 13 *",
             "* * * * * 7",
             "5-3 * * * * *",
             "*/0 * * * * *",
             "1-2-3 * * * * *",
             "1/2/3 * * * * *",
             "-1 * * * * *",
             "x * * * * *",
             "* * * * foo *",
             "0 0 0 31 2 *",
             ", * * * * *",
             "0 0 0 30 feb ?"})
        QTest::newRow(pattern) << QString::fromLatin1(pattern) << false;
    QTest::newRow("a zone for a fixed time") << "@at 2090-01-01T00:00:00Z" << true;
    QTest::newRow("a zone for an interval") << "@every 10s" << true;
}

void tst_SchedulePattern::refuses()
{
    QFETCH(QString, pattern);
    QFETCH(bool, zoned);
    const auto zone = zoned ? std::optional(TimeZone()) : std::nullopt;
    const std::int64_t now = at("2026-01-01T00:00:00Z");
    QVERIFY(!nextFiring(pattern.toStdString(), zone, now, now));
}

void tst_SchedulePattern::fires_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("zone");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("next");
    const auto row = [](const char* pattern, const char* zone, const char* from, const char* next) {
        QTest::addRow("%s %s %s", pattern, zone, from)
            << QString::fromLatin1(pattern) << QString::fromLatin1(zone)
            << QString::fromLatin1(from) << QString::fromLatin1(next);
    };
    row("@at 2030-05-06T07:08:09.5Z", "", "2026-01-01T00:00:00Z", "2030-05-06T07:08:09.5Z");
    row("@every 1m30s", "", "2026-01-01T00:00:00.4Z", "2026-01-01T00:01:30Z");
    row("@every 1s", "", "2026-01-01T00:00:00.6Z", "2026-01-01T00:00:02Z");
    row("@hourly", "", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z");
    row("@daily", "", "2026-02-28T12:00:00Z", "2026-03-01T00:00:00Z");
    row("@weekly", "", "2026-11-30T00:00:00Z", "2026-12-06T00:00:00Z");
    row("@monthly", "", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z");
    row("@annually", "", "2026-12-31T23:59:59.9Z", "2027-01-01T00:00:00Z");
    row("* * * * * *", "", "2026-01-01T00:00:00.9Z", "2026-01-01T00:00:01Z");
    row("*/15 * * * * *", "", "2026-01-01T00:00:46Z", "2026-01-01T00:01:00Z");
    row("50/5 * * * * *", "", "2026-01-01T00:00:56Z", "2026-01-01T00:01:50Z");
    row("0 0 12 ? * MON-FRI", "", "2026-11-27T12:00:00Z", "2026-11-30T12:00:00Z");
    row("*/15 1,2 3-5 * jan sun", "", "2026-01-01T00:00:00Z", "2026-01-04T03:01:00Z");
    row("0 0 0 29 2 *", "", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z");
    // Both days given: either one is enough. A star in one: the other decides.
    row("0 0 0 13 * fri", "", "2026-11-10T00:00:00Z", "2026-11-13T00:00:00Z");
    row("0 0 0 13 * fri", "", "2026-11-14T00:00:00Z", "2026-11-20T00:00:00Z");
    row("0 0 0 13 * *", "", "2026-11-14T00:00:00Z", "2026-12-13T00:00:00Z");
    row("0 30 9 * * *", "Europe/Berlin", "2026-01-15T00:00:00Z", "2026-01-15T08:30:00Z");
    row("0 30 9 * * *", "Europe/Berlin", "2026-07-15T00:00:00Z", "2026-07-15T07:30:00Z");
    row("@daily", "Asia/Shanghai", "2026-01-15T00:00:00Z", "2026-01-15T16:00:00Z");
    row("@daily", "Asia/Kathmandu", "2026-01-15T00:00:00Z", "2026-01-15T18:15:00Z");
    // The clock goes from 2:00 to 3:00: half past two does not come that day.
    row("0 30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z");
    // And from 3:00 to 2:00: it comes twice.
    row("0 30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z");
    row("0 30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z");
    row("0 30 2 * * *", "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z");
}

void tst_SchedulePattern::fires()
{
    QFETCH(QString, pattern);
    QFETCH(QString, zone);
    QFETCH(QString, from);
    QFETCH(QString, next);
    const std::int64_t start = at(from.toLatin1().constData());
    std::optional<TimeZone> where;
    if (!zone.isEmpty())
        where = TimeZone::find(zone.toStdString());
    QCOMPARE(where.has_value(), !zone.isEmpty());
    const auto firing = nextFiring(pattern.toStdString(), where, start, start);
    QVERIFY(firing);
    QCOMPARE(QString::fromStdString(base::rfc3339(firing->at)), next);
    QCOMPARE(firing->repeats, !pattern.startsWith(QStringLiteral("@at")));
}

void tst_SchedulePattern::leavesOutWhatWasMissed()
{
    const std::int64_t from = at("2026-01-01T00:00:00Z");
    const std::int64_t now = at("2026-01-02T06:00:00.2Z");
    QCOMPARE(nextFiring("@every 10s", {}, from, now)->at, at("2026-01-02T06:00:10Z"));
    QCOMPARE(nextFiring("@hourly", {}, from, now)->at, at("2026-01-02T07:00:00Z"));
    QCOMPARE(nextFiring("@at 2026-01-01T10:00:00Z", {}, from, now)->at, at("2026-01-01T10:00:00Z"));
}

void tst_SchedulePattern::knowsZones()
{
    QVERIFY(TimeZone::find("UTC"));
    QVERIFY(TimeZone::find("America/New_York"));
    for (const char* name : {"", "Mars/Base", "/etc/localtime", "../zoneinfo/UTC", "\\UTC"})
        QVERIFY2(!TimeZone::find(name), name);
    const std::int64_t winter = at("2026-01-15T00:00:00Z") / 1'000'000'000;
    const auto span = TimeZone::find("America/New_York")->at(winter);
    QCOMPARE(span.offset, std::int64_t{-5 * 3600});
    QCOMPARE(span.end, at("2026-03-08T07:00:00Z") / 1'000'000'000);
}

QTEST_GUILESS_MAIN(tst_SchedulePattern)
#include "tst_schedule_pattern.moc"
