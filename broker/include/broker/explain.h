// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass {

/// The conditions of the delivery loop, in the order in which it asks them. The words for them are
/// in app/text.
enum class Condition : std::uint8_t
{
    Stored, ///< the message is (still) in the stream
    MatchesFilter,
    AfterStart, ///< not before where the consumer began
    NotSettled, ///< not acked, terminated or exhausted
    NotPaused,
    HasInterest, ///< push: somebody subscribes to the deliver subject
    HasRequest, ///< pull: an open request that wants a message
    FlowWindowOpen, ///< push with flow control
    AckNotDue, ///< delivered already: waits for its ack until the deadline
    NakDelayOver,
    UnderMaxDeliver,
    SlotFree, ///< max_ack_pending not reached
    IsNext, ///< no earlier message stands before it
    RateAllows, ///< rate limit or original replay speed
    PriorityAllows, ///< pinned client, overflow thresholds
    GateOpen ///< no gate of the lab holds it
};

enum class Verdict : std::uint8_t
{
    Passes,
    Blocks,
    NotAsked
};

/// One condition with what it saw.
struct ConditionReport
{
    Condition condition{};
    Verdict verdict = Verdict::NotAsked;
    std::int64_t value =
        0; ///< the number it looked at (pending for ack, waiting requests, ahead in line ...)
    std::int64_t limit = 0; ///< what it was compared with, 0 = none
    std::string setting; ///< the configuration member that governs it, e.g. "max_ack_pending";
                         ///< empty if none
    std::int64_t freesAt = 0; ///< wall ns when time alone frees it; 0 = something must happen
    StreamSeq blocker; ///< the message that stands before it or blocks the floor
    ClientId client{}; ///< who holds it
};

struct ExplainQuestion
{
    StreamId stream{};
    ConsumerId consumer{};
    StreamSeq seq; ///< 0 = "why does this consumer not move?"
};

struct ExplainAnswer
{
    bool found = false;
    std::uint64_t lastEvent = 0;
    std::int64_t time = 0;
    DeliveryState state = DeliveryState::NotMatched;
    Removal removal = Removal::None;
    std::uint32_t deliveries = 0;
    StreamSeq ackFloor;
    StreamSeq floorWaitsFor; ///< the one message that keeps the floor where it is, 0 = none
    std::vector<ConditionReport> conditions; ///< in the loop's order
};

} // namespace jetglass
