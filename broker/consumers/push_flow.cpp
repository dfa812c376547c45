// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/push_flow.h"

#include <algorithm>
#include <cmath>

namespace jetglass::consumers {

void FlowWindow::sent(std::uint64_t bytes)
{
    const bool beyond = !m_request.empty() && m_out - m_covered >= m_window;
    m_out += bytes;
    if (beyond)
        m_covered += bytes;
}

void FlowWindow::opened(std::string request)
{
    m_request = std::move(request);
    m_covered = m_out;
}

bool FlowWindow::answered(std::string_view request)
{
    if (m_request.empty() || m_request != request)
        return false;
    m_window = std::min(m_window * 2, kMax);
    m_out -= std::min(m_out, m_covered);
    m_covered = 0;
    m_request.clear();
    return true;
}

void RateLimit::configure(std::uint64_t bitsPerSecond, std::uint64_t burst)
{
    m_bytesPerSecond = static_cast<double>(bitsPerSecond) / 8.0;
    m_burst = static_cast<double>(burst);
    m_tokens = m_burst;
    m_at = 0;
}

std::int64_t RateLimit::freeAt(std::uint64_t bytes, std::int64_t now)
{
    if (!active())
        return now;
    if (m_at != 0)
        m_tokens =
            std::min(m_burst, m_tokens + static_cast<double>(now - m_at) * m_bytesPerSecond / 1e9);
    m_at = now;
    // A message larger than the burst would never go: it waits for a full bucket and leaves a debt.
    const double need = std::min(static_cast<double>(bytes), m_burst);
    if (m_tokens >= need)
        return now;
    return now + static_cast<std::int64_t>(std::ceil((need - m_tokens) * 1e9 / m_bytesPerSecond));
}

void RateLimit::take(std::uint64_t bytes)
{
    m_tokens -= static_cast<double>(bytes);
}

} // namespace jetglass::consumers
