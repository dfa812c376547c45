// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::server {

class Account;
struct Routed;

/// Where a message comes out of a link, and what it is called there.
struct LinkEnd
{
    const Account* account = nullptr;
    std::string subject;
};

/// A subscriber that stands for those of another account: the only way from one account to another.
class AccountLink
{
public:
    virtual ~AccountLink() = default;
    /// Hands a message on; how many took it.
    virtual std::size_t forward(const Routed& message) = 0;
    /// Somebody over there would take a message on this literal subject.
    [[nodiscard]] virtual bool hasInterest(std::string_view subject) const = 0;
    /// The same of those who subscribe to exactly what the subject is called over there.
    [[nodiscard]] virtual bool hasExactInterest(std::string_view, std::string_view) const
    {
        return false;
    }
    /// Nothing for links that are the way of one answer.
    [[nodiscard]] virtual std::optional<LinkEnd> otherEnd(std::string_view) const { return {}; }
    /// Subscriptions over there to exactly this subject came or went.
    virtual void touched(std::string_view) { }
};

} // namespace jetglass::server
