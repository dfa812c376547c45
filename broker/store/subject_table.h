// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// The literal subjects that one stream holds: a number for each, and how many messages it has.
/// Made for ten million subjects: the names sit in large pieces of memory, a lookup touches one
/// hash cell and one entry, and no step is longer for a large table than for a small one: it grows
/// and shrinks by parts. first and last are exact, or bounds (first too low, last too high) when
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
        std::uint32_t text = 0; ///< position in the names, in units of 4 bytes; unused: next free
        std::uint32_t hash = 0;
        std::uint32_t tailBlock = 0; ///< serial of the block whose list has this subject at tailPos
        std::uint32_t tailPos = 0;
        std::uint16_t length = 0;
        bool firstExact = true;
        bool lastExact = true;
        bool used = false;
    };

    [[nodiscard]] Id find(std::string_view name) const;
    /// Many at once: in a large table a search mostly waits for memory, and these wait together.
    void findMany(std::span<const std::string_view> names, std::span<Id> ids) const;
    /// A new entry has count 0; \a isNew tells that the number was given out (perhaps again).
    Id findOrAdd(std::string_view name, bool& isNew);
    [[nodiscard]] Entry& entry(Id id) { return m_chunks[id >> kChunkShift][id & (kChunk - 1U)]; }
    [[nodiscard]] const Entry& entry(Id id) const
    {
        return m_chunks[id >> kChunkShift][id & (kChunk - 1U)];
    }
    [[nodiscard]] std::string_view name(Id id) const;
    /// Numbers below this may be in use.
    [[nodiscard]] Id bound() const { return m_bound; }
    /// Subjects with count > 0.
    [[nodiscard]] std::uint64_t live() const { return m_live; }

    /// Memory of the names, those of released numbers included until it is given back.
    [[nodiscard]] std::uint64_t nameBytes() const { return m_nameBytes; }

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
    /// Many at once: they wait for memory together.
    void release(std::span<const Id> ids);
    void clear();

private:
    static constexpr std::uint32_t kChunkShift = 8;
    static constexpr std::uint32_t kChunk = 1U << kChunkShift;
    static constexpr std::uint32_t kPieceShift = 18;
    static constexpr std::uint32_t kPiece = 1U << kPieceShift;
    struct Cell
    {
        Id id = kNone;
        std::uint32_t hash = 0; ///< so that a search looks at one entry only
    };
    /// Hash cells of those subjects whose hashes begin with the same bits. A full one becomes two.
    struct Segment
    {
        std::vector<Cell> cells; ///< open addressing, linear probing; size is a power of two
        std::uint32_t used = 0;
        unsigned depth = 0; ///< how many bits
        [[nodiscard]] std::size_t mask() const { return cells.size() - 1U; }
    };
    /// Names behind each other, each behind a number: whose it is, or kDead and the bytes to the
    /// next one.
    struct Piece
    {
        std::unique_ptr<char[]> bytes; ///< null: free
        std::uint32_t used = 0;
        std::uint32_t live = 0;
    };
    static std::uint32_t hashOf(std::string_view name);
    [[nodiscard]] std::size_t directorySlot(std::uint32_t hash) const
    {
        return static_cast<std::size_t>((std::uint64_t{hash} << m_depth) >> 32U);
    }
    /// The cell that a search for this hash begins with.
    [[nodiscard]] const Cell* firstCell(std::uint32_t hash) const;
    /// Most often the one searched for.
    [[nodiscard]] Id firstWithHash(std::uint32_t hash) const;
    Id newId();
    void addCell(Id id);
    static void putCell(Segment& segment, const Cell& cell);
    void enlarge(std::uint32_t segment);
    void split(std::uint32_t segment);
    void removeCell(Id id);
    std::uint32_t storeName(Id id, std::string_view name);
    void dropName(const Entry& entry);
    void newPiece();
    void emptyOnePiece();
    [[nodiscard]] char* textAt(std::uint32_t position) const;

    std::vector<std::unique_ptr<Entry[]>> m_chunks;
    Id m_bound = 0;
    Id m_firstFree = kNone;
    std::vector<Segment> m_segments;
    std::vector<std::uint32_t> m_directory; ///< by the first m_depth bits of a hash
    unsigned m_depth = 0;
    std::vector<Piece> m_pieces;
    std::vector<std::uint32_t> m_freePieces;
    std::uint32_t m_piece = 0; ///< takes new names
    std::uint32_t m_nextToEmpty = 0;
    std::uint64_t m_live = 0;
    std::uint64_t m_nameBytes = 0; ///< of all pieces, dead ones included
    std::uint64_t m_wasted = 0;
    std::uint64_t m_wastedSince = 0; ///< since a piece was emptied
};

} // namespace jetglass::store
