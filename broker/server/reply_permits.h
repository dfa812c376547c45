// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jetglass::server {

/// Reply subjects that a connection with allow_responses may publish to, because it was handed a
/// message with them (core.md 3.3): a number of times, for a while. On real time.
class ReplyPermits
{
public:
    void set(std::optional<Permissions::Responses> responses);
    [[nodiscard]] bool active() const { return m_responses.has_value(); }
    void note(std::string_view reply, std::int64_t now);
    /// Uses one up.
    [[nodiscard]] bool use(std::string_view subject, std::int64_t now);

private:
    struct Permit
    {
        int left;
        std::int64_t expires;
    };
    std::optional<Permissions::Responses> m_responses;
    std::unordered_map<std::string, Permit> m_permits;
    std::size_t m_sweepAt = 0;
};

} // namespace jetglass::server
