// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/outbox.h"

#include <algorithm>

namespace jetglass::server {

ChunkPool::~ChunkPool()
{
    while (m_free != nullptr) {
        const std::unique_ptr<Chunk> chunk(m_free);
        m_free = chunk->next;
    }
}

Chunk* ChunkPool::take()
{
    if (m_free == nullptr)
        return std::make_unique_for_overwrite<Chunk>().release();
    Chunk* chunk = m_free;
    m_free = chunk->next;
    --m_count;
    chunk->next = nullptr;
    chunk->begin = 0;
    chunk->end = 0;
    return chunk;
}

void ChunkPool::give(Chunk* chunk)
{
    if (m_count >= kKept) {
        delete chunk;
        return;
    }
    chunk->next = m_free;
    m_free = chunk;
    ++m_count;
}

void Outbox::appendSlowly(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (m_last == nullptr || m_last->end == Chunk::kSize) {
            Chunk* chunk = m_pool.take();
            if (m_last != nullptr)
                m_last->next = chunk;
            else
                m_first = chunk;
            m_last = chunk;
        }
        const std::size_t n = std::min(bytes.size(), Chunk::kSize - m_last->end);
        std::memcpy(m_last->bytes.data() + m_last->end, bytes.data(), n);
        took(n);
        bytes.remove_prefix(n);
    }
}

std::size_t Outbox::gather(std::span<std::string_view> pieces) const
{
    std::size_t count = 0;
    for (const Chunk* chunk = m_first; chunk != nullptr && count < pieces.size();
         chunk = chunk->next) {
        if (chunk->end > chunk->begin)
            pieces[count++] =
                std::string_view(chunk->bytes.data() + chunk->begin, chunk->end - chunk->begin);
    }
    return count;
}

void Outbox::consume(std::size_t bytes)
{
    m_size -= bytes;
    while (m_first != nullptr) {
        const std::size_t n = std::min<std::size_t>(bytes, m_first->end - m_first->begin);
        m_first->begin += static_cast<std::uint32_t>(n);
        bytes -= n;
        if (m_first->begin != m_first->end)
            return;
        Chunk* done = m_first;
        m_first = done->next;
        if (m_first == nullptr)
            m_last = nullptr;
        m_pool.give(done);
        if (bytes == 0 && m_size == 0 && m_first == nullptr)
            return;
    }
}

void Outbox::clear()
{
    while (m_first != nullptr) {
        Chunk* done = m_first;
        m_first = done->next;
        m_pool.give(done);
    }
    m_last = nullptr;
    m_size = 0;
}

} // namespace jetglass::server
