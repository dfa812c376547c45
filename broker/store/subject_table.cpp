// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/subject_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace jetglass::store {

namespace {

constexpr std::size_t kFirstCells = 64;
constexpr std::size_t kMostCells = 4096;
constexpr unsigned kDeepest = 20;
constexpr std::uint32_t kNameHead = 4;
constexpr std::uint32_t kDead = 0x80000000U;
constexpr std::uint64_t kLittleWaste = 1U << 20U;

std::uint32_t padded(std::size_t length)
{
    return kNameHead + static_cast<std::uint32_t>((length + 3U) & ~std::size_t{3U});
}

} // namespace

std::uint32_t SubjectTable::hashOf(std::string_view name)
{
    const std::size_t h = std::hash<std::string_view>{}(name);
    return static_cast<std::uint32_t>(h ^ (h >> 32U));
}

char* SubjectTable::textAt(std::uint32_t position) const
{
    const std::uint64_t at = std::uint64_t{position} * 4U;
    return m_pieces[at >> kPieceShift].bytes.get() + (at & (kPiece - 1U));
}

std::string_view SubjectTable::name(Id id) const
{
    const Entry& e = entry(id);
    return {textAt(e.text), e.length};
}

// --- numbers

SubjectTable::Id SubjectTable::find(std::string_view name) const
{
    if (m_directory.empty())
        return kNone;
    const std::uint32_t hash = hashOf(name);
    const Segment& segment = m_segments[m_directory[directorySlot(hash)]];
    const std::size_t mask = segment.mask();
    for (std::size_t i = hash & mask;; i = (i + 1U) & mask) {
        const Cell& cell = segment.cells[i];
        if (cell.id == kNone)
            return kNone;
        if (cell.hash == hash && this->name(cell.id) == name)
            return cell.id;
    }
}

const SubjectTable::Cell* SubjectTable::firstCell(std::uint32_t hash) const
{
    const Segment& segment = m_segments[m_directory[directorySlot(hash)]];
    return &segment.cells[hash & segment.mask()];
}

SubjectTable::Id SubjectTable::firstWithHash(std::uint32_t hash) const
{
    const Segment& segment = m_segments[m_directory[directorySlot(hash)]];
    const std::size_t mask = segment.mask();
    std::size_t i = hash & mask;
    while (segment.cells[i].id != kNone && segment.cells[i].hash != hash)
        i = (i + 1U) & mask;
    return segment.cells[i].id;
}

void SubjectTable::findMany(std::span<const std::string_view> names, std::span<Id> ids) const
{
    constexpr std::size_t kTogether = 32;
    std::array<std::uint32_t, kTogether> hashes{};
    std::fill(ids.begin(), ids.end(), kNone);
    for (std::size_t from = 0; from < names.size() && !m_directory.empty(); from += kTogether) {
        const std::size_t count = std::min(kTogether, names.size() - from);
        for (std::size_t i = 0; i < count; ++i) {
            hashes[i] = hashOf(names[from + i]);
            __builtin_prefetch(firstCell(hashes[i]));
        }
        for (std::size_t i = 0; i < count; ++i)
            if (const Id id = firstWithHash(hashes[i]); id != kNone)
                __builtin_prefetch(&entry(ids[from + i] = id));
        for (std::size_t i = 0; i < count; ++i)
            if (ids[from + i] != kNone)
                __builtin_prefetch(textAt(entry(ids[from + i]).text));
        for (std::size_t i = 0; i < count; ++i)
            if (ids[from + i] != kNone && name(ids[from + i]) != names[from + i])
                ids[from + i] = find(names[from + i]);
    }
}

SubjectTable::Id SubjectTable::newId()
{
    if (m_firstFree != kNone) {
        const Id id = m_firstFree;
        m_firstFree = entry(id).text;
        entry(id) = Entry{};
        return id;
    }
    if (m_bound % kChunk == 0)
        m_chunks.push_back(std::make_unique<Entry[]>(kChunk));
    return m_bound++;
}

