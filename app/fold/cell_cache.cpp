// SPDX-License-Identifier: GPL-3.0-or-later
#include "fold/cell_cache.h"

#include <algorithm>

namespace jetglass::fold {

int CellCache::column(ConsumerId consumer) const
{
    const auto it = std::find(m_columns.begin(), m_columns.end(), consumer);
    return it == m_columns.end() ? -1 : static_cast<int>(it - m_columns.begin());
}

int CellCache::addColumn(ConsumerId consumer)
{
    if (const int there = column(consumer); there >= 0)
        return there;
    if (const int free = column(ConsumerId{}); free >= 0) {
        m_columns[static_cast<std::size_t>(free)] = consumer;
        return free;
    }
    m_columns.push_back(consumer);
    for (auto& [number, held] : m_pages)
        held->columns.resize(m_columns.size());
    return static_cast<int>(m_columns.size()) - 1;
}

void CellCache::removeColumn(ConsumerId consumer)
{
    const int at = column(consumer);
    if (at < 0)
        return;
    forgetColumn(consumer);
    m_columns[static_cast<std::size_t>(at)] = ConsumerId{};
}

void CellCache::forgetColumn(ConsumerId consumer)
{
    const int at = column(consumer);
    if (at < 0)
        return;
    for (auto& [number, held] : m_pages)
        held->columns[static_cast<std::size_t>(at)] = {};
}

CellCache::Page* CellCache::page(std::uint64_t number) const
{
    if (m_lastPage && m_lastNumber == number)
        return m_lastPage;
    const auto it = m_pages.find(number);
    if (it == m_pages.end())
        return nullptr;
    m_lastNumber = number;
    m_lastPage = it->second.get();
    return m_lastPage;
}

const Row* CellCache::row(std::uint64_t seq) const
{
    const Page* held = page(seq / kPageRows);
    return held ? &held->rows[seq % kPageRows] : nullptr;
}

Row* CellCache::row(std::uint64_t seq)
{
    Page* held = page(seq / kPageRows);
    return held ? &held->rows[seq % kPageRows] : nullptr;
}

Row& CellCache::ensureRow(std::uint64_t seq)
{
    const std::uint64_t number = seq / kPageRows;
    auto& held = m_pages[number];
    if (!held) {
        held = std::make_unique<Page>();
        held->columns.resize(m_columns.size());
    }
    held->used = ++m_useCounter;
    Row& found = held->rows[seq % kPageRows];
    trim(number);
    return found;
}

const Cell* CellCache::cell(int column, std::uint64_t seq) const
{
    const Page* held = page(seq / kPageRows);
    if (!held || column < 0 || column >= static_cast<int>(m_columns.size()))
        return nullptr;
    return &held->columns[static_cast<std::size_t>(column)][seq % kPageRows];
}

Cell* CellCache::cell(int column, std::uint64_t seq)
{
    return const_cast<Cell*>(
        std::as_const(*this).cell(column, seq)); // NOLINT: same object, not const here
}

void CellCache::clear()
{
    m_pages.clear();
    m_lastPage = nullptr;
}

void CellCache::trim(std::uint64_t keep)
{
    const std::size_t perPage = kPageRows * std::max<std::size_t>(1, m_columns.size());
    const std::size_t limit = std::clamp<std::size_t>(kMaxCells / perPage, 4, kMaxPages);
    while (m_pages.size() > limit) {
        auto oldest = m_pages.end();
        for (auto it = m_pages.begin(); it != m_pages.end(); ++it) {
            if (it->first != keep
                && (oldest == m_pages.end() || it->second->used < oldest->second->used))
                oldest = it;
        }
        m_pages.erase(oldest);
        m_lastPage = nullptr;
    }
}

} // namespace jetglass::fold
