// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace jetglass::base {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count)
{
    if (at + count > text.size())
        return {};
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return {};
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

} // namespace

std::string rfc3339(std::int64_t unixNs)
{
    if (unixNs == kZeroTime)
        return std::string(kZeroTimeText);
    std::int64_t seconds = unixNs / kSecond;
    std::int64_t fraction = unixNs % kSecond;
    if (fraction < 0) {
        fraction += kSecond;
        --seconds;
    }
    const std::chrono::sys_seconds point{std::chrono::seconds{seconds}};
    const auto day = std::chrono::floor<std::chrono::days>(point);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{point - day};
    std::array<char, 48> buffer{};
    int length = std::snprintf(buffer.data(),
        buffer.size(),
        "%04d-%02u-%02uT%02d:%02d:%02d",
        int{date.year()},
        unsigned{date.month()},
        unsigned{date.day()},
        int(time.hours().count()),
        int(time.minutes().count()),
        int(time.seconds().count()));
    std::string text(buffer.data(), static_cast<std::size_t>(length));
    if (fraction != 0) {
        length = std::snprintf(
            buffer.data(), buffer.size(), ".%09lld", static_cast<long long>(fraction));
        std::string_view part(buffer.data(), static_cast<std::size_t>(length));
        while (part.back() == '0')
            part.remove_suffix(1);
        text += part;
    }
    text += 'Z';
    return text;
}

std::optional<std::int64_t> parseRfc3339(std::string_view text)
{
    const auto year = digits(text, 0, 4);
    const auto month = digits(text, 5, 2);
    const auto day = digits(text, 8, 2);
    const auto hour = digits(text, 11, 2);
    const auto minute = digits(text, 14, 2);
    const auto second = digits(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second || text[4] != '-' || text[7] != '-'
        || (text[10] != 'T' && text[10] != 't') || text[13] != ':' || text[16] != ':')
        return {};
    const std::chrono::year_month_day date{std::chrono::year{*year},
        std::chrono::month{static_cast<unsigned>(*month)},
        std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60)
        return {};
    std::size_t at = 19;
    std::int64_t fraction = 0;
    if (at < text.size() && text[at] == '.') {
        ++at;
        std::int64_t unit = kSecond / 10;
        const std::size_t start = at;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
            fraction += (text[at] - '0') * unit;
        if (at == start)
            return {};
    }
    std::int64_t offset = 0;
    if (at + 1 == text.size() && (text[at] == 'Z' || text[at] == 'z')) {
        offset = 0;
    } else if (at + 6 == text.size() && (text[at] == '+' || text[at] == '-')
        && text[at + 3] == ':') {
        const auto hours = digits(text, at + 1, 2);
        const auto minutes = digits(text, at + 4, 2);
        if (!hours || !minutes)
            return {};
        offset = (std::int64_t{*hours} * 60 + *minutes) * 60 * (text[at] == '-' ? -1 : 1);
    } else {
        return {};
    }
    if (*year < 1678
        || *year > 2261) // outside of what 64-bit nanoseconds hold; year 1 is Go's zero time
        return *year == 1 ? std::optional(kZeroTime)
                          : std::optional(*year < 1678 ? kZeroTime + 1 : INT64_MAX);
    const auto days = std::chrono::sys_days{date}.time_since_epoch().count();
    const std::int64_t seconds = std::int64_t{days} * 86400 + std::int64_t{*hour} * 3600
        + std::int64_t{*minute} * 60 + *second - offset;
    return seconds * kSecond + fraction;
}

std::string goDuration(std::int64_t ns)
{
    if (ns == 0)
        return "0s";
    const bool negative = ns < 0;
    const std::uint64_t u =
        negative ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
    const auto withFraction = [](std::uint64_t value, std::uint64_t unit) {
        std::string text = std::to_string(value / unit);
        std::uint64_t rest = value % unit;
        if (rest != 0) {
            text += '.';
            for (std::uint64_t digit = unit / 10; rest != 0; digit /= 10) {
                text += static_cast<char>('0' + rest / digit);
                rest %= digit;
            }
        }
        return text;
    };
    std::string text = negative ? "-" : "";
    if (u < 1000)
        return text + std::to_string(u) + "ns";
    if (u < 1'000'000)
        return text + withFraction(u, 1000) + "µs";
    if (u < 1'000'000'000)
        return text + withFraction(u, 1'000'000) + "ms";
    const std::uint64_t minute = 60'000'000'000;
    const std::uint64_t hour = 60 * minute;
    if (u >= hour)
        text += std::to_string(u / hour) + 'h';
    if (u >= minute)
        text += std::to_string(u % hour / minute) + 'm';
    return text + withFraction(u % minute, 1'000'000'000) + 's';
}

std::optional<std::int64_t> parseGoDuration(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text == "0")
        return 0;
    if (text.empty())
        return {};
    double total = 0;
    while (!text.empty()) {
        std::size_t length = 0;
        while (length < text.size()
            && ((text[length] >= '0' && text[length] <= '9') || text[length] == '.'))
            ++length;
        double number = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + length, number);
        if (length == 0 || parsed.ec != std::errc{} || parsed.ptr != text.data() + length)
            return {};
        text.remove_prefix(length);
        length = 0;
        while (length < text.size() && text[length] != '.'
            && (text[length] < '0' || text[length] > '9'))
            ++length;
        const std::string_view unit = text.substr(0, length);
        if (unit == "ns")
            total += number;
        else if (unit == "us" || unit == "µs" || unit == "μs")
            total += number * 1e3;
        else if (unit == "ms")
            total += number * 1e6;
        else if (unit == "s")
            total += number * 1e9;
        else if (unit == "m")
            total += number * 60e9;
        else if (unit == "h")
            total += number * 3600e9;
        else
            return {};
        text.remove_prefix(length);
    }
    if (total > 9.2e18)
        return {};
    const auto ns = std::int64_t{std::llround(total)};
    return negative ? -ns : ns;
}

} // namespace jetglass::base
