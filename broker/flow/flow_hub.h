// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"
#include "broker/flow_observer.h"

#include <vector>

namespace jetglass::flow {

/// Numbers events and calls the observers, in the order in which they were added. Broker thread
/// only. Callers ask active() first, so that with no observer an event costs one branch:
///     if (hub.active()) hub.emit({.kind = FlowKind::Acked, ...});
/// Numbers are given only while somebody listens: an observer that joins asks for a range first.
class FlowHub
{
public:
    explicit FlowHub(const Clock& clock)
        : m_clock(clock)
    {
    }

    [[nodiscard]] bool active() const { return !m_observers.empty(); }
    /// Fills in number and time.
    void emit(FlowEvent event, const FlowText& text = {});
    [[nodiscard]] std::uint64_t lastNumber() const { return m_number; }

    void add(FlowObserver& observer);
    void remove(FlowObserver& observer);

private:
    const Clock& m_clock;
    std::vector<FlowObserver*> m_observers;
    std::uint64_t m_number = 0;
};

} // namespace jetglass::flow
