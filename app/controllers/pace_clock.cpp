// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/pace_clock.h"

#include <algorithm>

namespace jetglass::controllers {

namespace {

constexpr qint64 kNsPerMs = 1'000'000;
constexpr qint64 kLongestMs = 3'600'000; ///< whoever waits longer looks again then

} // namespace

RealPaceClock::RealPaceClock()
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
        // It may ask for the next call, which replaces the function that is running.
        const std::function<void()> wake = m_wake;
        wake();
    });
}

void RealPaceClock::wakeAt(qint64 due, std::function<void()> wake)
{
    m_wake = std::move(wake);
    const qint64 left = due - now();
    const qint64 ms = left <= 0 ? 0 : std::clamp<qint64>(left / kNsPerMs, 1, kLongestMs);
    m_timer.start(static_cast<int>(ms));
}

} // namespace jetglass::controllers
