// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/schedule_pattern.h"

#include "base/time_text.h"
#include "streams/cron.h"

#include <array>
#include <utility>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000;
constexpr std::string_view kAt = "@at ";
constexpr std::string_view kEvery = "@every ";
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNamed{{
    {"@yearly", "0 0 0 1 1 *"},
    {"@annually", "0 0 0 1 1 *"},
    {"@monthly", "0 0 0 1 * *"},
    {"@weekly", "0 0 0 * * 0"},
    {"@daily", "0 0 0 * * *"},
    {"@midnight", "0 0 0 * * *"},
    {"@hourly", "0 0 * * * *"},
}};

std::int64_t roundedToSecond(std::int64_t time)
{
    const std::int64_t up = time + kOneSecond / 2;
    return up - ((up % kOneSecond) + kOneSecond) % kOneSecond;
}

std::optional<Firing> every(std::string_view text, std::int64_t from, std::int64_t now)
{
    const auto interval = base::parseGoDuration(text);
    if (!interval || *interval < kOneSecond)
        return {};
    const std::int64_t next = roundedToSecond(from) + *interval;
    return Firing{next < now ? roundedToSecond(now) + *interval : next, true};
}

} // namespace

std::optional<Firing> nextFiring(std::string_view pattern,
    const std::optional<TimeZone>& zone,
    std::int64_t from,
    std::int64_t now)
{
    if (pattern.starts_with(kAt)) {
        const auto time = base::parseRfc3339(pattern.substr(kAt.size()));
        if (zone || !time)
            return {};
        return Firing{*time, false};
    }
    if (pattern.starts_with(kEvery))
        return zone ? std::nullopt : every(pattern.substr(kEvery.size()), from, now);
    for (const auto& [name, fields] : kNamed)
        if (pattern == name)
            pattern = fields;
    const auto cron = CronPattern::parse(pattern);
    if (!cron)
        return {};
    const TimeZone where = zone.value_or(TimeZone());
    auto next = cron->next(from, where);
    if (next && *next < now)
        next = cron->next(roundedToSecond(now), where);
    if (!next)
        return {};
    return Firing{*next, true};
}

} // namespace jetglass::streams
