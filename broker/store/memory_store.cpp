// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/memory_store.h"

#include "store/record_codec.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace jetglass::store {

namespace {

constexpr std::size_t kFirstCapacity = 16U << 10U;
constexpr std::size_t kFullCapacity = 2U << 20U; ///< one huge page
constexpr std::uint64_t kWidestMemoryBlock = std::numeric_limits<std::uint32_t>::max();

} // namespace

MemoryStore::MemoryStore(std::shared_ptr<BufferPool> pool)
    : m_pool(std::move(pool))
    , m_nextCapacity(kFirstCapacity)
{
}

std::uint64_t MemoryStore::sizeOf(const NewMessage& message) const
{
    return 16U + message.subject.size() + message.headers.size() + message.payload.size();
}

MessageBlock& MemoryStore::tailFor(std::size_t recordSize, std::uint64_t seq)
{
    if (!m_blocks.empty()) {
        MessageBlock& tail = *m_blocks.back();
        if (tail.used + recordSize <= tail.bytes.capacity() && seq - tail.base < kWidestMemoryBlock)
            return tail;
        tail.seal();
        if (tail.live == 0)
            m_blocks.pop_back();
        else
            blockChanged(tail);
    }
    auto block = std::make_shared<MessageBlock>();
    block->serial = m_nextSerial++;
    block->number = block->serial;
    block->base = seq;
    block->last = seq - 1U;
    block->lastTime = m_blocks.empty() ? 0 : m_blocks.back()->lastTime;
    block->bytes = Buffer(m_pool, std::max(m_nextCapacity, recordSize));
    if (m_nextCapacity == kFullCapacity)
        m_pool->makeReady(kFullCapacity); // the first touch of its pages takes 0.1 ms and more
    m_nextCapacity = std::min(m_nextCapacity * 4U, kFullCapacity);
    m_blocks.push_back(std::move(block));
    return *m_blocks.back();
}

MemoryStore::RecordBytes MemoryStore::record(
    MessageBlock& block, const Slot& slot, std::uint64_t /*seq*/)
{
    return {block.bytes.data() + slot.offset, false, Removal::None};
}

void MemoryStore::encode(char* to, std::uint64_t seq, const NewMessage& message)
{
    encodeMessage(to, seq, message, false);
}

void MemoryStore::stageErase(MessageBlock& block, const Slot& slot, Removal cause)
{
    eraseMessage(block.bytes.data() + slot.offset, cause);
}

void MemoryStore::blockChanged(MessageBlock& block)
{
    // liveBytes counts a little less than the records need; a quarter leaves room for that.
    if (block.sealed && block.live > 0 && block.bytes.capacity() > kFirstCapacity
        && block.liveBytes * 4U < block.bytes.capacity()
        && (m_sparse.empty() || m_sparse.back() != &block))
        m_sparse.push_back(&block);
}

void MemoryStore::compact(MessageBlock& block)
{
    const auto sizeAt = [&](const Slot& slot) {
        const MessageView m = viewMessage(block.bytes.data() + slot.offset);
        return messageRecordSize({m.subject, m.headers, m.payload, m.time});
    };
    std::size_t needed = 0;
    for (const Slot& slot : block.slots)
        needed += slot.live() ? sizeAt(slot) : 0;
    if (BufferPool::roundUp(needed) * 2U > block.bytes.capacity())
        return;
    Buffer smaller(m_pool, needed);
    std::uint32_t at = 0;
    std::vector<Slot> slots;
    slots.reserve(block.live);
    for (Slot slot : block.slots) {
        if (!slot.live())
            continue;
        const std::size_t size = sizeAt(slot);
        std::memcpy(smaller.data() + at, block.bytes.data() + slot.offset, size);
        slot.offset = at;
        at += static_cast<std::uint32_t>(size);
        slots.push_back(slot);
    }
    block.bytes = std::move(smaller);
    block.slots = std::move(slots);
    block.used = at;
    std::erase_if(block.subjects, [](const BlockSubject& s) { return s.count == 0; });
    block.subjects.shrink_to_fit();
}

Result<void> MemoryStore::commit()
{
    if (!m_touched)
        return {};
    std::sort(m_sparse.begin(), m_sparse.end());
    m_sparse.erase(std::unique(m_sparse.begin(), m_sparse.end()), m_sparse.end());
    for (MessageBlock* block : m_sparse)
        if (block->live > 0)
            compact(*block);
    m_sparse.clear();
    std::vector<BlockPtr> dropped;
    settle(dropped);
    return {};
}

} // namespace jetglass::store
