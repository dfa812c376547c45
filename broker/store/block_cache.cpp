// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_cache.h"

namespace jetglass::store {

namespace {

std::size_t sizeOf(const MessageBlock& block)
{
    return sizeof block + block.bytes.capacity() + block.slots.capacity() * sizeof(Slot)
        + block.subjects.capacity() * sizeof(BlockSubject);
}

void unload(MessageBlock& block)
{
    block.bytes.reset();
    // Not `= {}`, which would keep the memory.
    block.slots = std::vector<Slot>();
    block.subjects = std::vector<BlockSubject>();
    block.file.reset();
    block.indexLoaded = false;
    block.singleReads = 0;
}

} // namespace

void BlockCache::use(MessageBlock& block)
{
    const std::size_t size = sizeOf(block);
    if (block.cachedBytes == 0) {
        m_blocks.push_front(&block);
        block.cacheSpot = m_blocks.begin();
    } else if (block.cacheSpot != m_blocks.begin()) {
        m_blocks.splice(m_blocks.begin(), m_blocks, block.cacheSpot);
    }
    if (size == block.cachedBytes)
        return;
    ++m_clock;
    m_bytes += size - block.cachedBytes;
    block.cachedBytes = size;
    auto it = m_blocks.end();
    while (m_bytes > m_budget && it != m_blocks.begin()) {
        --it;
        MessageBlock& oldest = **it;
        if (&oldest == &block)
            break;
        if (oldest.viewedAt + kViewLoads > m_clock)
            continue;
        ++it;
        remove(oldest);
        unload(oldest);
    }
}

void BlockCache::remove(MessageBlock& block)
{
    if (block.cachedBytes == 0)
        return;
    m_blocks.erase(block.cacheSpot);
    m_bytes -= block.cachedBytes;
    block.cachedBytes = 0;
}

} // namespace jetglass::store
