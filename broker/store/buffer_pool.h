// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/page_choice.h"
#include "store/worker.h"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace jetglass::store {

/// Large blocks of memory that are handed back and used again: the first touch of a fresh page
/// costs far more than the copy into it. Sizes are powers of two from 4 KiB up; from 2 MiB on huge
/// pages are asked for unless small ones cost less (PageChoice). Any thread.
class BufferPool : public std::enable_shared_from_this<BufferPool>
{
public:
    /// Without a worker nothing is made ready.
    explicit BufferPool(std::size_t keepBytes, Worker* worker = nullptr)
        : m_keepBytes(keepBytes)
        , m_worker(worker)
    {
    }
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;
    ~BufferPool();

    /// Never null; throws std::bad_alloc when the system has no memory left.
    char* take(std::size_t size);
    void give(char* memory, std::size_t size) noexcept;
    /// Has the worker touch a piece of this size for the next take(), unless one is there.
    void makeReady(std::size_t size);
    /// What take(size) really hands out.
    static std::size_t roundUp(std::size_t size);

private:
    static constexpr std::size_t kClasses = 40;
    static std::size_t classOf(std::size_t rounded);
    static char* map(std::size_t rounded, PageChoice::Kind kind);
    void touchOne(std::size_t rounded) noexcept;
    std::mutex m_mutex;
    std::array<std::vector<char*>, kClasses> m_free;
    std::size_t m_kept = 0;
    std::size_t m_keepBytes;
    Worker* m_worker;
    bool m_readying = false; ///< guarded like the rest
    PageChoice m_pages; ///< of the one touchOne() that runs at a time
};

/// Owns one piece of a pool.
class Buffer
{
public:
    Buffer() = default;
    Buffer(std::shared_ptr<BufferPool> pool, std::size_t size);
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept
    {
        swap(other);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { reset(); }

    void reset() noexcept;
    void swap(Buffer& other) noexcept;
    [[nodiscard]] char* data() { return m_memory; }
    [[nodiscard]] const char* data() const { return m_memory; }
    [[nodiscard]] std::size_t capacity() const { return m_capacity; }
    explicit operator bool() const { return m_memory != nullptr; }

private:
    std::shared_ptr<BufferPool> m_pool;
    char* m_memory = nullptr;
    std::size_t m_capacity = 0;
};

} // namespace jetglass::store
