// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetglass {

enum class DeliverPolicy : std::uint8_t
{
    All,
    Last,
    New,
    ByStartSequence,
    ByStartTime,
    LastPerSubject
};
enum class AckPolicy : std::uint8_t
{
    None,
    All,
    Explicit,
    FlowControl
};
enum class ReplayPolicy : std::uint8_t
{
    Instant,
    Original
};
enum class PriorityPolicy : std::uint8_t
{
    None,
    Overflow,
    PinnedClient,
    Prioritized
};

/// A consumer's configuration with every field of the 2.15 API. Times in ns. Durable if durableName
/// is set, push if deliverSubject is set.
struct ConsumerConfig
{
    std::string durableName;
    std::string name;
    std::string description;
    DeliverPolicy deliverPolicy = DeliverPolicy::All;
    std::uint64_t optStartSeq = 0;
    std::optional<std::string> optStartTime; ///< RFC 3339 as the client wrote it, zone included
    AckPolicy ackPolicy = AckPolicy::None; ///< absent in a request means none
    std::int64_t ackWait = 0;
    std::int64_t maxDeliver = 0; ///< -1 after normalization = no limit
    std::vector<std::int64_t> backoff;
    std::string filterSubject;
    std::optional<std::vector<std::string>>
        filterSubjects; ///< absent and [] differ, consumers.md 1.4.1
    ReplayPolicy replayPolicy = ReplayPolicy::Instant;
    std::uint64_t rateLimitBps = 0; ///< bits per second
    std::string sampleFreq;
    std::int64_t maxWaiting = 0;
    std::int64_t maxAckPending = 0;
    bool flowControl = false;
    bool headersOnly = false;
    std::int64_t maxBatch = 0;
    std::int64_t maxExpires = 0;
    std::int64_t maxBytes = 0;
    std::string deliverSubject;
    std::string deliverGroup;
    std::int64_t idleHeartbeat = 0;
    std::int64_t inactiveThreshold = 0;
    int replicas = 0; ///< echoed as sent
    bool memStorage = false;
    bool direct = false;
    bool sourcing = false;
    std::map<std::string, std::string> metadata;
    std::optional<std::string> pauseUntil; ///< RFC 3339 as the client wrote it
    std::vector<std::string> priorityGroups;
    PriorityPolicy priorityPolicy = PriorityPolicy::None;
    std::int64_t priorityTimeout = 0;
    bool operator==(const ConsumerConfig&) const = default;

    [[nodiscard]] bool isPush() const { return !deliverSubject.empty(); }
    [[nodiscard]] bool isDurable() const { return !durableName.empty(); }
};

} // namespace jetglass