SubjectTable::Id SubjectTable::findOrAdd(std::string_view name, bool& isNew)
{
    const Id known = find(name);
    isNew = known == kNone;
    if (!isNew)
        return known;
    const Id id = newId();
    Entry& e = entry(id);
    e.used = true;
    e.hash = hashOf(name);
    e.length = static_cast<std::uint16_t>(name.size());
    e.text = storeName(id, name);
    addCell(id);
    return id;
}

void SubjectTable::release(Id id)
{
    Entry& e = entry(id);
    if (!e.used || e.count > 0)
        return;
    removeCell(id);
    dropName(e);
    e.used = false;
    e.text = m_firstFree;
    m_firstFree = id;
}

void SubjectTable::release(std::span<const Id> ids)
{
    constexpr std::size_t kAhead = 12;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i + kAhead < ids.size())
            __builtin_prefetch(firstCell(entry(ids[i + kAhead]).hash), 1);
        release(ids[i]);
    }
}

// --- hash cells

void SubjectTable::addCell(Id id)
{
    if (m_directory.empty()) {
        m_segments.push_back({std::vector<Cell>(kFirstCells), 0, 0});
        m_directory.push_back(0);
    }
    const std::uint32_t hash = entry(id).hash;
    const auto full = [this, hash] {
        const Segment& segment = m_segments[m_directory[directorySlot(hash)]];
        return (std::size_t{segment.used} + 1U) * 10U > segment.cells.size() * 7U;
    };
    while (full())
        enlarge(m_directory[directorySlot(hash)]);
    putCell(m_segments[m_directory[directorySlot(hash)]], {id, hash});
}

void SubjectTable::putCell(Segment& segment, const Cell& cell)
{
    const std::size_t mask = segment.mask();
    std::size_t i = cell.hash & mask;
    while (segment.cells[i].id != kNone)
        i = (i + 1U) & mask;
    segment.cells[i] = cell;
    ++segment.used;
}

void SubjectTable::enlarge(std::uint32_t segment)
{
    if (m_segments[segment].cells.size() >= kMostCells && m_segments[segment].depth < kDeepest)
        return split(segment);
    Segment& full = m_segments[segment];
    Segment larger{std::vector<Cell>(full.cells.size() * 2U), 0, full.depth};
    for (const Cell& cell : full.cells)
        if (cell.id != kNone)
            putCell(larger, cell);
    full = std::move(larger);
}

/// The next bit of the hash tells which of two a subject goes to.
void SubjectTable::split(std::uint32_t segment)
{
    const unsigned depth = m_segments[segment].depth + 1U;
    if (depth > m_depth) {
        std::vector<std::uint32_t> larger;
        larger.reserve(m_directory.size() * 2U);
        for (const std::uint32_t s : m_directory)
            larger.insert(larger.end(), 2, s);
        m_directory = std::move(larger);
        m_depth = depth;
    }
    const auto other = static_cast<std::uint32_t>(m_segments.size());
    const std::vector<Cell> cells = std::move(m_segments[segment].cells);
    m_segments[segment] = {std::vector<Cell>(cells.size()), 0, depth};
    m_segments.push_back(m_segments[segment]);
    for (const Cell& cell : cells) {
        if (cell.id == kNone)
            continue;
        const bool second = ((cell.hash >> (32U - depth)) & 1U) != 0;
        putCell(m_segments[second ? other : segment], cell);
    }
    const std::size_t step = std::size_t{1} << (m_depth - depth);
    const auto first = std::find(m_directory.begin(), m_directory.end(), segment);
    std::fill_n(first + static_cast<std::ptrdiff_t>(step), step, other);
}

