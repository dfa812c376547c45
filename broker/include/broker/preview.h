// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_query.h"
#include "broker/stream_config.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetglass {

/// "What would this purge, delete or new configuration remove?" Exactly one of the three is set.
struct PreviewQuestion
{
    struct Purge
    {
        std::uint64_t seq = 0; ///< below this sequence; 0 = not given
        std::uint64_t keep = 0;
        std::string filter;
    };
    StreamId stream{};
    std::optional<Purge> purge;
    std::optional<StreamConfig> config;
    bool deleteStream = false;
};

struct PreviewConsumer
{
    ConsumerId consumer{};
    std::string name;
    std::uint64_t losesPending = 0; ///< matching messages that it has not been given yet
    std::uint64_t losesAckPending = 0; ///< delivered and not yet settled
};

/// Sequences without one between them that stays.
struct PreviewRange
{
    StreamSeq first;
    StreamSeq last;
};

/// Exact, unless messages leave while a long one is made.
struct PreviewAnswer
{
    static constexpr std::size_t kMostRanges = 256;

    bool found = false;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t stays = 0; ///< messages that remain
    StreamSeq first; ///< lowest and highest sequence that goes
    StreamSeq last;
    std::vector<PreviewRange> ranges; ///< ascending, the first kMostRanges
    bool moreRanges = false;
    std::vector<MessageRow> sample; ///< the first few that go, payload cut at 256 bytes
    std::vector<PreviewConsumer> consumers;
    std::string error; ///< NATS's text if the change would be refused
};

} // namespace jetglass
