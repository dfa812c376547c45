// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/turn.h"

#include <algorithm>

namespace jetglass::streams {

void Turn::enlist(TurnMember& member)
{
    if (member.m_enlisted)
        return;
    member.m_enlisted = true;
    m_members.push_back(&member);
}

void Turn::enlistWork(TurnMember& member)
{
    if (member.m_enlistedForWork)
        return;
    member.m_enlistedForWork = true;
    m_workers.push_back(&member);
}

void Turn::forget(TurnMember& member)
{
    if (member.m_enlisted)
        std::erase(m_members, &member);
    if (member.m_enlistedForWork)
        std::erase(m_workers, &member);
    std::replace(m_running.begin(), m_running.end(), &member, static_cast<TurnMember*>(nullptr));
    member.m_enlisted = false;
    member.m_enlistedForWork = false;
}

base::Slice Turn::slice()
{
    if (m_workEnd == 0)
        m_workEnd = m_time.nanoseconds() + kWorkTime;
    return {m_time, m_workEnd};
}

/// Who has more to do stands behind the others when it enlists again, so all get on alike.
void Turn::runWork()
{
    if (m_workers.empty())
        return;
    const base::Slice share = slice();
    std::size_t left = m_workers.size();
    do {
        TurnMember* const member = m_workers.front();
        m_workers.pop_front();
        member->m_enlistedForWork = false;
        member->work(share);
        --left;
    } while (left > 0 && !m_workers.empty() && !share.over());
}

/// The time counts from the first delivery on: what a turn has to write may take longer than its
/// deliveries.
bool Turn::deliveryOver()
{
    const std::int64_t now = m_time.nanoseconds();
    if (m_deliveryEnd == 0)
        m_deliveryEnd = now + kDeliveryTime;
    return now >= m_deliveryEnd;
}

void Turn::run()
{
    runWork();
    m_deliveryEnd = 0;
    for (int round = 0; round < kRounds && !m_members.empty(); ++round) {
        if (round >= kSureRounds && deliveryOver())
            break;
        m_running.swap(m_members);
        m_members.clear();
        for (TurnMember* member : m_running)
            member->m_enlisted = false;
        // By index: a member may be forgotten (set to null) by another one's work.
        for (std::size_t i = 0; i < m_running.size(); ++i)
            if (m_running[i])
                m_running[i]->commit();
        for (std::size_t i = 0; i < m_running.size(); ++i)
            if (m_running[i])
                m_running[i]->follow();
        for (std::size_t i = 0; i < m_running.size(); ++i)
            if (m_running[i])
                m_running[i]->deliver();
        m_running.clear();
    }
    m_workEnd = 0;
}

} // namespace jetglass::streams
