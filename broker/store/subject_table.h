// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// The literal subjects that one stream holds: a number for each, and how many messages it has.
/// Made for ten million subjects: the names sit in large pieces of memory, a lookup touches one
/// hash cell and one entry. first and last are exact, or bounds (first too low, last too high) when
/// the flag says so: finding the exact neighbour of a removed message needs the blocks, and mostly
/// nobody asks.
class SubjectTable
{
public:
    using Id = std::uint32_t;
    static constexpr Id kNone = 0xFFFFFFFFU;

    struct Entry
    {
        std::uint64_t count = 0;
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::uint32_t text = 0; ///< position in the names, in units of 4 bytes
        std::uint32_t hash = 0;
        std::uint32_t tailBlock = 0; ///< serial of the block whose list has this subject at tailPos
        std::uint32_t tailPos = 0;
        std::uint16_t length = 0;
        bool firstExact = true;
        bool lastExact = true;
        bool used = false;
    };

    [[nodiscard]] Id find(std::string_view name) const;
    /// A new entry has count 0; \a isNew tells that the number was given out (perhaps again).
    Id findOrAdd(std::string_view name, bool& isNew);
    [[nodiscard]] Entry& entry(Id id) { return m_entries[id]; }
    [[nodiscard]] const Entry& entry(Id id) const { return m_entries[id]; }
    [[nodiscard]] std::string_view name(Id id) const;
    /// Numbers below this may be in use.
    [[nodiscard]] Id bound() const { return static_cast<Id>(m_entries.size()); }
    /// Subjects with count > 0.
    [[nodiscard]] std::uint64_t live() const { return m_live; }

    void added(Id id, std::uint64_t seq);
    /// \a count messages from \a first to \a last, all newer than what is known.
    void addedMany(Id id, std::uint64_t count, std::uint64_t first, std::uint64_t last);
    /// One message at \a seq has left. Entries that reach 0 keep their number until release().
    void removed(Id id, std::uint64_t seq);
    /// \a count messages have left, all of them at or below \a upTo.
    void removedBelow(Id id, std::uint64_t count, std::uint64_t upTo);
    /// Takes removals back: \a count messages between \a first and \a last are there again. \a
    /// exact: first and last are among them.
    void restored(Id id, std::uint64_t count, std::uint64_t first, std::uint64_t last, bool exact);
    /// Takes the newest message of the subject back as if it had never been added.
    void unadded(Id id, std::uint64_t seq);
    /// Gives the number back if no message has the subject.
    void release(Id id);
    void clear();

private:
    static constexpr std::uint32_t kPieceShift = 18;
    static constexpr std::uint32_t kPiece = 1U << kPieceShift;
    static std::uint32_t hashOf(std::string_view name);
    std::uint32_t storeName(std::string_view name);
    void rehash(std::size_t cells);
    void removeCell(Id id);
    void compactNames();

    std::vector<Entry> m_entries;
    std::vector<Id> m_free;
    std::vector<Id> m_cells; ///< open addressing, linear probing; size is a power of two
    std::vector<std::unique_ptr<char[]>> m_pieces;
    std::uint32_t m_used = kPiece; ///< bytes of the last piece
    std::uint64_t m_live = 0;
    std::uint64_t m_nameBytes = 0;
    std::uint64_t m_wasted = 0;
    std::size_t m_inTable = 0;
};

} // namespace jetglass::store
