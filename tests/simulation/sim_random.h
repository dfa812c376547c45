// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace jetglass::simulation {

/// All the chance there is in a simulation: the same seed gives the same numbers everywhere
/// (splitmix64).
class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next()
    {
        std::uint64_t z = m_state += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    /// 0 to \a limit - 1; 0 for a limit of 0.
    std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }
    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return least
            + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least + 1)));
    }
    bool chance(unsigned percent) { return below(100) < percent; }
    bool oneIn(std::uint64_t n) { return below(n) == 0; }
    template<class Container>
    auto& pick(Container& from)
    {
        auto it = std::begin(from);
        std::advance(it, static_cast<std::ptrdiff_t>(below(std::size(from))));
        return *it;
    }

private:
    std::uint64_t m_state;
};

} // namespace jetglass::simulation
