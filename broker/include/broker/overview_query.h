// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/ids.h"
#include "broker/message_state.h"
#include "broker/stream_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetglass {

/// Counts of a stream, as in StreamInfo.state.
struct StreamCounts
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    StreamSeq first; ///< last + 1 when empty
    StreamSeq last;
    std::int64_t firstTime = 0; ///< wall ns, 0 when empty
    std::int64_t lastTime = 0;
    std::uint64_t subjects = 0;
    std::uint64_t deleted = 0; ///< interior gaps
};

/// Counts and cursors of a consumer, as in ConsumerInfo.
struct ConsumerCounts
{
    ConsumerSeq deliveredConsumerSeq;
    StreamSeq deliveredStreamSeq;
    ConsumerSeq floorConsumerSeq;
    StreamSeq floorStreamSeq;
    StreamSeq nextStreamSeq; ///< first sequence that has not been looked at
    std::uint64_t ackPending = 0;
    std::uint64_t redelivered = 0;
    std::uint64_t waitingPulls = 0;
    std::uint64_t pending = 0; ///< num_pending
    std::uint64_t redeliveryQueue = 0; ///< timed out or nak'd, ready to be delivered again
    bool pushBound = false;
    bool paused = false;
    bool stalled = false; ///< max_ack_pending or flow control holds new deliveries back
    std::int64_t pausedUntil = 0; ///< wall ns
    std::int64_t nextAckDue = 0; ///< wall ns of the earliest deadline, 0 = none
    std::int64_t lastPullAt = 0; ///< wall ns of the last pull request in this run, 0 = none
};

/// One client has the consumer to itself (priority policy pinned_client).
struct PinnedClient
{
    std::string group;
    ClientId client{};
    std::int64_t since = 0; ///< wall ns
};

/// A mirror's origin or one source, as in StreamInfo.mirror and .sources.
struct UpstreamStatus
{
    std::string name; ///< of the origin's stream
    std::uint64_t lag = 0; ///< messages still to copy
    std::int64_t heardAt = 0; ///< wall ns, 0 = never
    std::string error; ///< of the last attempt to reach it; empty = none
};

/// The messages of a stream that are schedules (ADR-51).
struct ScheduleCounts
{
    std::uint64_t schedules = 0;
    std::int64_t nextAt = 0; ///< wall ns when the next one fires, 0 = none
};

struct ConsumerOverview
{
    ConsumerId id{};
    std::string name;
    std::int64_t created = 0;
    ConsumerConfig config;
    ConsumerCounts counts;
    std::optional<PinnedClient> pinned;
};

struct StreamOverview
{
    StreamId id{};
    std::string name;
    std::int64_t created = 0;
    StreamConfig config;
    StreamCounts counts;
    /// What retention removes next: a rule and when, or NoInterest-like None if nothing is due.
    Removal nextRemoval = Removal::None;
    StreamSeq nextRemovalSeq;
    std::int64_t nextRemovalAt =
        0; ///< wall ns for max_age and TTL; 0 for count and size limits ("at the next publish")
    std::vector<UpstreamStatus> upstreams; ///< in the order of the configuration
    ScheduleCounts schedules;
    std::vector<ConsumerOverview> consumers; ///< by name
};

struct ServerCounts
{
    std::uint64_t connections = 0;
    std::uint64_t inMsgs = 0;
    std::uint64_t outMsgs = 0;
    std::uint64_t inBytes = 0;
    std::uint64_t outBytes = 0;
    std::uint64_t slowConsumers = 0;
    std::uint64_t subscriptions = 0;
};

/// Everything the explorer shows; one answer, consistent at event number lastEvent.
struct BrokerOverview
{
    std::uint64_t lastEvent = 0; ///< number of the last flow event included
    std::int64_t time = 0; ///< wall ns
    ServerCounts server;
    std::vector<StreamOverview> streams; ///< by name
};

} // namespace jetglass
