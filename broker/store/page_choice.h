// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace jetglass::store {

/// Which pages a fresh piece of 2 MiB is made of, by what the last pieces cost. Large ones are five
/// times cheaper than small ones as a rule. A virtual machine that gives its free large pages back
/// to the host (free page reporting) gets each of them anew, and pays ten times as much: there the
/// small ones win, of which the kernel has a stock. Only asked where the usual kind is slow.
class PageChoice
{
public:
    enum class Kind : std::uint8_t
    {
        Large,
        Small
    };

    /// For the next piece.
    [[nodiscard]] Kind next()
    {
        const std::uint64_t small = cost(Kind::Small);
        const Kind best = small != 0 && small < cost(Kind::Large) ? Kind::Small : Kind::Large;
        if (cost(best) <= kCheap)
            return best;
        const Kind other = best == Kind::Large ? Kind::Small : Kind::Large;
        return cost(other) == 0 || ++m_since % kRetry == 0 ? other : best;
    }
    /// What a piece of this kind has cost, in nanoseconds of processor time per 2 MiB.
    void paid(Kind kind, std::uint64_t nanoseconds)
    {
        m_cost[static_cast<std::size_t>(kind)] = nanoseconds == 0 ? 1 : nanoseconds;
    }

private:
    static constexpr std::uint64_t kCheap = 500'000; ///< 4 GiB/s: no kind is much better
    static constexpr std::uint32_t kRetry = 64;
    [[nodiscard]] std::uint64_t cost(Kind kind) const
    {
        return m_cost[static_cast<std::size_t>(kind)];
    }
    std::array<std::uint64_t, 2> m_cost = {}; ///< zero: not tried yet
    std::uint32_t m_since = 0;
};

} // namespace jetglass::store
