// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::consumers {

/// The window of push flow control (consumers.md 5.6): how many bytes are out without an answer,
/// and the one request that may be open. Only the newest request counts.
class FlowWindow
{
public:
    static constexpr std::uint64_t kMax = std::uint64_t{32} << 20U;
    static constexpr std::uint64_t kStart = kMax / 16;

    void sent(std::uint64_t bytes);
    /// A request should go out: none is open and more than half of the window is used.
    [[nodiscard]] bool wantsRequest() const { return m_request.empty() && m_out > m_window / 2; }
    void opened(std::string request);
    /// True if the subject is that of the open request; the window then grows and its bytes are
    /// free.
    bool answered(std::string_view request);
    [[nodiscard]] const std::string& request() const { return m_request; }
    [[nodiscard]] std::uint64_t out() const { return m_out; }
    [[nodiscard]] std::uint64_t window() const { return m_window; }

private:
    std::uint64_t m_window = kStart;
    std::uint64_t m_out = 0;
    std::uint64_t m_covered = 0; ///< bytes that the open request answers for
    std::string m_request;
};

/// Token bucket of rate_limit_bps: lets a burst go, then one byte per 8/bps seconds. Takes now,
/// gives the time at which the next message may go.
class RateLimit
{
public:
    void configure(std::uint64_t bitsPerSecond, std::uint64_t burst);
    [[nodiscard]] bool active() const { return m_bytesPerSecond > 0; }
    /// Earliest time at which a message of this size may go.
    [[nodiscard]] std::int64_t freeAt(std::uint64_t bytes, std::int64_t now);
    void take(std::uint64_t bytes);

private:
    double m_bytesPerSecond = 0;
    double m_burst = 0;
    double m_tokens = 0;
    std::int64_t m_at = 0;
};

} // namespace jetglass::consumers
