// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/slice.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace jetglass::streams {

/// Something with work to do at the end of the loop turn (contracts.md 1). A stream enlists itself
/// when it stages a message, its consumer log when it stages a record, a consumer when it may have
/// something to deliver.
class TurnMember
{
public:
    virtual ~TurnMember() = default;
    /// Long work, at the start of run(): goes on until the slice is over, at least one step; enlist
    /// again if there is more.
    virtual void work(const base::Slice& /*slice*/) { }
    /// Step 3: one write for all that was staged. On failure take everything back and remember whom
    /// to tell.
    virtual void commit() { }
    /// Step 4: what follows from it: flow events, retention, pub acks; consumers are enlisted from
    /// here.
    virtual void follow() { }
    /// Last: deliver what can be delivered, up to a slice of about 2 ms; enlist again if there is
    /// more.
    virtual void deliver() { }

private:
    friend class Turn;
    bool m_enlisted = false;
    bool m_enlistedForWork = false;
};

/// The members of one turn. run() first gives long work its slice, all members in turn, then goes
/// on until nothing new is enlisted, at most kRounds times (a republish can feed another stream)
/// and not much longer than kDeliveryTime; what is left stays enlisted and pending() tells the loop
/// not to sleep.
class Turn
{
public:
    static constexpr int kRounds = 8;
    /// So many rounds always run: what was published is committed, announced and begins to be
    /// delivered.
    static constexpr int kSureRounds = 2;
    /// Half of the 2 ms of contracts.md 1: writing and announcing what the work has staged takes
    /// the other half.
    static constexpr std::int64_t kWorkTime = 1'000'000;
    static constexpr std::int64_t kDeliveryTime = 2'000'000;

    explicit Turn(base::SteadyTime& time = base::SteadyTime::real())
        : m_time(time)
    {
    }
    void enlist(TurnMember& member);
    void enlistWork(TurnMember& member);
    /// Must be called before a member is destroyed.
    void forget(TurnMember& member);
    void run();
    [[nodiscard]] bool pending() const { return !m_members.empty() || !m_workers.empty(); }
    /// What long work may still take of this turn, all streams together.
    [[nodiscard]] base::Slice slice();
    /// Deliveries have had their share of this turn, and some more than that: a few messages each
    /// are all that is left.
    [[nodiscard]] bool deliveryOver();

private:
    void runWork();

    base::SteadyTime& m_time;
    std::vector<TurnMember*> m_members;
    std::vector<TurnMember*> m_running;
    std::deque<TurnMember*> m_workers;
    std::int64_t m_workEnd = 0; ///< 0 = nothing of the slice is used yet
    std::int64_t m_deliveryEnd = 0; ///< 0 = not inside the deliveries of a turn
};

} // namespace jetglass::streams
