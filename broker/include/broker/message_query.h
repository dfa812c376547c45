// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass {

/// Messages of a stream with their content, in ascending order from \a first, skipping gaps.
struct MessageQuestion
{
    StreamId stream{};
    StreamSeq first;
    std::uint32_t count = 100; ///< at most 1,000; an answer also ends at 256 KiB
    std::string filter; ///< subject pattern, empty = all
    std::uint32_t payloadLimit =
        4096; ///< payload bytes per message; fullSize says how much there is
    bool backwards = false; ///< from first downwards
};

struct MessageRow
{
    StreamSeq seq;
    std::int64_t time = 0;
    std::string subject;
    std::string headers; ///< whole block as stored, NATS/1.0 line included; empty = none
    std::string payload; ///< first payloadLimit bytes
    std::uint64_t payloadSize = 0;
    std::int64_t endsAt = 0; ///< wall ns when time alone takes it, 0 = it does not
    Removal endsBy = Removal::None; ///< by which rule then: Ttl or MaxAge
    std::int64_t firesAt = 0; ///< wall ns when the schedule that it is fires next, 0 = it is none
};

struct MessageAnswer
{
    bool found = false;
    std::uint64_t lastEvent = 0;
    std::vector<MessageRow> rows;
    StreamSeq next; ///< where to go on; 0 = nothing more
};

/// Ranges that left the stream, newest first, from the ledger (newest 1 M kept over restarts).
struct RemovalsQuestion
{
    StreamId stream{};
    StreamSeq first;
    StreamSeq last; ///< 0 = to the end
    std::uint32_t limit = 1000;
};

struct RemovalRow
{
    StreamSeq first;
    StreamSeq last;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    Removal cause = Removal::Unknown;
    /// Who asked, 0 = the broker's rules. With kPastClient: a place in RemovalsAnswer::pastClients.
    ClientId client{};
    std::int64_t time = 0;
};

/// Marks connections of an earlier start of the broker.
inline constexpr std::uint32_t kPastClient = 0x8000'0000U;

struct RemovalsAnswer
{
    bool found = false;
    std::vector<RemovalRow> rows;
    std::vector<std::string> pastClients; ///< their names
};

/// The dedup window: message ids with remaining time.
struct DedupRow
{
    std::string id;
    StreamSeq seq;
    std::int64_t expires = 0; ///< wall ns
};

struct DedupAnswer
{
    bool found = false;
    std::uint64_t total = 0;
    std::int64_t window = 0; ///< ns
    std::vector<DedupRow> rows; ///< newest first, at most 1,000
};

/// Open pull requests of a consumer, in order of service.
struct PullRow
{
    ClientId client{};
    std::string reply;
    std::uint64_t batchLeft = 0;
    std::int64_t bytesLeft = 0; ///< 0 = no byte budget
    std::int64_t expires = 0; ///< wall ns, 0 = never
    bool noWait = false;
};

struct PullsAnswer
{
    bool found = false;
    std::vector<PullRow> rows;
};

struct ClientRow
{
    ClientId id{};
    std::string name;
    std::string lang;
    std::string version;
    std::string address; ///< host:port
    std::string user;
    std::uint64_t subscriptions = 0;
    std::uint64_t inMsgs = 0;
    std::uint64_t outMsgs = 0;
    std::uint64_t inBytes = 0;
    std::uint64_t outBytes = 0;
    std::uint64_t pendingBytes = 0;
    std::int64_t start = 0;
};

struct ClientsAnswer
{
    std::vector<ClientRow> rows;
};

} // namespace jetglass
