// SPDX-License-Identifier: GPL-3.0-or-later
// Local time runs evenly between two changes of the clock, so the search goes from one such stretch
// to the next, and inside one it is plain calendar arithmetic.
#include "streams/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr int kYearsAhead = 5;
constexpr std::array<std::string_view, 12> kMonthNames{
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDayNames{
    "sun", "mon", "tue", "wed", "thu", "fri", "sat"};

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

std::chrono::year_month_day civil(std::int64_t day)
{
    return std::chrono::sys_days(std::chrono::days(day));
}

std::int64_t dayOf(std::chrono::year_month_day date)
{
    return std::chrono::sys_days(date).time_since_epoch().count();
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::vector<std::string_view> words(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\n\v\f\r";
    std::vector<std::string_view> out;
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        out.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlanks, end);
    }
    return out;
}

std::optional<unsigned> number(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return {};
    return value;
}

std::optional<unsigned> numberOrName(
    std::string_view text, std::span<const std::string_view> names, unsigned firstName)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == lower)
            return firstName + static_cast<unsigned>(i);
    return number(text);
}

} // namespace

struct CronPattern::Bounds
{
    unsigned least;
    unsigned most;
    std::span<const std::string_view> names = {};
};

/// number | number - number | *, each with / step if wanted.
bool CronPattern::parseRange(std::string_view text, const Bounds& bounds, Field& field)
{
    const auto parts = split(text, '/');
    const auto ends = split(parts[0], '-');
    if (parts.size() > 2)
        return false;
    const bool star = ends[0] == "*" || ends[0] == "?";
    unsigned first = bounds.least;
    unsigned last = bounds.most;
    if (!star) {
        if (ends.size() > 2)
            return false;
        const auto low = numberOrName(ends[0], bounds.names, bounds.least);
        const auto high = numberOrName(ends.back(), bounds.names, bounds.least);
        if (!low || !high)
            return false;
        first = *low;
        last = *high;
    }
    unsigned step = 1;
    if (parts.size() == 2) {
        const auto wanted = number(parts[1]);
        if (!wanted || *wanted == 0)
            return false;
        step = *wanted;
        if (ends.size() == 1)
            last = bounds.most;
    }
    if (first < bounds.least || last > bounds.most || first > last)
        return false;
    field.star = field.star || (star && step == 1);
    for (std::uint64_t n = first; n <= last; n += step)
        field.bits |= std::uint64_t{1} << n;
    return true;
}

bool CronPattern::parseField(std::string_view text, const Bounds& bounds, Field& field)
{
    for (const std::string_view range : split(text, ','))
        if (!range.empty() && !parseRange(range, bounds, field))
            return false;
    return true;
}

std::optional<CronPattern> CronPattern::parse(std::string_view text)
{
    const auto fields = words(text);
    CronPattern p;
    if (fields.size() != 6 || !parseField(fields[0], {0, 59}, p.m_second)
        || !parseField(fields[1], {0, 59}, p.m_minute) || !parseField(fields[2], {0, 23}, p.m_hour)
        || !parseField(fields[3], {1, 31}, p.m_dayOfMonth)
        || !parseField(fields[4], {1, 12, kMonthNames}, p.m_month)
        || !parseField(fields[5], {0, 6, kDayNames}, p.m_dayOfWeek))
        return {};
    // A list of nothing fits never, and looking for it would take long.
    for (const Field& field : {p.m_second, p.m_minute, p.m_hour, p.m_month})
        if (field.bits == 0)
            return {};
    return p;
}

/// With a star in one of the two the other decides; else either is enough.
bool CronPattern::fitsDay(std::int64_t day) const
{
    const auto date = civil(day);
    const auto weekday = std::chrono::weekday(std::chrono::sys_days(date)).c_encoding();
    const bool byMonth = m_dayOfMonth.has(static_cast<unsigned>(date.day()));
    const bool byWeek = m_dayOfWeek.has(weekday);
    return m_dayOfMonth.star || m_dayOfWeek.star ? byMonth && byWeek : byMonth || byWeek;
}

std::optional<std::int64_t> CronPattern::timeOfDay(std::int64_t from) const
{
    for (std::int64_t t = from; t < kDay;) {
        if (!m_hour.has(static_cast<unsigned>(t / 3600)))
            t = (t / 3600 + 1) * 3600;
        else if (!m_minute.has(static_cast<unsigned>(t / 60 % 60)))
            t = (t / 60 + 1) * 60;
        else if (!m_second.has(static_cast<unsigned>(t % 60)))
            ++t;
        else
            return t;
    }
    return {};
}

/// The first fitting local second in from..below - 1, seconds since 1970 as a local clock counts.
std::optional<std::int64_t> CronPattern::nextLocal(
    std::int64_t from, std::int64_t below, int lastYear) const
{
    std::int64_t day = floorDiv(from, kDay);
    std::int64_t time = from - day * kDay;
    while (day * kDay < below) {
        const auto date = civil(day);
        if (static_cast<int>(date.year()) > lastYear)
            return {};
        if (!m_month.has(static_cast<unsigned>(date.month()))) {
            day = dayOf(date.year() / date.month() / std::chrono::day(1) + std::chrono::months(1));
            time = 0;
            continue;
        }
        if (fitsDay(day))
            if (const auto found = timeOfDay(time)) {
                const std::int64_t local = day * kDay + *found;
                return local < below ? std::optional(local) : std::nullopt;
            }
        ++day;
        time = 0;
    }
    return {};
}

std::optional<std::int64_t> CronPattern::next(std::int64_t time, const TimeZone& zone) const
{
    std::int64_t at = floorDiv(time, kNsPerSecond) + 1;
    int lastYear = 0;
    for (bool first = true;; first = false) {
        const TimeZone::Span span = zone.at(at);
        const int year = static_cast<int>(civil(floorDiv(at + span.offset, kDay)).year());
        if (first)
            lastYear = year + kYearsAhead;
        if (year > lastYear)
            return {};
        constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max() / 2;
        const std::int64_t below = std::min(span.end, kEver) + span.offset;
        if (const auto local = nextLocal(at + span.offset, below, lastYear))
            return (*local - span.offset) * kNsPerSecond;
        if (span.end >= kEver)
            return {};
        at = span.end;
    }
}

} // namespace jetglass::streams
