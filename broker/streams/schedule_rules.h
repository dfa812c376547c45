// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "broker/stream_config.h"
#include "streams/publish_headers.h"
#include "streams/schedule_pattern.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

inline constexpr std::string_view kSchedulePurge = "purge";

/// What the schedule headers of a stored message say.
struct Schedule
{
    std::string_view target;
    std::string_view source; ///< empty = its own content
    std::string_view ttl; ///< of the product; empty = none
    std::string_view rollup; ///< likewise
    Firing firing; ///< the first time after the one that was asked for
};
/// Nothing if the message is no schedule, or one that is not valid. \a from and \a now as for
/// nextFiring(). Views into \a block.
[[nodiscard]] std::optional<Schedule> readSchedule(
    std::string_view block, std::int64_t from, std::int64_t now);

struct ScheduleFacts
{
    const StreamConfig& config;
    std::string_view subject; ///< of the publish
    std::int64_t now = 0;
    /// Whether the last message on a subject is a schedule; empty if there is none.
    std::function<std::optional<bool>(std::string_view)> isSchedule;
};
struct ScheduleVerdict
{
    std::optional<Error> error;
    bool schedule = false; ///< the message is one
    bool addRollup = false; ///< it gets Nats-Rollup: sub
};
/// The rules for a client's schedule headers in the reference server's order (streams.md 8.4).
[[nodiscard]] ScheduleVerdict checkSchedule(
    const ScheduleFacts& facts, std::string_view block, const PublishHeaders& headers);

/// The headers of what a schedule on \a scheduler produces, from those of the message that gives
/// the content. \a next 0 = it was the last time.
[[nodiscard]] std::string productHeaders(std::string_view block,
    std::string_view scheduler,
    const Schedule& schedule,
    std::int64_t next);

} // namespace jetglass::streams
