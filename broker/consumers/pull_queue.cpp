// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/pull_queue.h"

#include <limits>

namespace jetglass::consumers {

namespace {

std::int64_t urgency(const PullRequest& request)
{
    return request.json ? request.priority : std::numeric_limits<std::int64_t>::max();
}

} // namespace

std::uint64_t PullQueue::wanted() const
{
    std::uint64_t sum = 0;
    for (const PullRequest& request : m_requests) {
        const auto left = static_cast<std::uint64_t>(request.left);
        sum = sum + left < sum ? std::numeric_limits<std::uint64_t>::max() : sum + left;
    }
    return sum;
}

PullQueue::Iterator PullQueue::placeFor(const PullRequest& request)
{
    if (!m_byPriority)
        return m_requests.end();
    auto place = m_requests.begin();
    while (place != m_requests.end() && urgency(*place) <= urgency(request))
        ++place;
    return place;
}

PullRequest& PullQueue::add(PullRequest request)
{
    m_noWaits += request.noWait ? 1U : 0U;
    const auto place = placeFor(request);
    return *m_requests.insert(place, std::move(request));
}

PullQueue::Iterator PullQueue::remove(Iterator at)
{
    m_noWaits -= at->noWait ? 1U : 0U;
    return m_requests.erase(at);
}

void PullQueue::moveBack(Iterator at)
{
    m_requests.splice(placeFor(*at), m_requests, at);
}

void PullQueue::clear()
{
    m_requests.clear();
    m_noWaits = 0;
}

} // namespace jetglass::consumers
