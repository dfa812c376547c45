// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <cstdint>
#include <type_traits>

namespace jetglass {

/// Every transition that the broker announces. The comment says what seq, second and deadline mean
/// where they are used.
enum class FlowKind : std::uint8_t
{
    // life of a message
    Published, ///< arrived at a stream, before any check
    Refused, ///< second = NATS err_code
    Duplicate, ///< seq = sequence of the original
    Stored, ///< seq; second = bytes as counted by max_bytes
    Removed, ///< seq..second, both inclusive, removed one by one or as a range; cause; deliveries =
             ///< 0; bytes in deadline
    RemovedByFilter, ///< a purge with a filter: second = count, deadline = bytes, cause
    PubAckSent, ///< seq
                // life of a delivery
    Delivered, ///< seq; second = consumer sequence; deliveries = k; deadline = ack due (0 for ack
               ///< none)
    Acked, ///< seq; second = consumer sequence
    AckedUpTo, ///< ack all: everything up to seq; second = count
    Naked, ///< deadline = when it comes again (0 = at once)
    InProgress, ///< deadline = new ack due
    Terminated, ///< seq
    TimedOut, ///< ack wait passed: queued for redelivery
    Exhausted, ///< deliveries = max_deliver
    FloorMoved, ///< seq = ack floor (stream sequence); second = consumer sequence
    CursorMoved, ///< seq = next stream sequence (purge, reset)
                 // flow of requests
    PullOpened, ///< second = batch; deadline = expiry (0 = none)
    PullServed, ///< seq of the message; second = left in the request
    PullEnded, ///< second = status code (408, 409, 404 ...; 0 = batch done or interest lost)
    StatusSent, ///< second = status code
    HeartbeatSent,
    FlowControlSent,
    Stalled, ///< second = 1 at max_ack_pending, 2 by flow control
    Resumed,
    // clients
    ClientConnected,
    ClientSubscribed, ///< second = sid hash
    ClientGone,
    ClientSlow,
    // assets
    StreamCreated,
    StreamChanged,
    StreamDeleted,
    ConsumerCreated,
    ConsumerChanged,
    ConsumerDeleted,
    ConsumerPaused, ///< deadline = until, wall time in ns
    ConsumerResumed,
    ConsumerPinned, ///< client = who
    ConsumerUnpinned,
    MirrorProgress, ///< seq; second = lag
                    // lab
    ClockChanged, ///< deadline = wall time in ns
    GateActed, ///< second = gate rule number
    FaultTaken,
    // batches; the detail of the text is the batch's id
    BatchOpened, ///< second = 1 for a fast batch
    BatchHeld, ///< a message waits for its atomic batch's commit; second = its place in the batch
    BatchCommitted, ///< seq = last message of the stream; second = messages of the batch
    BatchAbandoned, ///< second = messages given up, which nobody will ever see
    BatchGap, ///< fast: second = place that was expected, deliveries = how many were skipped, 0
              ///< backwards
    BatchFlowSent, ///< fast: second = place up to which it is processed; deliveries = ack interval
                   // schedules
    ScheduleSet, ///< seq = its message; deadline = when it fires
    ScheduleFired, ///< seq = its message; second = what it stored; deadline = next time, 0 = none
    ScheduleEnded ///< seq = its message
};
inline constexpr FlowKind kLastFlowKind = FlowKind::ScheduleEnded;

/// One transition; one line of cache. Text never rides in it: names come with BrokerOverview,
/// subject, headers and payload with a range or message question, or as FlowText during an
/// observer's call. Times are Unix nanoseconds of the broker's clock; 0 where there is none.
struct FlowEvent
{
    std::uint64_t number = 0; ///< gapless per broker start, from 1
    std::int64_t time = 0; ///< wall time of the turn
    StreamSeq seq;
    std::uint64_t second = 0; ///< see FlowKind
    std::int64_t deadline = 0; ///< wall time; see FlowKind
    StreamId stream{};
    ConsumerId consumer{};
    ClientId client{};
    std::uint32_t subjectHash = 0; ///< for colour only
    std::uint32_t deliveries = 0;
    FlowKind kind{};
    Removal cause = Removal::None;
    bool redelivery = false;
};
static_assert(std::is_trivially_copyable_v<FlowEvent> && sizeof(FlowEvent) <= 64);

} // namespace jetglass
