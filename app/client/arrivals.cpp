// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/arrivals.h"

#include <utility>

namespace jetglass::client {

void Arrivals::push(Arrival arrival)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_receiver)
        return;
    if (arrival.kind == Arrival::Kind::Delivery && m_waiting.size() >= kMaxDeliveries) {
        ++m_dropped;
        return;
    }
    m_waiting.push_back(std::move(arrival));
    // Posting inside the lock keeps the receiver alive for the call: detach() waits for it.
    if (m_waiting.size() == 1)
        QMetaObject::invokeMethod(m_receiver, m_wake, Qt::QueuedConnection);
}

std::vector<Arrival> Arrivals::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_waiting, {});
}

void Arrivals::detach()
{
    const std::scoped_lock lock(m_mutex);
    m_receiver = nullptr;
    m_waiting.clear();
}

quint64 Arrivals::dropped() const
{
    const std::scoped_lock lock(m_mutex);
    return m_dropped;
}

} // namespace jetglass::client
