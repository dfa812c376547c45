// SPDX-License-Identifier: GPL-3.0-or-later
#include "flow/flow_hub.h"

#include <algorithm>

namespace jetglass::flow {

void FlowHub::emit(FlowEvent event, const FlowText& text)
{
    event.number = ++m_number;
    event.time = m_clock.wallTime();
    for (FlowObserver* observer : m_observers)
        observer->onFlow(event, text);
}

void FlowHub::add(FlowObserver& observer)
{
    if (std::find(m_observers.begin(), m_observers.end(), &observer) == m_observers.end())
        m_observers.push_back(&observer);
}

void FlowHub::remove(FlowObserver& observer)
{
    std::erase(m_observers, &observer);
}

} // namespace jetglass::flow
