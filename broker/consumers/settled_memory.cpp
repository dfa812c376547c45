// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/settled_memory.h"

namespace jetglass::consumers {

void SettledMemory::acked(StreamSeq seq, std::int64_t time, ClientId client)
{
    if (m_acks.empty())
        m_acks.resize(1024);
    for (;;) {
        Ack& slot = m_acks[seq.value() & (m_acks.size() - 1)];
        if (slot.seq == 0 || slot.seq == seq.value() || m_acks.size() >= kMaxAcks) {
            slot = {seq.value(), time, client};
            return;
        }
        grow();
    }
}

void SettledMemory::grow()
{
    std::vector<Ack> larger(m_acks.size() * 4 < kMaxAcks ? m_acks.size() * 4 : kMaxAcks);
    for (const Ack& ack : m_acks)
        if (ack.seq != 0)
            larger[ack.seq & (larger.size() - 1)] = ack;
    m_acks.swap(larger);
}

void SettledMemory::remember(StreamSeq seq, const SettledOutcome& outcome)
{
    if (m_exceptions.insert_or_assign(seq.value(), outcome).second)
        m_order.push_back(seq.value());
    while (m_order.size() > kMaxExceptions) {
        m_exceptions.erase(m_order.front());
        m_order.pop_front();
    }
}

void SettledMemory::clear()
{
    m_acks.clear();
    m_exceptions.clear();
    m_order.clear();
}

std::optional<SettledOutcome> SettledMemory::find(StreamSeq seq) const
{
    if (const auto at = m_exceptions.find(seq.value()); at != m_exceptions.end())
        return at->second;
    if (!m_acks.empty()) {
        const Ack& slot = m_acks[seq.value() & (m_acks.size() - 1)];
        if (slot.seq == seq.value())
            return SettledOutcome{DeliveryState::Acked, 1, slot.time, slot.client};
    }
    return std::nullopt;
}

} // namespace jetglass::consumers
