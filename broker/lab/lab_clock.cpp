// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_clock.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace jetglass::lab {

LabClock::LabClock(Clock& source)
    : Clock(source.now(), source.wallTime())
    , m_source(source)
{
}

void LabClock::refresh()
{
    m_source.refresh();
    if (!m_touched) {
        setReadings(std::max(now(), m_source.now()), m_source.wallTime());
        return;
    }
    const double passed =
        m_paused ? 0.0 : static_cast<double>(m_source.now() - m_sourceBase) * m_rate;
    const auto ahead = static_cast<std::int64_t>(passed);
    const std::int64_t reached = std::max(now(), m_nowBase + ahead);
    setReadings(reached, m_wallBase + (reached - m_nowBase));
}

std::int64_t LabClock::realDelayUntil(std::int64_t deadline) const
{
    if (deadline <= now())
        return 0;
    if (!m_touched)
        return m_source.realDelayUntil(deadline);
    if (m_paused)
        return -1;
    // The source moment at which the virtual line reaches the deadline, rounded up.
    const double sourceAhead = std::ceil(static_cast<double>(deadline - m_nowBase) / m_rate);
    return m_source.realDelayUntil(m_sourceBase + static_cast<std::int64_t>(sourceAhead));
}

void LabClock::touch()
{
    refresh();
    m_touched = true;
    rebase();
}

void LabClock::rebase()
{
    m_sourceBase = m_source.now();
    m_nowBase = now();
    m_wallBase = wallTime();
}

void LabClock::pause()
{
    touch();
    m_paused = true;
}

void LabClock::resume()
{
    touch();
    m_paused = false;
}

void LabClock::setRate(double rate)
{
    touch();
    m_rate = std::clamp(rate, 0.01, 10'000.0);
}

void LabClock::moveTo(std::int64_t reading)
{
    touch();
    if (reading <= now())
        return;
    setReadings(reading, wallTime() + (reading - now()));
    rebase();
}

std::int64_t LabClock::offset() const
{
    return m_touched ? wallTime() - m_source.wallTime() : 0;
}

void LabClock::reset()
{
    m_touched = false;
    m_paused = false;
    m_rate = 1.0;
    refresh();
}

std::string LabClock::save() const
{
    if (!m_touched)
        return {};
    char buffer[128];
    const int length = std::snprintf(buffer,
        sizeof(buffer),
        "offset %lld rate %.6f paused %d wall %lld",
        static_cast<long long>(offset()),
        m_rate,
        m_paused ? 1 : 0,
        static_cast<long long>(wallTime()));
    return std::string(buffer, static_cast<std::size_t>(length));
}

bool LabClock::restore(std::string_view saved)
{
    if (saved.empty()) {
        reset();
        return true;
    }
    long long offset = 0;
    long long wall = 0;
    double rate = 0;
    int paused = 0;
    if (std::sscanf(std::string(saved).c_str(),
            "offset %lld rate %lf paused %d wall %lld",
            &offset,
            &rate,
            &paused,
            &wall)
        != 4)
        return false;
    reset();
    touch();
    m_rate = std::clamp(rate, 0.01, 10'000.0);
    m_paused = paused != 0;
    // While the broker was down a paused clock stood still; a running one went on.
    setReadings(
        now(), m_paused ? wall : std::max<std::int64_t>(wall, m_source.wallTime() + offset));
    rebase();
    return true;
}

} // namespace jetglass::lab
