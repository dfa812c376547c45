// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/settled_memory.h"

namespace jetglass::consumers {

bool SettledMemory::take(std::uint64_t bytes)
{
    if (!m_used)
        return true;
    if (*m_used + bytes > m_budget)
        return false;
    *m_used += bytes;
    return true;
}

void SettledMemory::give(std::uint64_t bytes)
{
    if (m_used)
        *m_used -= bytes;
}

void SettledMemory::acked(StreamSeq seq, std::int64_t time, ClientId client)
{
    static constexpr std::size_t kFewAcks = 1024;
    // After a reset a message may have had another end before.
    if (const auto known = m_exceptions.find(seq.value()); known != m_exceptions.end()) {
        known->second = {DeliveryState::Acked, 1, time, client};
        return;
    }
    if (m_acks.empty()) {
        if (!take(kFewAcks * sizeof(Ack)))
            return;
        m_acks.resize(kFewAcks);
    }
    for (;;) {
        Ack& slot = m_acks[seq.value() & (m_acks.size() - 1)];
        if (slot.seq == 0 || slot.seq == seq.value() || m_acks.size() >= kMaxAcks || !grow()) {
            slot = {seq.value(), time, client};
            return;
        }
    }
}

/// False if there is no room: then a newer ack takes the place of another.
bool SettledMemory::grow()
{
    const std::size_t size = m_acks.size() * 4 < kMaxAcks ? m_acks.size() * 4 : kMaxAcks;
    if (!take((size - m_acks.size()) * sizeof(Ack)))
        return false;
    std::vector<Ack> larger(size);
    for (const Ack& ack : m_acks)
        if (ack.seq != 0)
            larger[ack.seq & (larger.size() - 1)] = ack;
    m_acks.swap(larger);
    return true;
}

void SettledMemory::forgetOldest()
{
    if (m_order.empty())
        return;
    m_exceptions.erase(m_order.front());
    m_order.pop_front();
    give(kExceptionBytes);
}

void SettledMemory::remember(StreamSeq seq, const SettledOutcome& outcome)
{
    if (const auto known = m_exceptions.find(seq.value()); known != m_exceptions.end()) {
        known->second = outcome;
        return;
    }
    if (m_order.size() >= kMaxExceptions)
        forgetOldest();
    if (!take(kExceptionBytes)) {
        forgetOldest();
        if (!take(kExceptionBytes))
            return;
    }
    m_exceptions.emplace(seq.value(), outcome);
    m_order.push_back(seq.value());
}

void SettledMemory::clear()
{
    give(m_acks.size() * sizeof(Ack) + m_order.size() * kExceptionBytes);
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
