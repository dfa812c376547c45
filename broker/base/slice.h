// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace jetglass::base {

/// Real time as it passes inside a turn, where Clock stands still: it says when a piece of long
/// work has had its share of the loop. Nothing that a client can see may depend on it but the
/// moment. Tests let each reading take a fixed time.
class SteadyTime
{
public:
    virtual ~SteadyTime() = default;
    [[nodiscard]] virtual std::int64_t nanoseconds() = 0;
    /// The machine's own.
    static SteadyTime& real();
};

/// The share of the loop that long work may take. The work asks over() between its steps, always
/// after at least one, so that it gets on even when nothing is left.
class Slice
{
public:
    /// Never over.
    Slice() = default;
    Slice(SteadyTime& time, std::int64_t end)
        : m_time(&time)
        , m_end(end)
    {
    }
    [[nodiscard]] bool over() const { return m_time && m_time->nanoseconds() >= m_end; }

private:
    SteadyTime* m_time = nullptr;
    std::int64_t m_end = 0;
};

} // namespace jetglass::base
