// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "consumers/pull_request.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::consumers {

/// Which of the open requests a priority policy lets be served (consumers.md 8.1 to 8.3), and the
/// pin. The order of the prioritized policy is the queue's.
class PriorityGroup
{
public:
    enum class Answer
    {
        Serve,
        Skip, ///< standby, or its thresholds are not reached: behind the others
        Pin, ///< this request gets the pin now
        WrongPin ///< 423 Nats-Wrong-Pin-Id
    };

    void configure(const ConsumerConfig& config);
    [[nodiscard]] PriorityPolicy policy() const { return m_policy; }
    [[nodiscard]] const std::string& group() const { return m_group; } ///< the first one

    /// \a pending counts the message at hand.
    [[nodiscard]] Answer ask(
        const PullRequest& request, std::uint64_t pending, std::size_t ackPending) const;

    [[nodiscard]] bool isPinned() const { return !m_pinId.empty(); }
    [[nodiscard]] const std::string& pinId() const { return m_pinId; }
    [[nodiscard]] std::int64_t pinnedAt() const { return m_pinnedAt; } ///< wall ns
    [[nodiscard]] ClientId pinnedClient() const { return m_client; }
    void pin(std::string id, std::int64_t wallTime, ClientId client);
    void unpin();

    /// Why a new request cannot be taken ("400 Bad Request - ..." or 423), empty if it can.
    [[nodiscard]] std::string_view refusal(const PullRequest& request) const;

private:
    PriorityPolicy m_policy = PriorityPolicy::None;
    std::vector<std::string> m_groups;
    std::string m_group;
    std::string m_pinId;
    std::int64_t m_pinnedAt = 0;
    ClientId m_client{};
};

} // namespace jetglass::consumers
