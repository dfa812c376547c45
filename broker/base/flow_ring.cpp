// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/flow_ring.h"

#include <algorithm>
#include <bit>
#include <linux/mman.h>
#include <memory>
#include <sys/mman.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace jetglass {

namespace {

/// A whole line of cache, written without reading it first and without keeping it. The order
/// against later stores is the business of orderWrites().
void writePast(FlowEvent& slot, const FlowEvent& event)
{
#if defined(__SSE2__)
    static_assert(sizeof(FlowEvent) == 4 * sizeof(__m128i));
    auto* to = reinterpret_cast<__m128i*>(&slot);
    const auto* from = reinterpret_cast<const __m128i*>(&event);
    for (int i = 0; i < 4; ++i)
        _mm_stream_si128(to + i, _mm_loadu_si128(from + i));
#else
    slot = event;
#endif
}

/// What was written past the caches is seen before what follows.
void orderWrites()
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/// The writer goes round and round through the ring: with small pages each 64th event would cost a
/// walk through the page tables. Where the system has no large ones it only costs that.
void useLargePages(void* memory, std::size_t size)
{
#if defined(MADV_HUGEPAGE)
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    void* from = memory;
    if (std::align(kLargePage, kLargePage, from, size) == nullptr)
        return;
    size -= size % kLargePage;
    madvise(from, size, MADV_HUGEPAGE);
#if defined(MADV_COLLAPSE)
    madvise(from, size, MADV_COLLAPSE); // it has been written to already
#endif
#else
    static_cast<void>(memory);
    static_cast<void>(size);
#endif
}

} // namespace

FlowRing::FlowRing(std::size_t capacity)
    : m_slots(std::bit_ceil(std::max<std::size_t>(capacity, 2)))
    , m_mask(m_slots.size() - 1)
{
    useLargePages(m_slots.data(), m_slots.size() * sizeof(Slot));
}

void FlowRing::onFlow(const FlowEvent& event, const FlowText&) noexcept
{
    onFlows({&event, 1});
}

void FlowRing::onFlows(std::span<const FlowEvent> events) noexcept
{
    if (m_next + events.size() - m_tailSeen > m_slots.size()) {
        onTurnEnd(); // so that the reader can make room
        m_tailSeen = m_tail.load(std::memory_order_acquire);
        const std::size_t room = m_slots.size() - (m_next - m_tailSeen);
        if (events.size() > room) {
            m_dropped.fetch_add(events.size() - room, std::memory_order_relaxed);
            events = events.first(room);
        }
    }
    for (const FlowEvent& event : events)
        writePast(m_slots[m_next++ & m_mask].event, event);
    if (m_next - m_head.load(std::memory_order_relaxed) >= kGroup)
        onTurnEnd();
}

void FlowRing::onTurnEnd() noexcept
{
    if (m_next == m_head.load(std::memory_order_relaxed))
        return;
    orderWrites();
    m_head.store(m_next, std::memory_order_release);
}

std::size_t FlowRing::drain(std::vector<FlowEvent>& into, std::size_t limit)
{
    const std::size_t tail = m_tail.load(std::memory_order_relaxed);
    const std::size_t head = m_head.load(std::memory_order_acquire);
    const std::size_t count = std::min(head - tail, limit);
    into.reserve(into.size() + count);
    for (std::size_t i = 0; i < count; ++i)
        into.push_back(m_slots[(tail + i) & m_mask].event);
    m_tail.store(tail + count, std::memory_order_release);
    return count;
}

} // namespace jetglass
