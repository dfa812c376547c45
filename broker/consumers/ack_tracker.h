// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "broker/ids.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace jetglass::consumers {

/// A place in both numberings, as ConsumerInfo shows it.
struct Position
{
    ConsumerSeq consumer;
    StreamSeq stream;
    bool operator==(const Position&) const = default;
};

/// One message that was delivered and is not settled. Times in Clock::now() terms.
struct PendingMessage
{
    enum class State : std::uint8_t
    {
        Delivered,
        InProgress,
        Naked,
        Queued
    };

    StreamSeq seq;
    ConsumerSeq
        first; ///< consumer sequence of the first delivery; never changes, the floor needs it
    std::int64_t sentAt = 0; ///< last delivery, or as moved by +WPI and delayed nak
    std::int64_t deadline = base::TimerQueue::kNever; ///< kNever while queued for redelivery
    std::uint32_t deliveries = 1;
    ClientId client{};
    std::uint32_t ticket = 0; ///< place in the redelivery queue while Queued
    State state = State::Delivered;
    bool live = true;
};

/// What one consumer has delivered and not settled, and where its delivered position and ack floor
/// stand (consumers.md 6.3). First deliveries rise in stream sequence, so the pending messages form
/// a sorted array: a look-up guesses the index from the distance to the front, right at once
/// without gaps, else a short binary search. Settled ones are marked and leave at the front or when
/// half of the array is dead. Deadlines rise too with one ack wait, so they wait in a queue; the
/// few that do not (backoff, nak delays) go into a heap. Both hold stale items, which are skipped.
class AckTracker
{
public:
    [[nodiscard]] std::size_t size() const { return m_live; }
    [[nodiscard]] bool empty() const { return m_live == 0; }

    [[nodiscard]] PendingMessage* find(StreamSeq seq);
    [[nodiscard]] const PendingMessage* find(StreamSeq seq) const;
    /// A first delivery; also moves delivered. The reference lives until the next change.
    PendingMessage& add(StreamSeq seq, ConsumerSeq first);
    /// Takes it away without looking at the floor.
    void remove(StreamSeq seq);
    /// Lowest pending sequence >= seq, null if none.
    [[nodiscard]] const PendingMessage* firstFrom(StreamSeq seq) const;
    void clear();

    void setDeadline(PendingMessage& message, std::int64_t deadline);
    /// Earliest deadline, kNever without one.
    [[nodiscard]] std::int64_t nextDeadline();
    /// All that are due, in stream order; they lose their deadline.
    [[nodiscard]] std::vector<StreamSeq> takeDue(std::int64_t now);
    /// Every deadline anew, after a change of ack wait or backoff.
    template<class Rule>
    void renewDeadlines(Rule rule);

    /// Settles one message and moves the floor by the rule for explicit acks. False if it was not
    /// pending.
    bool settle(StreamSeq seq);
    /// Ack all: everything up to \a seq; the floor is what the ack said. Returns what was settled.
    std::vector<StreamSeq> settleUpTo(StreamSeq seq, ConsumerSeq consumer);

    /// Visits all pending messages in stream order.
    template<class Visit>
    void forEach(Visit visit) const;

    Position delivered;
    Position floor;

    // --- messages given up at max_deliver: no longer pending, remembered while they are in the
    // stream
    void giveUp(StreamSeq seq, std::uint32_t deliveries) { m_givenUp[seq.value()] = deliveries; }
    [[nodiscard]] std::uint32_t givenUp(StreamSeq seq) const; ///< deliveries, 0 = not given up
    bool forgetGivenUp(StreamSeq seq) { return m_givenUp.erase(seq.value()) != 0; }
    template<class Predicate>
    void forgetGivenUpIf(Predicate predicate);
    [[nodiscard]] const std::unordered_map<std::uint64_t, std::uint32_t>& givenUpAll() const
    {
        return m_givenUp;
    }
    /// Messages delivered more than once and still tracked (num_redelivered).
    [[nodiscard]] std::size_t redelivered() const { return m_redelivered + m_givenUp.size(); }
    void setDeliveries(PendingMessage& message, std::uint32_t deliveries);

private:
    struct Due
    {
        std::int64_t deadline;
        StreamSeq seq;
    };
    [[nodiscard]] std::size_t indexOf(
        StreamSeq seq) const; ///< of the first entry >= seq, dead or alive
    [[nodiscard]] bool isStale(const Due& due) const;
    void trimFront();
    void compact();
    void compactDue();
    static bool later(const Due& a, const Due& b) { return a.deadline > b.deadline; }

    std::vector<PendingMessage> m_entries; ///< from m_head on, rising by seq
    std::size_t m_head = 0;
    std::size_t m_live = 0;
    std::size_t m_redelivered = 0;
    std::deque<Due> m_dueInOrder;
    std::vector<Due> m_dueHeap;
    std::unordered_map<std::uint64_t, std::uint32_t> m_givenUp;
};

template<class Rule>
void AckTracker::renewDeadlines(Rule rule)
{
    m_dueInOrder.clear();
    m_dueHeap.clear();
    for (std::size_t i = m_head; i < m_entries.size(); ++i)
        if (m_entries[i].live && m_entries[i].state != PendingMessage::State::Queued)
            setDeadline(m_entries[i], rule(m_entries[i]));
}

template<class Visit>
void AckTracker::forEach(Visit visit) const
{
    for (std::size_t i = m_head; i < m_entries.size(); ++i)
        if (m_entries[i].live)
            visit(m_entries[i]);
}

template<class Predicate>
void AckTracker::forgetGivenUpIf(Predicate predicate)
{
    std::erase_if(m_givenUp, [&](const auto& item) { return predicate(StreamSeq(item.first)); });
}

} // namespace jetglass::consumers