void SubjectTable::removeCell(Id id)
{
    Segment& segment = m_segments[m_directory[directorySlot(entry(id).hash)]];
    std::vector<Cell>& cells = segment.cells;
    const std::size_t mask = segment.mask();
    std::size_t hole = entry(id).hash & mask;
    while (cells[hole].id != id)
        hole = (hole + 1U) & mask;
    // Later cells of the same run move up, so that no search stops too early.
    for (std::size_t i = (hole + 1U) & mask; cells[i].id != kNone; i = (i + 1U) & mask) {
        const std::size_t home = cells[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            cells[hole] = cells[i];
            hole = i;
        }
    }
    cells[hole].id = kNone;
    --segment.used;
}

// --- names

void SubjectTable::newPiece()
{
    if (m_freePieces.empty()) {
        m_piece = static_cast<std::uint32_t>(m_pieces.size());
        m_pieces.emplace_back();
    } else {
        m_piece = m_freePieces.back();
        m_freePieces.pop_back();
    }
    m_pieces[m_piece] = {std::make_unique_for_overwrite<char[]>(kPiece), 0, 0};
}

std::uint32_t SubjectTable::storeName(Id id, std::string_view name)
{
    const std::uint32_t size = padded(name.size());
    if (m_pieces.empty() || m_pieces[m_piece].used + size > kPiece)
        newPiece();
    Piece& piece = m_pieces[m_piece];
    char* const to = piece.bytes.get() + piece.used;
    std::memcpy(to, &id, kNameHead);
    std::memcpy(to + kNameHead, name.data(), name.size());
    const std::uint64_t at = (std::uint64_t{m_piece} << kPieceShift) + piece.used + kNameHead;
    piece.used += size;
    piece.live += size;
    m_nameBytes += size;
    return static_cast<std::uint32_t>(at / 4U);
}

void SubjectTable::dropName(const Entry& entry)
{
    const std::uint32_t size = padded(entry.length);
    const std::uint32_t dead = kDead | size;
    std::memcpy(textAt(entry.text) - kNameHead, &dead, kNameHead);
    m_pieces[static_cast<std::uint32_t>(std::uint64_t{entry.text} * 4U >> kPieceShift)].live -=
        size;
    m_wasted += size;
    m_wastedSince += size;
    // Half a piece is given back at least when one is emptied: names keep up with their garbage.
    if (m_wasted > kLittleWaste && m_wasted * 2U > m_nameBytes && m_wastedSince > kPiece / 4U)
        emptyOnePiece();
}

/// What is left of a piece that is half dead goes to the newest one.
void SubjectTable::emptyOnePiece()
{
    m_wastedSince = 0;
    for (std::size_t looked = 0; looked < m_pieces.size(); ++looked) {
        const std::uint32_t at = m_nextToEmpty++ % static_cast<std::uint32_t>(m_pieces.size());
        if (at == m_piece || !m_pieces[at].bytes || m_pieces[at].live * 2U > m_pieces[at].used)
            continue;
        const Piece old = std::move(m_pieces[at]);
        m_pieces[at] = {};
        m_nameBytes -= old.used;
        m_wasted -= old.used - old.live;
        for (std::uint32_t i = 0; i < old.used;) {
            std::uint32_t id = 0;
            std::memcpy(&id, old.bytes.get() + i, kNameHead);
            if ((id & kDead) != 0) {
                i += id & ~kDead;
                continue;
            }
            Entry& e = entry(id);
            e.text = storeName(id, {old.bytes.get() + i + kNameHead, e.length});
            i += padded(e.length);
        }
        m_freePieces.push_back(at);
        return;
    }
}

// --- counts

void SubjectTable::added(Id id, std::uint64_t seq)
{
    Entry& e = entry(id);
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
    Entry& e = entry(id);
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
    Entry& e = entry(id);
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
    Entry& e = entry(id);
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
    Entry& e = entry(id);
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
    Entry& e = entry(id);
    if (--e.count == 0) {
        --m_live;
        return;
    }
    e.last = seq - 1U;
    e.lastExact = false;
}

void SubjectTable::clear()
{
    *this = SubjectTable();
}

} // namespace jetglass::store
