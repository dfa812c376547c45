// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "consumers/pull_request.h"

#include <cstddef>
#include <list>

namespace jetglass::consumers {

/// The open pull requests of a consumer in order of service (consumers.md 5.8.2, 8.3). A list,
/// since a request that was served moves behind the others without being copied.
class PullQueue
{
public:
    using Iterator = std::list<PullRequest>::iterator;

    [[nodiscard]] bool empty() const { return m_requests.empty(); }
    [[nodiscard]] std::size_t size() const { return m_requests.size(); }
    [[nodiscard]] std::size_t noWaits() const { return m_noWaits; }
    /// Messages that all of them still want.
    [[nodiscard]] std::uint64_t wanted() const;

    void setByPriority(bool on) { m_byPriority = on; }
    /// At the end, or at the end of its priority.
    PullRequest& add(PullRequest request);
    Iterator begin() { return m_requests.begin(); }
    Iterator end() { return m_requests.end(); }
    [[nodiscard]] const std::list<PullRequest>& all() const { return m_requests; }
    Iterator remove(Iterator at);
    /// Behind the others (of its priority).
    void moveBack(Iterator at);
    void clear();

private:
    [[nodiscard]] Iterator placeFor(const PullRequest& request);

    std::list<PullRequest> m_requests;
    std::size_t m_noWaits = 0;
    bool m_byPriority = false;
};

} // namespace jetglass::consumers
