// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/delivery_rules.h"

namespace jetglass::consumers {

bool passes(Condition condition, const DeliveryFacts& facts, const MessageFacts& message)
{
    const PendingMessage* pending = message.pending;
    switch (condition) {
    case Condition::Stored:
        return message.stored;
    case Condition::MatchesFilter:
        return message.matches;
    case Condition::AfterStart:
        return message.afterStart;
    case Condition::NotSettled:
        return !message.settled;
    case Condition::NotPaused:
        return facts.pausedUntil <= facts.now;
    case Condition::HasInterest:
        return !facts.push || facts.interest;
    case Condition::HasRequest:
        return facts.push || facts.requests > 0;
    case Condition::FlowWindowOpen:
        return facts.flowWindow == 0 || facts.flowOut <= facts.flowWindow;
    case Condition::AckNotDue:
        return !pending || pending->state == PendingMessage::State::Queued
            || pending->state == PendingMessage::State::Naked;
    case Condition::NakDelayOver:
        return !pending || pending->state != PendingMessage::State::Naked;
    case Condition::UnderMaxDeliver:
        return !pending || facts.maxDeliver <= 0
            || static_cast<std::int64_t>(pending->deliveries) < facts.maxDeliver;
    case Condition::SlotFree:
        return pending || facts.maxAckPending <= 0
            || static_cast<std::int64_t>(facts.ackPending) < facts.maxAckPending;
    case Condition::IsNext:
        return message.earlier.isZero();
    case Condition::RateAllows:
        return facts.rateFreeAt <= facts.now;
    case Condition::PriorityAllows:
        return facts.push || facts.eligible > 0;
    case Condition::GateOpen:
        return !facts.held;
    }
    return true;
}

std::optional<Condition> blockedBeforeMessage(const DeliveryFacts& facts)
{
    static constexpr std::array kAsked{Condition::NotPaused,
        Condition::HasInterest,
        Condition::HasRequest,
        Condition::FlowWindowOpen,
        Condition::GateOpen};
    const MessageFacts none;
    for (const Condition condition : kAsked)
        if (!passes(condition, facts, none))
            return condition;
    return std::nullopt;
}

std::string_view settingOf(Condition condition)
{
    switch (condition) {
    case Condition::MatchesFilter:
        return "filter_subject";
    case Condition::AfterStart:
        return "deliver_policy";
    case Condition::NotPaused:
        return "pause_until";
    case Condition::HasInterest:
        return "deliver_subject";
    case Condition::FlowWindowOpen:
        return "flow_control";
    case Condition::AckNotDue:
        return "ack_wait";
    case Condition::UnderMaxDeliver:
        return "max_deliver";
    case Condition::SlotFree:
        return "max_ack_pending";
    case Condition::RateAllows:
        return "rate_limit_bps";
    case Condition::PriorityAllows:
        return "priority_policy";
    default:
        return {};
    }
}

} // namespace jetglass::consumers
