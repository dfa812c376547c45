// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_store.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace jetglass::store {

/// All sequences of a stream that are not stored, as disjoint ranges with their cause; neighbours
/// with the same cause are one range. This is the truth about what is there: the blocks follow it.
class GapMap
{
public:
    /// Sequences that are in the map already get the new cause.
    void add(std::uint64_t first, std::uint64_t last, Removal cause);
    /// These sequences are stored (again).
    void erase(std::uint64_t first, std::uint64_t last);
    [[nodiscard]] bool contains(std::uint64_t seq) const;
    [[nodiscard]] Removal causeOf(std::uint64_t seq) const; ///< None if it is not in the map
    /// First sequence >= \a seq that is not in the map.
    [[nodiscard]] std::uint64_t nextOutside(std::uint64_t seq) const;
    /// Last sequence <= \a seq that is not in the map; 0 if there is none.
    [[nodiscard]] std::uint64_t previousOutside(std::uint64_t seq) const;
    [[nodiscard]] std::uint64_t countIn(std::uint64_t first, std::uint64_t last) const;
    /// The first \a most that overlap first..last, cut to it.
    [[nodiscard]] std::vector<GapRange> ranges(std::uint64_t first,
        std::uint64_t last,
        std::size_t most = std::numeric_limits<std::size_t>::max()) const;
    [[nodiscard]] std::size_t rangeCount() const { return m_ranges.size(); }
    /// Forgets the oldest ranges that end below \a first until at most \a keep ranges are left.
    void trimBelow(std::uint64_t first, std::size_t keep);
    void clear() { m_ranges.clear(); }

private:
    struct Range
    {
        std::uint64_t last = 0;
        Removal cause = Removal::Unknown;
    };
    using Map = std::map<std::uint64_t, Range>;
    [[nodiscard]] Map::const_iterator at(std::uint64_t seq) const; ///< range that holds seq, or end
    Map m_ranges;
};

} // namespace jetglass::store
