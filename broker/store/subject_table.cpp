// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/subject_table.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace jetglass::store {

namespace {

std::uint32_t padded(std::size_t length)
{
    return static_cast<std::uint32_t>((length + 3U) & ~std::size_t{3U});
}

} // namespace

std::uint32_t SubjectTable::hashOf(std::string_view name)
{
    const std::size_t h = std::hash<std::string_view>{}(name);
    return static_cast<std::uint32_t>(h ^ (h >> 32U));
}

std::string_view SubjectTable::name(Id id) const
{
    const Entry& e = m_entries[id];
    const std::uint64_t at = std::uint64_t{e.text} * 4U;
    return {m_pieces[at >> kPieceShift].get() + (at & (kPiece - 1U)), e.length};
}

SubjectTable::Id SubjectTable::find(std::string_view name) const
{
    if (m_cells.empty())
        return kNone;
    const std::uint32_t hash = hashOf(name);
    const std::size_t mask = m_cells.size() - 1U;
    for (std::size_t i = hash & mask;; i = (i + 1U) & mask) {
        const Id id = m_cells[i];
        if (id == kNone)
            return kNone;
        if (m_entries[id].hash == hash && this->name(id) == name)
            return id;
    }
}

SubjectTable::Id SubjectTable::findOrAdd(std::string_view name, bool& isNew)
{
    const Id known = find(name);
    isNew = known == kNone;
    if (!isNew)
        return known;
    if ((m_inTable + 1U) * 10U > m_cells.size() * 7U)
        rehash(std::max<std::size_t>(64U, m_cells.size() * 2U));

    Id id = 0;
    if (m_free.empty()) {
        id = static_cast<Id>(m_entries.size());
        m_entries.emplace_back();
    } else {
        id = m_free.back();
        m_free.pop_back();
        m_entries[id] = Entry{};
    }
    Entry& e = m_entries[id];
    e.used = true;
    e.hash = hashOf(name);
    e.length = static_cast<std::uint16_t>(name.size());
    e.text = storeName(name);
    const std::size_t mask = m_cells.size() - 1U;
    std::size_t i = e.hash & mask;
    while (m_cells[i] != kNone)
        i = (i + 1U) & mask;
    m_cells[i] = id;
    ++m_inTable;
    return id;
}

std::uint32_t SubjectTable::storeName(std::string_view name)
{
    const std::uint32_t size = padded(name.size());
    if (m_pieces.empty() || m_used + size > kPiece) {
        m_pieces.push_back(std::make_unique_for_overwrite<char[]>(kPiece));
        m_used = 0;
    }
    std::memcpy(m_pieces.back().get() + m_used, name.data(), name.size());
    const std::uint64_t at = (std::uint64_t{m_pieces.size() - 1U} << kPieceShift) + m_used;
    m_used += size;
    m_nameBytes += size;
    return static_cast<std::uint32_t>(at / 4U);
}

void SubjectTable::rehash(std::size_t cells)
{
    m_cells.assign(cells, kNone);
    const std::size_t mask = cells - 1U;
    for (Id id = 0; id < m_entries.size(); ++id) {
        if (!m_entries[id].used)
            continue;
        std::size_t i = m_entries[id].hash & mask;
        while (m_cells[i] != kNone)
            i = (i + 1U) & mask;
        m_cells[i] = id;
    }
}

void SubjectTable::added(Id id, std::uint64_t seq)
{
    Entry& e = m_entries[id];
    if (e.count++ == 0) {
        e.first = seq;
        e.firstExact = true;
        ++m_live;
    }
    e.last = seq;
    e.lastExact = true;
}

void SubjectTable::addedMany(Id id, std::uint64_t count, std::uint64_t first, std::uint64_t last)
{
    if (count == 0)
        return;
    Entry& e = m_entries[id];
    if (e.count == 0) {
        e.first = first;
        e.firstExact = true;
        ++m_live;
    }
    e.count += count;
    e.last = last;
    e.lastExact = true;
}

void SubjectTable::removed(Id id, std::uint64_t seq)
{
    Entry& e = m_entries[id];
    if (--e.count == 0) {
        --m_live;
        return;
    }
    if (e.count == 1 && e.firstExact && e.lastExact) {
        if (seq == e.first) {
            e.first = e.last;
            return;
        }
        if (seq == e.last) {
            e.last = e.first;
            return;
        }
        return;
    }
    if (seq == e.first) {
        e.first = seq + 1U;
        e.firstExact = false;
        if (e.count == 1 && e.lastExact) {
            e.first = e.last;
            e.firstExact = true;
        }
    } else if (seq == e.last) {
        e.last = seq - 1U;
        e.lastExact = false;
    }
}

void SubjectTable::removedBelow(Id id, std::uint64_t count, std::uint64_t upTo)
{
    Entry& e = m_entries[id];
    e.count -= count;
    if (e.count == 0) {
        --m_live;
        return;
    }
    if (e.first <= upTo) {
        e.first = upTo + 1U;
        e.firstExact = false;
    }
    if (e.count == 1 && e.lastExact) {
        e.first = e.last;
        e.firstExact = true;
    }
}

void SubjectTable::restored(
    Id id, std::uint64_t count, std::uint64_t first, std::uint64_t last, bool exact)
{
    Entry& e = m_entries[id];
    if (e.count == 0) {
        ++m_live;
        e.first = first;
        e.last = last;
        e.firstExact = e.lastExact = exact;
    } else {
        if (first <= e.first) {
            e.first = first;
            e.firstExact = exact;
        }
        if (last >= e.last) {
            e.last = last;
            e.lastExact = exact;
        }
    }
    e.count += count;
}

void SubjectTable::unadded(Id id, std::uint64_t seq)
{
    Entry& e = m_entries[id];
    if (--e.count == 0) {
        --m_live;
        return;
    }
    e.last = seq - 1U;
    e.lastExact = false;
}

void SubjectTable::release(Id id)
{
    Entry& e = m_entries[id];
    if (!e.used || e.count > 0)
        return;
    removeCell(id);
    e.used = false;
    m_wasted += padded(e.length);
    m_free.push_back(id);
    if (m_wasted > (1U << 20U) && m_wasted * 2U > m_nameBytes)
        compactNames();
}

void SubjectTable::removeCell(Id id)
{
    const std::size_t mask = m_cells.size() - 1U;
    std::size_t hole = m_entries[id].hash & mask;
    while (m_cells[hole] != id)
        hole = (hole + 1U) & mask;
    // Later cells of the same run move up, so that no search stops too early.
    for (std::size_t i = (hole + 1U) & mask; m_cells[i] != kNone; i = (i + 1U) & mask) {
        const std::size_t home = m_entries[m_cells[i]].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            m_cells[hole] = m_cells[i];
            hole = i;
        }
    }
    m_cells[hole] = kNone;
    --m_inTable;
}

void SubjectTable::compactNames()
{
    std::vector<std::unique_ptr<char[]>> old;
    old.swap(m_pieces);
    m_used = kPiece;
    m_nameBytes = 0;
    m_wasted = 0;
    for (Entry& e : m_entries) {
        if (!e.used)
            continue;
        const std::uint64_t at = std::uint64_t{e.text} * 4U;
        e.text = storeName({old[at >> kPieceShift].get() + (at & (kPiece - 1U)), e.length});
    }
}

void SubjectTable::clear()
{
    *this = SubjectTable();
}

} // namespace jetglass::store
