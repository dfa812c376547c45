// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/buffer_pool.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ctime>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace jetglass::store {

namespace {

constexpr std::size_t kSmallest = 4096;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = 2U << 20U;

char* mapAnonymous(std::size_t size)
{
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    return static_cast<char*>(memory);
}

/// Huge pages need an aligned start, so a little more is mapped and the ends are given back.
char* mapAligned(std::size_t size, PageChoice::Kind kind)
{
    char* const memory = mapAnonymous(size + kHugePage);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::size_t head = (kHugePage - address % kHugePage) % kHugePage;
    if (head > 0)
        munmap(memory, head);
    if (head < kHugePage)
        munmap(memory + head + size, kHugePage - head);
    madvise(memory + head, size, kind == PageChoice::Kind::Large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return memory + head;
}

/// One call for all pages where the kernel has it (Linux 5.14): a fault for each costs a quarter
/// more.
void touch(char* memory, std::size_t size)
{
#if defined(MADV_POPULATE_WRITE)
    constexpr int kPopulate = MADV_POPULATE_WRITE;
#else
    constexpr int kPopulate = 23; // of headers older than the kernel
#endif
    if (madvise(memory, size, kPopulate) == 0)
        return;
    for (std::size_t at = 0; at < size; at += kPage)
        static_cast<volatile char*>(memory)[at] = 0;
}

std::uint64_t processorTime()
{
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U
        + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace

BufferPool::~BufferPool()
{
    for (std::size_t i = 0; i < m_free.size(); ++i)
        for (char* memory : m_free[i])
            munmap(memory, kSmallest << i);
}

std::size_t BufferPool::roundUp(std::size_t size)
{
    return std::bit_ceil(std::max(size, kSmallest));
}

std::size_t BufferPool::classOf(std::size_t rounded)
{
    return static_cast<std::size_t>(std::countr_zero(rounded) - std::countr_zero(kSmallest));
}

char* BufferPool::take(std::size_t size)
{
    const std::size_t rounded = roundUp(size);
    {
        const std::scoped_lock lock(m_mutex);
        auto& list = m_free[classOf(rounded)];
        if (!list.empty()) {
            char* memory = list.back();
            list.pop_back();
            m_kept -= rounded;
            return memory;
        }
    }
    return map(rounded, PageChoice::Kind::Large);
}

char* BufferPool::map(std::size_t rounded, PageChoice::Kind kind)
{
    return rounded >= kHugePage ? mapAligned(rounded, kind) : mapAnonymous(rounded);
}

void BufferPool::makeReady(std::size_t size)
{
    if (!m_worker)
        return;
    const std::size_t rounded = roundUp(size);
    {
        const std::scoped_lock lock(m_mutex);
        if (m_readying || !m_free[classOf(rounded)].empty() || m_kept + rounded > m_keepBytes)
            return;
        m_readying = true;
    }
    m_worker->run([pool = shared_from_this(), rounded] { pool->touchOne(rounded); }, {});
}

void BufferPool::touchOne(std::size_t rounded) noexcept
{
    try {
        const PageChoice::Kind kind = m_pages.next();
        char* const memory = map(rounded, kind);
        const std::uint64_t from = processorTime();
        touch(memory, rounded);
        m_pages.paid(
            kind, (processorTime() - from) / std::max<std::size_t>(rounded / kHugePage, 1));
        give(memory, rounded);
    } catch (const std::bad_alloc&) {
        // Who really needs it will hear.
    }
    const std::scoped_lock lock(m_mutex);
    m_readying = false;
}

void BufferPool::give(char* memory, std::size_t size) noexcept
{
    const std::size_t rounded = roundUp(size);
    {
        const std::scoped_lock lock(m_mutex);
        if (m_kept + rounded <= m_keepBytes) {
            m_free[classOf(rounded)].push_back(memory);
            m_kept += rounded;
            return;
        }
    }
    munmap(memory, rounded);
}

Buffer::Buffer(std::shared_ptr<BufferPool> pool, std::size_t size)
    : m_pool(std::move(pool))
    , m_memory(m_pool->take(size))
    , m_capacity(BufferPool::roundUp(size))
{
}

void Buffer::reset() noexcept
{
    if (m_memory)
        m_pool->give(m_memory, m_capacity);
    m_memory = nullptr;
    m_capacity = 0;
    m_pool.reset();
}

void Buffer::swap(Buffer& other) noexcept
{
    std::swap(m_pool, other.m_pool);
    std::swap(m_memory, other.m_memory);
    std::swap(m_capacity, other.m_capacity);
}

} // namespace jetglass::store
