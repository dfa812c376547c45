// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/time_zone.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::streams {

/// Six fields: second, minute, hour, day of month, month, day of week (streams.md 8.4). A bit of a
/// field stands for the number of its position.
class CronPattern
{
public:
    /// Empty if it does not follow the grammar.
    static std::optional<CronPattern> parse(std::string_view text);
    /// The earliest whole second after \a time whose local time fits; nothing if there is none
    /// until the end of the fifth year from then. An hour that the clock skips does not come, one
    /// that it repeats comes twice. Unix nanoseconds.
    [[nodiscard]] std::optional<std::int64_t> next(std::int64_t time, const TimeZone& zone) const;

private:
    struct Field
    {
        std::uint64_t bits = 0;
        bool star = false;
        [[nodiscard]] bool has(unsigned n) const { return ((bits >> n) & 1U) != 0; }
    };
    struct Bounds;
    static bool parseField(std::string_view text, const Bounds& bounds, Field& field);
    static bool parseRange(std::string_view text, const Bounds& bounds, Field& field);
    [[nodiscard]] bool fitsDay(std::int64_t day) const;
    [[nodiscard]] std::optional<std::int64_t> timeOfDay(std::int64_t from) const;
    [[nodiscard]] std::optional<std::int64_t> nextLocal(
        std::int64_t from, std::int64_t below, int lastYear) const;

    Field m_second;
    Field m_minute;
    Field m_hour;
    Field m_dayOfMonth;
    Field m_month;
    Field m_dayOfWeek;
};

} // namespace jetglass::streams
