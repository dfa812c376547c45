// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/open_batches.h"

#include <algorithm>
#include <utility>

namespace jetglass::streams {

OpenBatches::~OpenBatches()
{
    for (const std::string& id : atomicIds())
        closeAtomic(id);
    for (const std::string& id : fastIds())
        closeFast(id);
}

AtomicBatch* OpenBatches::atomic(std::string_view id)
{
    const auto found = m_atomic.find(id);
    return found == m_atomic.end() ? nullptr : &found->second;
}

AtomicBatch& OpenBatches::openAtomic(std::string_view id)
{
    ++m_totals.atomic;
    return m_atomic.emplace(std::string(id), AtomicBatch{}).first->second;
}

void OpenBatches::hold(AtomicBatch& batch, HeldMessage message)
{
    m_totals.heldBytes += message.size();
    batch.held.push_back(std::move(message));
}

std::vector<HeldMessage> OpenBatches::closeAtomic(std::string_view id)
{
    const auto found = m_atomic.find(id);
    if (found == m_atomic.end())
        return {};
    std::vector<HeldMessage> held = std::move(found->second.held);
    m_atomic.erase(found);
    --m_totals.atomic;
    for (const HeldMessage& message : held)
        m_totals.heldBytes -= message.size();
    return held;
}

FastBatch* OpenBatches::fast(std::string_view id)
{
    const auto found = m_fast.find(id);
    return found == m_fast.end() ? nullptr : &found->second;
}

FastBatch& OpenBatches::openFast(const FastBatchStep& start)
{
    ++m_totals.fast;
    return m_fast.emplace(std::string(start.id), FastBatch(start, m_fast.size() + 1)).first->second;
}

void OpenBatches::closeFast(std::string_view id)
{
    const auto found = m_fast.find(id);
    if (found == m_fast.end())
        return;
    m_fast.erase(found);
    --m_totals.fast;
}

std::vector<std::string> OpenBatches::atomicIds() const
{
    std::vector<std::string> ids;
    for (const auto& [id, batch] : m_atomic)
        ids.push_back(id);
    return ids;
}

std::vector<std::string> OpenBatches::fastIds() const
{
    std::vector<std::string> ids;
    for (const auto& [id, batch] : m_fast)
        ids.push_back(id);
    return ids;
}

std::vector<std::string> OpenBatches::takeExpired(std::int64_t now)
{
    std::vector<std::string> expired;
    for (const auto& [id, batch] : m_atomic)
        if (batch.deadline <= now)
            expired.push_back(id);
    for (const std::string& id : fastIds())
        if (m_fast.find(id)->second.deadline <= now)
            closeFast(id);
    return expired;
}

std::int64_t OpenBatches::nextDeadline() const
{
    std::int64_t next = base::TimerQueue::kNever;
    for (const auto& [id, batch] : m_atomic)
        next = std::min(next, batch.deadline);
    for (const auto& [id, batch] : m_fast)
        next = std::min(next, batch.deadline);
    return next;
}

} // namespace jetglass::streams
