// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/ack_tracker.h"

#include <algorithm>

namespace jetglass::consumers {

namespace {

/// Below this size nothing is worth moving.
constexpr std::size_t kCompactFrom = 64;

} // namespace

std::size_t AckTracker::indexOf(StreamSeq seq) const
{
    const std::size_t size = m_entries.size() - m_head;
    if (size == 0 || seq <= m_entries[m_head].seq)
        return m_head;
    // Sequences rise by at least one, so the entry cannot stand behind its distance from the front.
    const std::uint64_t distance = seq - m_entries[m_head].seq;
    const std::size_t bound = distance < size ? static_cast<std::size_t>(distance) : size;
    if (bound < size && m_entries[m_head + bound].seq == seq)
        return m_head + bound;
    const auto begin = m_entries.begin() + static_cast<std::ptrdiff_t>(m_head);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(bound + 1, size));
    const auto at = std::lower_bound(
        begin, end, seq, [](const PendingMessage& m, StreamSeq s) { return m.seq < s; });
    return static_cast<std::size_t>(at - m_entries.begin());
}

PendingMessage* AckTracker::find(StreamSeq seq)
{
    const std::size_t index = indexOf(seq);
    if (index >= m_entries.size() || m_entries[index].seq != seq || !m_entries[index].live)
        return nullptr;
    return &m_entries[index];
}

const PendingMessage* AckTracker::find(StreamSeq seq) const
{
    const std::size_t index = indexOf(seq);
    if (index >= m_entries.size() || m_entries[index].seq != seq || !m_entries[index].live)
        return nullptr;
    return &m_entries[index];
}

PendingMessage& AckTracker::add(StreamSeq seq, ConsumerSeq first)
{
    PendingMessage entry;
    entry.seq = seq;
    entry.first = first;
    ++m_live;
    if (m_entries.size() == m_head || m_entries.back().seq < seq) {
        m_entries.push_back(entry);
        return m_entries.back();
    }
    // Not the usual way: a message that was settled or given up is delivered once more.
    const std::size_t index = indexOf(seq);
    if (m_entries[index].seq == seq) {
        if (m_entries[index].live) {
            --m_live;
            m_redelivered -= m_entries[index].deliveries > 1 ? 1U : 0U;
        }
        m_entries[index] = entry;
        return m_entries[index];
    }
    return *m_entries.insert(m_entries.begin() + static_cast<std::ptrdiff_t>(index), entry);
}

void AckTracker::remove(StreamSeq seq)
{
    PendingMessage* entry = find(seq);
    if (!entry)
        return;
    if (entry->deliveries > 1)
        --m_redelivered;
    entry->live = false;
    --m_live;
    trimFront();
    if (m_entries.size() - m_head > kCompactFrom && m_live * 2 < m_entries.size() - m_head)
        compact();
    while (!m_dueInOrder.empty() && isStale(m_dueInOrder.front()))
        m_dueInOrder.pop_front();
    if (m_dueInOrder.size() > kCompactFrom && m_dueInOrder.size() > 4 * m_live)
        compactDue();
}

void AckTracker::trimFront()
{
    while (m_head < m_entries.size() && !m_entries[m_head].live)
        ++m_head;
    if (m_head == m_entries.size()) {
        m_entries.clear();
        m_head = 0;
    } else if (m_head > kCompactFrom && m_head * 2 > m_entries.size()) {
        m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(m_head));
        m_head = 0;
    }
}

void AckTracker::compact()
{
    std::erase_if(m_entries, [](const PendingMessage& m) { return !m.live; });
    m_head = 0;
}

void AckTracker::compactDue()
{
    std::erase_if(m_dueInOrder, [this](const Due& due) { return isStale(due); });
}

const PendingMessage* AckTracker::firstFrom(StreamSeq seq) const
{
    for (std::size_t i = indexOf(seq); i < m_entries.size(); ++i)
        if (m_entries[i].live)
            return &m_entries[i];
    return nullptr;
}

void AckTracker::clear()
{
    m_entries.clear();
    m_head = 0;
    m_live = 0;
    m_redelivered = 0;
    m_dueInOrder.clear();
    m_dueHeap.clear();
}

