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
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

    [[nodiscard]] std::int64_t now() const { return m_now; }
    [[nodiscard]] std::int64_t wallTime() const { return m_wall; }
    virtual void refresh() = 0;
    /// Real nanoseconds from now until now() reaches the deadline: 0 if due, -1 if never (paused).
    [[nodiscard]] virtual std::int64_t realDelayUntil(std::int64_t deadline) const = 0;

protected:
    Clock(std::int64_t now, std::int64_t wallTime)
        : m_now(now)
        , m_wall(wallTime)
    {
    }
    /// Every message asks several times, so the readings are kept here and not asked of the kind.
    void setReadings(std::int64_t now, std::int64_t wallTime)
    {
        m_now = now;
        m_wall = wallTime;
    }

private:
    std::int64_t m_now;
    std::int64_t m_wall;
};

} // namespace jetglass
