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
/// loss as a gap in FlowEvent::number and as dropped(), and asks again by range question. m_head is
/// written by the writer only, m_tail by the reader only; each side caches the other's index.
class FlowRing final : public FlowObserver
{
public:
    static constexpr std::size_t kCapacity = std::size_t{1} << 18;

    explicit FlowRing(std::size_t capacity = kCapacity); ///< rounded up to a power of two

    void onFlow(const FlowEvent& event, const FlowText& text) noexcept override;

    /// Reader: appends everything that is there, at most \a limit, and says how many.
    std::size_t drain(std::vector<FlowEvent>& into, std::size_t limit = kCapacity);
    /// Reader: events dropped since the start.
    [[nodiscard]] std::uint64_t dropped() const
    {
        return m_dropped.load(std::memory_order_relaxed);
    }

private:
    std::vector<FlowEvent> m_slots;
    std::size_t m_mask;
    alignas(64) std::atomic<std::size_t> m_head{0};
    std::size_t m_tailSeen = 0;
    std::atomic<std::uint64_t> m_dropped{0};
    alignas(64) std::atomic<std::size_t> m_tail{0};
};

} // namespace jetglass
