// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/flow_ring.h"

#include <algorithm>
#include <bit>

namespace jetglass {

namespace {

constexpr std::size_t kPrefetch = 16; // events

}

FlowRing::FlowRing(std::size_t capacity)
    : m_slots(std::bit_ceil(std::max<std::size_t>(capacity, 2)))
    , m_mask(m_slots.size() - 1)
{
}

void FlowRing::onFlow(const FlowEvent& event, const FlowText&) noexcept
{
    const std::size_t head = m_head.load(std::memory_order_relaxed);
    if (head - m_tailSeen == m_slots.size()) {
        m_tailSeen = m_tail.load(std::memory_order_acquire);
        if (head - m_tailSeen == m_slots.size()) {
            m_dropped.fetch_add(1, std::memory_order_relaxed);
            return;
        }
    }
    m_slots[head & m_mask] = event;
    // The ring is larger than the caches near the core: fetch ahead what the next events overwrite.
    __builtin_prefetch(&m_slots[(head + kPrefetch) & m_mask], 1);
    m_head.store(head + 1, std::memory_order_release);
}

std::size_t FlowRing::drain(std::vector<FlowEvent>& into, std::size_t limit)
{
    const std::size_t tail = m_tail.load(std::memory_order_relaxed);
    const std::size_t head = m_head.load(std::memory_order_acquire);
    const std::size_t count = std::min(head - tail, limit);
    into.reserve(into.size() + count);
    for (std::size_t i = 0; i < count; ++i)
        into.push_back(m_slots[(tail + i) & m_mask]);
    m_tail.store(tail + count, std::memory_order_release);
    return count;
}

} // namespace jetglass
