// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/time_zone.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::streams {

struct Firing
{
    std::int64_t at = 0; ///< wall ns; may be in the past
    bool repeats = false;
};

/// When a schedule fires after \a from (Nats-Schedule, streams.md 8.4); nothing if the pattern is
/// not valid. Repetitions that should have come before \a now are left out but for the next one.
/// \a zone is what the message names, if it names one.
[[nodiscard]] std::optional<Firing> nextFiring(std::string_view pattern,
    const std::optional<TimeZone>& zone,
    std::int64_t from,
    std::int64_t now);

} // namespace jetglass::streams
