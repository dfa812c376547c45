// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/gap_map.h"

#include <algorithm>

namespace jetglass::store {

GapMap::Map::const_iterator GapMap::at(std::uint64_t seq) const
{
    auto it = m_ranges.upper_bound(seq);
    if (it == m_ranges.begin())
        return m_ranges.end();
    --it;
    return it->second.last >= seq ? it : m_ranges.end();
}

bool GapMap::contains(std::uint64_t seq) const
{
    return at(seq) != m_ranges.end();
}

Removal GapMap::causeOf(std::uint64_t seq) const
{
    const auto it = at(seq);
    return it == m_ranges.end() ? Removal::None : it->second.cause;
}

void GapMap::erase(std::uint64_t first, std::uint64_t last)
{
    auto it = m_ranges.upper_bound(first);
    if (it != m_ranges.begin()) {
        const auto before = std::prev(it);
        if (before->second.last >= first)
            it = before;
    }
    while (it != m_ranges.end() && it->first <= last) {
        const std::uint64_t rangeFirst = it->first;
        const Range range = it->second;
        if (rangeFirst < first) {
            it->second.last = first - 1U;
            ++it;
        } else {
            it = m_ranges.erase(it);
        }
        if (range.last > last) {
            m_ranges.emplace(last + 1U, range);
            break;
        }
    }
}

void GapMap::add(std::uint64_t first, std::uint64_t last, Removal cause)
{
    if (first > last)
        return;
    auto it = m_ranges.upper_bound(first);
    // The usual case: the run right before grows, nothing behind it is touched.
    if (it != m_ranges.begin()) {
        const auto before = std::prev(it);
        const bool clear = it == m_ranges.end() || it->first > last + 1U;
        if (clear && before->second.last + 1U == first && before->second.cause == cause) {
            before->second.last = last;
            return;
        }
    }
    erase(first, last);
    it = m_ranges.upper_bound(first);
    if (it != m_ranges.end() && it->first == last + 1U && it->second.cause == cause) {
        last = it->second.last;
        it = m_ranges.erase(it);
    }
    if (it != m_ranges.begin()) {
        const auto before = std::prev(it);
        if (before->second.last + 1U == first && before->second.cause == cause) {
            before->second.last = last;
            return;
        }
    }
    m_ranges.emplace_hint(it, first, Range{last, cause});
}

std::uint64_t GapMap::nextOutside(std::uint64_t seq) const
{
    for (auto it = at(seq); it != m_ranges.end() && it->first <= seq; ++it)
        seq = it->second.last + 1U;
    return seq;
}

std::uint64_t GapMap::previousOutside(std::uint64_t seq) const
{
    auto it = m_ranges.upper_bound(seq);
    while (it != m_ranges.begin()) {
        --it;
        if (it->second.last < seq || it->first > seq)
            break;
        seq = it->first - 1U;
        if (it->first == 0)
            return 0;
    }
    return seq;
}

std::uint64_t GapMap::countIn(std::uint64_t first, std::uint64_t last) const
{
    std::uint64_t count = 0;
    auto it = m_ranges.upper_bound(first);
    if (it != m_ranges.begin() && std::prev(it)->second.last >= first)
        --it;
    for (; it != m_ranges.end() && it->first <= last; ++it)
        count += std::min(it->second.last, last) - std::max(it->first, first) + 1U;
    return count;
}

std::vector<GapRange> GapMap::ranges(
    std::uint64_t first, std::uint64_t last, std::size_t most) const
{
    std::vector<GapRange> out;
    auto it = m_ranges.upper_bound(first);
    if (it != m_ranges.begin() && std::prev(it)->second.last >= first)
        --it;
    for (; it != m_ranges.end() && it->first <= last && out.size() < most; ++it)
        out.push_back({StreamSeq(std::max(it->first, first)),
            StreamSeq(std::min(it->second.last, last)),
            it->second.cause});
    return out;
}

void GapMap::trimBelow(std::uint64_t first, std::size_t keep)
{
    while (m_ranges.size() > keep && m_ranges.begin()->second.last < first)
        m_ranges.erase(m_ranges.begin());
}

} // namespace jetglass::store
