// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/explain.h"
#include "consumers/ack_tracker.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::consumers {

/// What the rules look at in the consumer. Times in Clock::now() terms.
struct DeliveryFacts
{
    std::int64_t now = 0;
    std::int64_t pausedUntil = 0;
    std::int64_t rateFreeAt = 0; ///< rate limit and original replay speed
    std::uint64_t flowOut = 0; ///< bytes sent and not yet answered for
    std::uint64_t flowWindow = 0; ///< 0 = no flow control
    std::int64_t maxAckPending = 0; ///< <= 0 = no limit
    std::int64_t maxDeliver = 0; ///< <= 0 = no limit
    std::size_t ackPending = 0;
    std::size_t requests = 0;
    std::size_t eligible = 0; ///< requests that the priority policy would serve
    bool push = false;
    bool interest = false;
    bool held = false; ///< by a gate of the lab
};

/// What they look at in the message. Only explain fills all of it; the loop knows the rest to be
/// true.
struct MessageFacts
{
    bool stored = true;
    bool matches = true;
    bool afterStart = true;
    bool settled = false;
    const PendingMessage* pending = nullptr; ///< null: a first delivery
    StreamSeq earlier; ///< stands before it, 0 = none
};

/// "May this message go to this consumer now?", one condition. The delivery loop and the explain
/// question both ask here, so that an explanation cannot differ from what the loop does.
[[nodiscard]] bool passes(
    Condition condition, const DeliveryFacts& facts, const MessageFacts& message);

/// What the loop asks before it looks for a message: the first condition that blocks.
[[nodiscard]] std::optional<Condition> blockedBeforeMessage(const DeliveryFacts& facts);

/// All conditions in the loop's order.
inline constexpr std::array kConditions{Condition::Stored,
    Condition::MatchesFilter,
    Condition::AfterStart,
    Condition::NotSettled,
    Condition::NotPaused,
    Condition::HasInterest,
    Condition::HasRequest,
    Condition::FlowWindowOpen,
    Condition::AckNotDue,
    Condition::NakDelayOver,
    Condition::UnderMaxDeliver,
    Condition::SlotFree,
    Condition::IsNext,
    Condition::RateAllows,
    Condition::PriorityAllows,
    Condition::GateOpen};

/// The configuration member that governs a condition, empty if none does.
[[nodiscard]] std::string_view settingOf(Condition condition);

} // namespace jetglass::consumers
