// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/permission_set.h"

#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::accounts {

PermissionSet::PermissionSet(const std::optional<Permissions>& permissions)
{
    if (!permissions)
        return;
    m_publishAllow = permissions->publishAllow;
    m_publishDeny = permissions->publishDeny;
    if (permissions->subscribeAllow)
        m_subscribeAllow = split(*permissions->subscribeAllow);
    m_subscribeDeny = split(permissions->subscribeDeny);
    m_responses = permissions->allowResponses;
    // Whoever may answer what he is asked needs no right to publish anything else.
    if (m_responses && !m_publishAllow)
        m_publishAllow.emplace();
    m_unrestricted =
        !m_publishAllow && m_publishDeny.empty() && !m_subscribeAllow && m_subscribeDeny.empty();
}

std::vector<PermissionSet::Pattern> PermissionSet::split(const std::vector<std::string>& entries)
{
    std::vector<Pattern> patterns;
    patterns.reserve(entries.size());
    for (const std::string& entry : entries) {
        const auto blank = entry.find_first_of(" \t");
        if (blank == std::string::npos) {
            patterns.push_back({entry, {}});
            continue;
        }
        const auto queue = entry.find_first_not_of(" \t", blank);
        patterns.push_back({entry.substr(0, blank),
            queue == std::string::npos ? std::string() : entry.substr(queue)});
    }
    return patterns;
}

/// A pattern without queue part speaks of plain subscriptions and of every queue, unless an entry
/// with a queue part covers the same subject: then the queue part decides for queue subscriptions.
bool PermissionSet::covers(
    const std::vector<Pattern>& patterns, std::string_view subject, std::string_view queue)
{
    bool plain = false;
    bool queueSpoken = false;
    bool queueMatches = false;
    for (const Pattern& pattern : patterns) {
        if (!subjects::isSubset(subject, pattern.subject))
            continue;
        if (pattern.queue.empty()) {
            plain = true;
        } else if (!queue.empty()) {
            queueSpoken = true;
            queueMatches = queueMatches || subjects::matches(pattern.queue, queue);
        }
    }
    return queueSpoken ? queueMatches : plain;
}

bool PermissionSet::mayPublish(std::string_view subject) const
{
    if (m_unrestricted)
        return true;
    std::string key(subject);
    const auto known = m_publishCache.find(key);
    if (known != m_publishCache.end())
        return known->second;
    const bool allowed = decidePublish(subject);
    // A publisher with endless new subjects must not cost memory: start over when full.
    if (m_publishCache.size() >= kCacheLimit)
        m_publishCache.clear();
    m_publishCache.emplace(std::move(key), allowed);
    return allowed;
}

bool PermissionSet::decidePublish(std::string_view subject) const
{
    const auto matchesSubject = [subject](const std::string& pattern) {
        return subjects::matches(pattern, subject);
    };
    if (m_publishAllow
        && std::none_of(m_publishAllow->begin(), m_publishAllow->end(), matchesSubject))
        return false;
    return std::none_of(m_publishDeny.begin(), m_publishDeny.end(), matchesSubject);
}

bool PermissionSet::maySubscribe(std::string_view subject, std::string_view queue) const
{
    if (m_unrestricted)
        return true;
    if (m_subscribeAllow && !covers(*m_subscribeAllow, subject, queue))
        return false;
    return m_subscribeDeny.empty() || !covers(m_subscribeDeny, subject, queue);
}

bool PermissionSet::needsDeliveryFilter(std::string_view subject) const
{
    return std::any_of(
        m_subscribeDeny.begin(), m_subscribeDeny.end(), [subject](const Pattern& pattern) {
            return pattern.queue.empty() && subjects::collide(pattern.subject, subject);
        });
}

bool PermissionSet::mayReceive(std::string_view subject) const
{
    return std::none_of(
        m_subscribeDeny.begin(), m_subscribeDeny.end(), [subject](const Pattern& pattern) {
            return pattern.queue.empty() && subjects::matches(pattern.subject, subject);
        });
}

} // namespace jetglass::accounts
