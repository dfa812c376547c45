// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/log.h"
#include "base/timer_queue.h"
#include "broker/clock.h"
#include "broker/config.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "store/store_factory.h"
#include "streams/bus.h"
#include "streams/turn.h"

#include <cstdint>
#include <string>

namespace jetglass::streams {

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
    std::string account = "$G";
    std::string serverName;
    std::string serverId;
    std::int64_t maxPayload = 1048576;
    /// Next numbers for flow events, shared by all accounts.
    std::uint32_t* nextStreamId = nullptr;
    std::uint32_t* nextConsumerId = nullptr;
};

} // namespace jetglass::streams
