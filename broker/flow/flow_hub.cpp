// SPDX-License-Identifier: GPL-3.0-or-later
#include "flow/flow_hub.h"

#include <algorithm>
#include <span>

namespace jetglass::flow {

void FlowHub::tell(const FlowEvent& event, const FlowText& text) const
{
    for (const Listener& listener : m_observers) {
        if (listener.wantsText)
            listener.observer->onFlow(event, text);
    }
}

void FlowHub::flush()
{
    const std::span<const FlowEvent> events(m_gathered.data(), m_count);
    m_count = 0;
    if (events.empty())
        return;
    for (const Listener& listener : m_observers) {
        if (!listener.wantsText)
            listener.observer->onFlows(events);
    }
}

void FlowHub::endTurn()
{
    flush();
    for (const Listener& listener : m_observers)
        listener.observer->onTurnEnd();
}

void FlowHub::add(FlowObserver& observer)
{
    const bool known = std::any_of(m_observers.begin(),
        m_observers.end(),
        [&observer](const Listener& each) { return each.observer == &observer; });
    if (known)
        return;
    flush();
    m_observers.push_back({&observer, observer.wantsText()});
    m_textWanted = m_textWanted || m_observers.back().wantsText;
}

void FlowHub::remove(FlowObserver& observer)
{
    flush();
    const auto removed = std::erase_if(
        m_observers, [&observer](const Listener& each) { return each.observer == &observer; });
    if (removed > 0)
        observer.onTurnEnd();
    m_textWanted = std::any_of(m_observers.begin(), m_observers.end(), [](const Listener& each) {
        return each.wantsText;
    });
}

} // namespace jetglass::flow
