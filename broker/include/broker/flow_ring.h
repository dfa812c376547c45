// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/flow_observer.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace jetglass {

/// Bounded ring between the broker thread (the only writer) and one reader, usually the window once
/// a frame. It never waits: when it is full new events are dropped and counted. The reader sees the
/// loss as a gap in FlowEvent::number and as dropped(), and asks again by range question.
///
/// Events go past the writer's caches (16 MiB of them would push out what the broker works on) and
/// become visible to the reader in groups: when the turn ends, or when kGroup events wait. m_head
/// is written by the writer only, m_tail by the reader only.
class FlowRing final : public FlowObserver
{
public:
    static constexpr std::size_t kCapacity = std::size_t{1} << 18;

    explicit FlowRing(std::size_t capacity = kCapacity); ///< rounded up to a power of two

    void onFlow(const FlowEvent& event, const FlowText& text) noexcept override;
    void onFlows(std::span<const FlowEvent> events) noexcept override;
    void onTurnEnd() noexcept override;
    [[nodiscard]] bool wantsText() const noexcept override { return false; }

    /// Reader: appends everything that is there, at most \a limit, and says how many.
    std::size_t drain(std::vector<FlowEvent>& into, std::size_t limit = kCapacity);
    /// Reader: events dropped since the start.
    [[nodiscard]] std::uint64_t dropped() const
    {
        return m_dropped.load(std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kGroup = 256;

    struct alignas(64) Slot
    {
        FlowEvent event;
    };

    std::vector<Slot> m_slots;
    std::size_t m_mask;
    std::size_t m_next = 0; ///< writer: where the next event goes; ahead of m_head within a group
    std::size_t m_tailSeen = 0; ///< writer: m_tail as it was last read
    alignas(64) std::atomic<std::size_t> m_head{0};
    std::atomic<std::uint64_t> m_dropped{0};
    alignas(64) std::atomic<std::size_t> m_tail{0};
};

} // namespace jetglass