void AckTracker::setDeadline(PendingMessage& message, std::int64_t deadline)
{
    message.deadline = deadline;
    if (deadline == base::TimerQueue::kNever)
        return;
    const Due due{deadline, message.seq};
    if (m_dueInOrder.empty() || m_dueInOrder.back().deadline <= deadline) {
        m_dueInOrder.push_back(due);
        return;
    }
    if (m_dueHeap.size() > kCompactFrom && m_dueHeap.size() > 4 * m_live) {
        std::erase_if(m_dueHeap, [this](const Due& d) { return isStale(d); });
        std::make_heap(m_dueHeap.begin(), m_dueHeap.end(), later);
    }
    m_dueHeap.push_back(due);
    std::push_heap(m_dueHeap.begin(), m_dueHeap.end(), later);
}

bool AckTracker::isStale(const Due& due) const
{
    const PendingMessage* entry = find(due.seq);
    return !entry || entry->deadline != due.deadline;
}

std::int64_t AckTracker::nextDeadline()
{
    while (!m_dueInOrder.empty() && isStale(m_dueInOrder.front()))
        m_dueInOrder.pop_front();
    while (!m_dueHeap.empty() && isStale(m_dueHeap.front())) {
        std::pop_heap(m_dueHeap.begin(), m_dueHeap.end(), later);
        m_dueHeap.pop_back();
    }
    std::int64_t next = base::TimerQueue::kNever;
    if (!m_dueInOrder.empty())
        next = m_dueInOrder.front().deadline;
    if (!m_dueHeap.empty())
        next = std::min(next, m_dueHeap.front().deadline);
    return next;
}

std::vector<StreamSeq> AckTracker::takeDue(std::int64_t now)
{
    std::vector<StreamSeq> due;
    while (!m_dueInOrder.empty() && m_dueInOrder.front().deadline <= now) {
        if (!isStale(m_dueInOrder.front())) {
            due.push_back(m_dueInOrder.front().seq);
            find(due.back())->deadline = base::TimerQueue::kNever;
        }
        m_dueInOrder.pop_front();
    }
    while (!m_dueHeap.empty() && m_dueHeap.front().deadline <= now) {
        if (!isStale(m_dueHeap.front())) {
            due.push_back(m_dueHeap.front().seq);
            find(due.back())->deadline = base::TimerQueue::kNever;
        }
        std::pop_heap(m_dueHeap.begin(), m_dueHeap.end(), later);
        m_dueHeap.pop_back();
    }
    std::sort(due.begin(), due.end());
    return due;
}

bool AckTracker::settle(StreamSeq seq)
{
    const PendingMessage* entry = find(seq);
    if (!entry)
        return false;
    const ConsumerSeq first = entry->first;
    remove(seq);
    if (empty()) {
        floor = delivered;
    } else if (first == floor.consumer + 1) {
        floor = {first, seq};
        if (const PendingMessage* next = firstFrom(seq + 1); next && !next->first.isZero())
            floor = {next->first - 1, next->seq - 1};
    }
    return true;
}

std::vector<StreamSeq> AckTracker::settleUpTo(StreamSeq seq, ConsumerSeq consumer)
{
    std::vector<StreamSeq> settled;
    for (std::size_t i = m_head; i < m_entries.size() && m_entries[i].seq <= seq; ++i)
        if (m_entries[i].live)
            settled.push_back(m_entries[i].seq);
    for (StreamSeq s : settled)
        remove(s);
    floor = {consumer, seq};
    return settled;
}

std::uint32_t AckTracker::givenUp(StreamSeq seq) const
{
    if (m_givenUp.empty())
        return 0;
    const auto at = m_givenUp.find(seq.value());
    return at == m_givenUp.end() ? 0 : at->second;
}

void AckTracker::setDeliveries(PendingMessage& message, std::uint32_t deliveries)
{
    if (message.deliveries > 1)
        --m_redelivered;
    message.deliveries = deliveries;
    if (deliveries > 1)
        ++m_redelivered;
}

} // namespace jetglass::consumers
