// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::consumers {

/// One request for messages: what it asked for and what is left of it. Times in Clock::now() terms.
struct PullRequest
{
    std::string reply;
    ClientId client{};
    std::int64_t batch = 0; ///< as asked for; below 1 acts like 1
    std::int64_t left = 1; ///< messages still wanted
    std::int64_t expiresIn = 0; ///< ns as asked for
    std::int64_t expires = 0; ///< 0 = never
    std::int64_t maxBytes = 0; ///< as asked for, 0 = no budget
    std::int64_t bytesLeft = 0;
    std::int64_t heartbeat = 0; ///< ns, 0 = none
    std::int64_t nextHeartbeat = 0;
    bool noWait = false;
    bool json = false; ///< priority rules ask only requests in JSON
    std::uint64_t delivered = 0;
    // --- priority groups
    std::string group;
    std::int64_t minPending = 0;
    std::int64_t minAckPending = 0;
    std::string pinId;
    bool pinned = false; ///< was waiting when it got the pin
    std::int64_t priority = 0;

    [[nodiscard]] std::int64_t pendingMessages() const { return batch < 1 && left == 1 ? 0 : left; }
};

/// Reads the payload of MSG.NEXT (consumers.md 5.7). The error's text is what follows "400 Bad
/// Request - ".
Result<PullRequest> parsePullRequest(std::string_view payload);

} // namespace jetglass::consumers
