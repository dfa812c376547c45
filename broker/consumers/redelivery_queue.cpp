// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/redelivery_queue.h"

namespace jetglass::consumers {

void RedeliveryQueue::push(PendingMessage& message)
{
    if (message.state == PendingMessage::State::Queued)
        return;
    message.state = PendingMessage::State::Queued;
    message.deadline = base::TimerQueue::kNever;
    message.ticket = ++m_ticket;
    m_line.push_back({message.seq, message.ticket});
    ++m_count;
}

void RedeliveryQueue::drop(PendingMessage& message, PendingMessage::State state)
{
    if (message.state == PendingMessage::State::Queued)
        --m_count;
    message.state = state;
    if (m_count == 0)
        m_line.clear();
}

StreamSeq RedeliveryQueue::front(const AckTracker& tracker)
{
    while (!m_line.empty()) {
        if (stands(tracker, m_line.front()))
            return m_line.front().seq;
        m_line.pop_front();
    }
    return {};
}

std::size_t RedeliveryQueue::ahead(const AckTracker& tracker, StreamSeq seq) const
{
    std::size_t count = 0;
    for (const Place& place : m_line) {
        if (!stands(tracker, place))
            continue;
        if (place.seq == seq)
            break;
        ++count;
    }
    return count;
}

void RedeliveryQueue::clear()
{
    m_line.clear();
    m_count = 0;
}

bool RedeliveryQueue::stands(const AckTracker& tracker, const Place& place)
{
    const PendingMessage* message = tracker.find(place.seq);
    return message && message->state == PendingMessage::State::Queued
        && message->ticket == place.ticket;
}

} // namespace jetglass::consumers
