// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"
#include "broker/flow_observer.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
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
    void emit(const FlowEvent& event, const FlowText& text = {})
    {
        m_gathered[m_count] = event;
        end([&text] { return text; });
    }
    /// For the busiest: the next event, all zero, to be filled in where it is gathered (to copy
    /// what has just been written costs more than the event itself) and ended before anything else.
    [[nodiscard]] FlowEvent& begin()
    {
        FlowEvent& event = m_gathered[m_count];
        event = FlowEvent{};
        return event;
    }
    /// Gives it its number and time. \a text makes its FlowText and is called only if somebody
    /// reads it.
    template<std::invocable Text>
    void end(Text text)
    {
        FlowEvent& event = m_gathered[m_count];
        event.number = ++m_number;
        event.time = m_clock.wallTime();
        if (m_textWanted) [[unlikely]]
            tell(event, text());
        if (++m_count == m_gathered.size()) [[unlikely]]
            flush();
    }
    void end()
    {
        end([] { return FlowText{}; });
    }
    void endTurn();
    [[nodiscard]] std::uint64_t lastNumber() const { return m_number; }

    void add(FlowObserver& observer);
    void remove(FlowObserver& observer);

private:
    /// One with what is known of it: wantsText() is asked once.
    struct Listener
    {
        FlowObserver* observer;
        bool wantsText;
    };

    void tell(const FlowEvent& event, const FlowText& text) const;
    void flush();

    const Clock& m_clock;
    std::vector<Listener> m_observers;
    std::array<FlowEvent, 128> m_gathered; ///< for those without text
    std::size_t m_count = 0;
    std::uint64_t m_number = 0;
    bool m_textWanted = false;
};

} // namespace jetglass::flow
