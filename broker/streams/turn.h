// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace jetglass::streams {

/// Something with work to do at the end of the loop turn (contracts.md 1). A stream enlists itself
/// when it stages a message, its consumer log when it stages a record, a consumer when it may have
/// something to deliver.
class TurnMember
{
public:
    virtual ~TurnMember() = default;
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
};

/// The members of one turn. run() goes on until nothing new is enlisted, at most kRounds times (a
/// republish can feed another stream); what is left stays enlisted and pending() tells the loop not
/// to sleep.
class Turn
{
public:
    static constexpr int kRounds = 8;

    void enlist(TurnMember& member);
    /// Must be called before a member is destroyed.
    void forget(TurnMember& member);
    void run();
    [[nodiscard]] bool pending() const { return !m_members.empty(); }

private:
    std::vector<TurnMember*> m_members;
    std::vector<TurnMember*> m_running;
};

} // namespace jetglass::streams
