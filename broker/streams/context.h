// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/log.h"
#include "base/timer_queue.h"
#include "broker/clock.h"
#include "broker/config.h"
#include "broker/stream_config.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "store/store_factory.h"
#include "streams/bus.h"
#include "streams/turn.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace jetglass::streams {

class Stream;

/// What a link finds where its origin is said to be.
struct ExternalOrigin
{
    bool answered = false; ///< by somebody who knows: no stream then means that there is none
    Stream* stream = nullptr;
    bool silent = false; ///< it is there, but nothing that it sends gets here
};

/// Open batches of all accounts together, for the limits of the server.
struct BatchTotals
{
    std::size_t atomic = 0;
    std::size_t fast = 0;
    std::size_t heldBytes = 0; ///< of messages that wait for their batch's commit
};

inline constexpr int kApiLevel = 5;
/// The server version whose behaviour is followed: INFO, varz, metadata _nats.ver.
inline constexpr const char* kNatsVersion = "2.15.2";

/// What the streams and consumers of one account live in. The engine makes it and outlives them.
struct Context
{
    Clock& clock;
    base::TimerQueue& timers;
    flow::FlowHub& hub;
    flow::Gates& gates;
    Turn& turn;
    Bus& bus;
    store::StoreFactory& stores;
    base::Log& log;
    const JetStreamConfig& settings;
    /// What this account may use of it.
    const AccountLimits& limits;
    std::string account = "$G";
    std::string serverName;
    std::string serverId;
    std::int64_t maxPayload = 1048576;
    /// Next numbers for flow events, shared by all accounts.
    std::uint32_t* nextStreamId = nullptr;
    std::uint32_t* nextConsumerId = nullptr;
    /// Bytes in use by all streams of the account, as counted in streams.md 4.1; the streams keep
    /// them up to date.
    std::uint64_t memoryUsed = 0;
    std::uint64_t fileUsed = 0;
    /// Memory for what is remembered of messages that are settled or gone (contracts.md 3), all
    /// streams and consumers of the account together. Who gets no more forgets its own oldest.
    static constexpr std::uint64_t kMemoriesBudget = std::uint64_t{128} << 20U;
    std::uint64_t memoriesUsed = 0;
    /// Set by the account's StreamRegistry: for work that comes back after its stream may have
    /// gone.
    std::function<Stream*(std::string_view name)> findStream;
    /// Likewise: some stream stores messages on this literal subject.
    std::function<bool(std::string_view subject)> isCaptured;
    /// Likewise: a stream that is reached by an API prefix of its own, of a domain or an account.
    std::function<ExternalOrigin(const StreamSource::External& external, std::string_view name)>
        findExternal = {};
    /// Likewise: something of the stream has changed that its watcher wants to know of.
    std::function<void(Stream& stream)> streamChanged = {};
    /// Set by the account's JetStream: the reference server's links ask by the API what those here
    /// find without it; the account's count of requests has them.
    std::function<void(bool failed)> requestCounted = {};

    /// Set by the server, shared by all accounts; null = this account is alone.
    BatchTotals* batchTotals = nullptr;
    /// Likewise, bytes of all other accounts: what they store, and what their streams have reserved
    /// by max_bytes. Null = there are no others.
    std::function<std::uint64_t(Storage storage)> storedElsewhere = {};
    std::function<std::int64_t(Storage storage)> reservedElsewhere = {};
    /// Set by the server where accounts import from each other: the same of other accounts'
    /// streams.
    std::function<ExternalOrigin(const StreamSource::External& external, std::string_view name)>
        findAcross = {};
    /// Publishes in the system account, unless this is it; null where there is none.
    std::function<void(std::string_view subject, const std::function<std::string()>& make)>
        tellSystem = {};

    /// Timers on a clock that is never bent, for what a client waits for by its own clock; null
    /// where there is none: then \a timers.
    base::TimerQueue* realTimers = nullptr;

    /// Bytes stored by all accounts together.
    [[nodiscard]] std::uint64_t storedBytes(Storage storage) const
    {
        return (storage == Storage::File ? fileUsed : memoryUsed)
            + (storedElsewhere ? storedElsewhere(storage) : 0);
    }
    [[nodiscard]] base::TimerQueue& flowTimers() const { return realTimers ? *realTimers : timers; }
    /// Somebody outside or some stream takes it: an advisory is worth its making.
    [[nodiscard]] bool wanted(std::string_view subject) const
    {
        return bus.hasInterest(subject) || (isCaptured && isCaptured(subject));
    }
};

} // namespace jetglass::streams
