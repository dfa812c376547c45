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
    for (auto& [number, page] : m_pages)
        page->columns.resize(m_columns.size());
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
    for (auto& [number, page] : m_pages)
        page->columns[static_cast<std::size_t>(at)] = {};
}

const Row* CellCache::row(std::uint64_t seq) const
{
    const auto it = m_pages.find(seq / kPageRows);
    return it == m_pages.end() ? nullptr : &it->second->rows[seq % kPageRows];
}

Row* CellCache::row(std::uint64_t seq)
{
    const auto it = m_pages.find(seq / kPageRows);
    return it == m_pages.end() ? nullptr : &it->second->rows[seq % kPageRows];
}

Row& CellCache::ensureRow(std::uint64_t seq)
{
    const std::uint64_t number = seq / kPageRows;
    auto& page = m_pages[number];
    if (!page) {
        page = std::make_unique<Page>();
        page->columns.resize(m_columns.size());
    }
    page->used = ++m_useCounter;
    Row& found = page->rows[seq % kPageRows];
    trim(number);
    return found;
}

const Cell* CellCache::cell(int column, std::uint64_t seq) const
{
    const auto it = m_pages.find(seq / kPageRows);
    if (it == m_pages.end() || column < 0 || column >= static_cast<int>(m_columns.size()))
        return nullptr;
    return &it->second->columns[static_cast<std::size_t>(column)][seq % kPageRows];
}

Cell* CellCache::cell(int column, std::uint64_t seq)
{
    return const_cast<Cell*>(
        std::as_const(*this).cell(column, seq)); // NOLINT: same object, not const here
}

void CellCache::clear()
{
    m_pages.clear();
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
    }
}

} // namespace jetglass::fold
