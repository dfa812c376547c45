// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/reply_permits.h"

#include <algorithm>

namespace jetglass::server {

namespace {
constexpr std::size_t kFirstSweep = 4096;
}

void ReplyPermits::set(std::optional<Permissions::Responses> responses)
{
    m_responses = responses;
    m_permits.clear();
    m_sweepAt = kFirstSweep;
}

void ReplyPermits::note(std::string_view reply, std::int64_t now)
{
    if (m_permits.size() >= m_sweepAt) {
        std::erase_if(m_permits, [now](const auto& entry) { return entry.second.expires <= now; });
        m_sweepAt = std::max(kFirstSweep, m_permits.size() * 2);
    }
    const std::int64_t expires = m_responses->expires < 0 ? INT64_MAX : now + m_responses->expires;
    m_permits.insert_or_assign(std::string(reply), Permit{m_responses->max, expires});
}

bool ReplyPermits::use(std::string_view subject, std::int64_t now)
{
    const auto it = m_permits.find(std::string(subject));
    if (it == m_permits.end())
        return false;
    Permit& permit = it->second;
    const bool valid = permit.expires > now;
    if (!valid || (permit.left > 0 && --permit.left == 0))
        m_permits.erase(it);
    return valid;
}

} // namespace jetglass::server
