// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "server/link.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass::server {

/// Message and byte counters of one direction.
struct Traffic
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;

    void add(const Traffic& other)
    {
        messages += other.messages;
        bytes += other.bytes;
    }
};

/// One subscription as connz and subsz show it.
struct SubscriptionRecord
{
    std::string account;
    std::string subject;
    std::string queue;
    std::string sid;
    std::uint64_t delivered = 0;
    std::uint64_t max = 0; ///< 0 = no limit
    ClientId client{};
};

/// One connection as connz shows it. Times are wall ns, durations ns.
struct ConnectionRecord
{
    ClientId id{};
    std::string type = "nats";
    std::string host;
    std::uint16_t port = 0;
    std::string account;
    std::string user;
    std::string nkey;
    std::string name;
    std::string lang;
    std::string version;
    std::string tlsVersion; ///< empty = plain
    std::string tlsCipher;
    bool tlsFirst = false;
    std::int64_t start = 0;
    std::int64_t lastActivity = 0;
    std::int64_t stop = 0; ///< 0 while it is open
    std::int64_t rtt = 0;
    std::uint64_t pendingBytes = 0;
    Traffic in;
    Traffic out;
    std::uint64_t subscriptions = 0;
    CloseReason reason = CloseReason::ClientClosed; ///< closed ones only
};

/// Counters since start.
struct EngineCounts
{
    std::uint64_t connections = 0; ///< open now
    std::uint64_t totalConnections = 0;
    std::uint64_t subscriptions = 0; ///< of clients, all accounts
    Traffic in;
    Traffic out;
    std::uint64_t slowConsumers = 0;
    std::uint64_t staleConnections = 0;
    std::uint64_t stalledClients = 0;
};

/// What subsz shows of one account's matcher.
struct MatcherCounts
{
    std::uint64_t subscriptions = 0;
    std::uint64_t cached = 0;
    std::uint64_t inserts = 0;
    std::uint64_t removes = 0;
    std::uint64_t matches = 0;
    std::uint64_t cacheHits = 0;
    std::uint64_t maxFanout = 0; ///< receivers of the widest remembered result
    std::uint64_t totalFanout = 0; ///< of all remembered results together
};

} // namespace jetglass::server
