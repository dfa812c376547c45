// SPDX-License-Identifier: GPL-3.0-or-later
#include "flow/flow_hub.h"

#include <algorithm>

namespace jetglass::flow {

void FlowHub::emit(FlowEvent& event, const FlowText& text)
{
    event.number = ++m_number;
    event.time = m_clock.wallTime();
    for (FlowObserver* observer : m_observers)
        observer->onFlow(event, text);
}

void FlowHub::endTurn()
{
    for (FlowObserver* observer : m_observers)
        observer->onTurnEnd();
}

void FlowHub::add(FlowObserver& observer)
{
    if (std::find(m_observers.begin(), m_observers.end(), &observer) == m_observers.end())
        m_observers.push_back(&observer);
    m_textWanted = m_textWanted || observer.wantsText();
}

void FlowHub::remove(FlowObserver& observer)
{
    if (std::erase(m_observers, &observer) > 0)
        observer.onTurnEnd();
    m_textWanted = std::any_of(m_observers.begin(),
        m_observers.end(),
        [](const FlowObserver* each) { return each->wantsText(); });
}

} // namespace jetglass::flow
