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

void Turn::forget(TurnMember& member)
{
    if (member.m_enlisted)
        std::erase(m_members, &member);
    std::replace(m_running.begin(), m_running.end(), &member, static_cast<TurnMember*>(nullptr));
    member.m_enlisted = false;
}

void Turn::run()
{
    for (int round = 0; round < kRounds && !m_members.empty(); ++round) {
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
}

} // namespace jetglass::streams
