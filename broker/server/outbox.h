// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace jetglass::server {

/// A fixed piece of output. Chunks are used again and again: first touch of fresh memory costs more
/// than the copy.
struct Chunk
{
    static constexpr std::size_t kSize = (64U << 10U) - 64;
    Chunk* next = nullptr;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::array<char, kSize> bytes;
};

/// Free chunks of all clients together; idle clients hold none.
class ChunkPool
{
public:
    static constexpr std::size_t kKept = 512; ///< free chunks kept, 32 MiB
    ChunkPool() = default;
    ~ChunkPool();
    ChunkPool(const ChunkPool&) = delete;
    ChunkPool& operator=(const ChunkPool&) = delete;

    Chunk* take();
    void give(Chunk* chunk);

private:
    Chunk* m_free = nullptr;
    std::size_t m_count = 0;
};

/// What waits to be sent to one client: a list of chunks. Bytes are copied in once and sent from
/// where they lie.
class Outbox
{
public:
    explicit Outbox(ChunkPool& pool)
        : m_pool(pool)
    {
    }
    ~Outbox() { clear(); }
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    void append(std::string_view bytes)
    {
        if (bytes.empty())
            return;
        if (char* to = room(bytes.size())) {
            std::memcpy(to, bytes.data(), bytes.size());
            took(bytes.size());
        } else {
            appendSlowly(bytes);
        }
    }
    /// Contiguous room for \a size bytes in the last chunk, or null: then use append(). Confirm
    /// with took().
    char* room(std::size_t size)
    {
        return m_last != nullptr && Chunk::kSize - m_last->end >= size
            ? m_last->bytes.data() + m_last->end
            : nullptr;
    }
    void took(std::size_t size)
    {
        m_last->end += static_cast<std::uint32_t>(size);
        m_size += size;
    }

    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }
    /// The first pieces, as many as fit into \a pieces; returns how many.
    std::size_t gather(std::span<std::string_view> pieces) const;
    /// So many bytes have been sent.
    void consume(std::size_t bytes);
    void clear();

private:
    void appendSlowly(std::string_view bytes);

    ChunkPool& m_pool;
    Chunk* m_first = nullptr;
    Chunk* m_last = nullptr;
    std::uint64_t m_size = 0;
};

} // namespace jetglass::server
