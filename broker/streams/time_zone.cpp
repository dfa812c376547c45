// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/time_zone.h"

#include <algorithm>
#include <chrono>
#include <date/tz.h>
#include <limits>
#include <stdexcept>

namespace jetglass::streams {

std::optional<TimeZone> TimeZone::find(std::string_view name)
{
    if (name == "UTC")
        return TimeZone();
    // The database is a folder: a name may not lead out of it.
    if (name.empty() || name.front() == '/' || name.front() == '\\'
        || name.find("..") != std::string_view::npos)
        return {};
    TimeZone found;
    try {
        found.m_zone = name == "Local" ? date::current_zone() : date::locate_zone(name);
    } catch (const std::runtime_error&) {
        return {}; // unknown, or there is no database at all
    }
    return found;
}

TimeZone::Span TimeZone::at(std::int64_t unixSeconds) const
{
    if (!m_zone)
        return {0, std::numeric_limits<std::int64_t>::max()};
    const auto* zone = static_cast<const date::time_zone*>(m_zone);
    const auto info = zone->get_info(date::sys_seconds(std::chrono::seconds(unixSeconds)));
    return {info.offset.count(),
        std::max(unixSeconds + 1, std::int64_t{info.end.time_since_epoch().count()})};
}

} // namespace jetglass::streams
