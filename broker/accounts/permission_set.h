// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetglass::accounts {

/// What one connection may publish and subscribe to (core.md 3.3). One per connection: it remembers
/// its decisions on publish subjects, bounded, so that the hot path is one lookup. Broker thread
/// only. The default set allows everything.
class PermissionSet
{
public:
    PermissionSet() = default;
    explicit PermissionSet(const std::optional<Permissions>& permissions);

    /// Nothing is restricted: callers may skip the other questions.
    [[nodiscard]] bool unrestricted() const { return m_unrestricted; }
    /// By the lists alone; a reply subject that responses() opens is the connection's own business.
    [[nodiscard]] bool mayPublish(std::string_view subject) const;
    /// The whole pattern must be covered by what is allowed and must not be covered by what is
    /// denied. \a queue is empty for a plain subscription.
    [[nodiscard]] bool maySubscribe(std::string_view subject, std::string_view queue) const;
    /// An accepted subscription to this pattern overlaps something denied: its messages need
    /// mayReceive().
    [[nodiscard]] bool needsDeliveryFilter(std::string_view subject) const;
    /// May a message on this literal subject be delivered to a subscription that needs the filter?
    [[nodiscard]] bool mayReceive(std::string_view subject) const;
    /// Present if the connection may answer to reply subjects of messages that it got.
    [[nodiscard]] const std::optional<Permissions::Responses>& responses() const
    {
        return m_responses;
    }

private:
    struct Pattern
    {
        std::string subject;
        std::string queue; ///< empty = without queue part
    };
    static std::vector<Pattern> split(const std::vector<std::string>& entries);
    static bool covers(
        const std::vector<Pattern>& patterns, std::string_view subject, std::string_view queue);
    [[nodiscard]] bool decidePublish(std::string_view subject) const;

    static constexpr std::size_t kCacheLimit = 256;

    bool m_unrestricted = true;
    std::optional<std::vector<std::string>> m_publishAllow;
    std::vector<std::string> m_publishDeny;
    std::optional<std::vector<Pattern>> m_subscribeAllow;
    std::vector<Pattern> m_subscribeDeny;
    std::optional<Permissions::Responses> m_responses;
    mutable std::unordered_map<std::string, bool> m_publishCache;
};

} // namespace jetglass::accounts
