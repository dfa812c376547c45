// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis/time_axis.h"

#include <algorithm>
#include <array>

namespace jetglass::axis {

namespace {

constexpr qint64 kSecond = 1000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;
constexpr std::array<qint64, 28> kSteps{1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    kSecond,
    2 * kSecond,
    5 * kSecond,
    10 * kSecond,
    15 * kSecond,
    30 * kSecond,
    kMinute,
    2 * kMinute,
    5 * kMinute,
    10 * kMinute,
    15 * kMinute,
    30 * kMinute,
    kHour,
    2 * kHour,
    3 * kHour,
    6 * kHour,
    12 * kHour,
    kDay,
    7 * kDay};

} // namespace

TimeAxis::TimeAxis(qint64 firstMs, qint64 lastMs, int width)
    : m_first(firstMs)
    , m_last(std::max(lastMs, firstMs + 1))
    , m_width(std::max(width, 1))
{
}

double TimeAxis::xOf(qint64 ms) const
{
    return static_cast<double>(ms - m_first) * m_width / static_cast<double>(m_last - m_first);
}

qint64 TimeAxis::msAt(double x) const
{
    return m_first + static_cast<qint64>(x * static_cast<double>(m_last - m_first) / m_width);
}

qint64 TimeAxis::labelStepMs(int minPixels) const
{
    const double wanted = static_cast<double>(m_last - m_first) * minPixels / m_width;
    for (const qint64 step : kSteps) {
        if (static_cast<double>(step) >= wanted) {
            return step;
        }
    }
    const auto days = static_cast<qint64>(wanted / static_cast<double>(kDay)) + 1;
    return days * kDay;
}

qint64 TimeAxis::firstLabelMs(qint64 stepMs) const
{
    const qint64 rest = m_first % stepMs;
    return rest == 0 ? m_first : m_first - rest + (rest > 0 ? stepMs : 0);
}

} // namespace jetglass::axis
