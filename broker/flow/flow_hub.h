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
    /// Whether an observer reads FlowText; if not, callers need not load it.
    [[nodiscard]] bool textWanted() const { return m_textWanted; }
    /// Fills in number and time, in place: an event is a line of cache and copies are its cost.
    void emit(FlowEvent& event, const FlowText& text = {});
    void emit(FlowEvent&& event, const FlowText& text = {}) { emit(event, text); }
    void endTurn();
    [[nodiscard]] std::uint64_t lastNumber() const { return m_number; }

    void add(FlowObserver& observer);
    void remove(FlowObserver& observer);

private:
    const Clock& m_clock;
    std::vector<FlowObserver*> m_observers;
    std::uint64_t m_number = 0;
    bool m_textWanted = false;
};

} // namespace jetglass::flow
