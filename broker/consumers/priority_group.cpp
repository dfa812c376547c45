// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/priority_group.h"

#include <algorithm>
#include <utility>

namespace jetglass::consumers {

void PriorityGroup::configure(const ConsumerConfig& config)
{
    m_policy = config.priorityPolicy;
    m_groups = config.priorityGroups;
    m_group = m_groups.empty() ? std::string() : m_groups.front();
    if (m_policy != PriorityPolicy::PinnedClient)
        unpin();
}

PriorityGroup::Answer PriorityGroup::ask(
    const PullRequest& request, std::uint64_t pending, std::size_t ackPending) const
{
    if (m_policy == PriorityPolicy::Overflow) {
        if (request.minPending <= 0 && request.minAckPending <= 0)
            return Answer::Serve;
        const bool enough =
            request.minPending > 0 && static_cast<std::uint64_t>(request.minPending) <= pending;
        const bool late = request.minAckPending > 0
            && static_cast<std::size_t>(request.minAckPending) <= ackPending;
        return enough || late ? Answer::Serve : Answer::Skip;
    }
    if (m_policy != PriorityPolicy::PinnedClient)
        return Answer::Serve;
    if (!isPinned()) {
        if (!request.json)
            return Answer::Serve;
        return request.pinId.empty() ? Answer::Pin : Answer::WrongPin;
    }
    if (request.pinId == m_pinId)
        return Answer::Serve;
    return request.pinId.empty() ? Answer::Skip : Answer::WrongPin;
}

void PriorityGroup::pin(std::string id, std::int64_t wallTime, ClientId client)
{
    m_pinId = std::move(id);
    m_pinnedAt = wallTime;
    m_client = client;
}

void PriorityGroup::unpin()
{
    m_pinId.clear();
    m_pinnedAt = 0;
    m_client = {};
}

std::string_view PriorityGroup::refusal(const PullRequest& request) const
{
    if ((request.minPending != 0 || request.minAckPending != 0)
        && m_policy != PriorityPolicy::Overflow)
        return "400 Bad Request - Not a Overflow Priority consumer";
    if (!request.pinId.empty() && m_policy != PriorityPolicy::PinnedClient)
        return "400 Bad Request - Not a Pinned Client Priority consumer";
    if (request.priority < 0 || request.priority > 9)
        return "400 Bad Request - Priority must be between 0 and 9";
    if (m_policy == PriorityPolicy::None)
        return {};
    if (request.group.empty())
        return "400 Bad Request - Priority Group missing";
    if (std::find(m_groups.begin(), m_groups.end(), request.group) == m_groups.end())
        return "400 Bad Request - Invalid Priority Group";
    if (isPinned() && !request.pinId.empty() && request.pinId != m_pinId)
        return "423 Nats-Pin-Id mismatch";
    return {};
}

} // namespace jetglass::consumers
