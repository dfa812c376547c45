// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::streams {

/// A time zone of the machine's database, by its IANA name. Small and copied freely; any thread.
class TimeZone
{
public:
    /// A stretch of time in which local time is UTC plus the same offset; Unix seconds.
    struct Span
    {
        std::int64_t offset = 0; ///< seconds
        std::int64_t end = 0; ///< first second behind it
    };

    /// UTC.
    TimeZone() = default;
    /// Empty if the name is not known.
    static std::optional<TimeZone> find(std::string_view name);
    [[nodiscard]] Span at(std::int64_t unixSeconds) const;

private:
    const void* m_zone = nullptr; ///< lives as long as the program; null = UTC
};

} // namespace jetglass::streams
