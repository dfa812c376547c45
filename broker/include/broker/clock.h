// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace jetglass {

/// Time as JetStream sees it; tests and the lab bend it. Both readings are in nanoseconds.
/// now() never goes back and drives deadlines; wallTime() is Unix time, only stored and compared
/// with stored stamps. The readings stand still between two calls of refresh(), which the engine
/// calls at the start of a turn: so all that happens in one turn happens at one time. Broker thread
/// only.
class Clock
{
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual std::int64_t now() const = 0;
    [[nodiscard]] virtual std::int64_t wallTime() const = 0;
    virtual void refresh() = 0;
    /// Real nanoseconds from now until now() reaches the deadline: 0 if due, -1 if never (paused).
    [[nodiscard]] virtual std::int64_t realDelayUntil(std::int64_t deadline) const = 0;
};

} // namespace jetglass
