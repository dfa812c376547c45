// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/subject_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetglass::store {

/// Whether a block may hold a subject, in about ten bits for each that it has: a search passes over
/// blocks without reading anything of them. Yes is wrong once in thirty times, no never.
class SubjectSignature
{
public:
    void build(std::span<const SubjectTable::Id> ids)
    {
        std::size_t words = 1;
        while (words * kBitsPerWord < ids.size() * kBitsPerSubject && words < kMostWords)
            words *= 2U;
        m_words.assign(words, 0);
        for (const SubjectTable::Id id : ids)
            for (std::uint64_t rest = spread(id), n = 0; n < kBits; ++n, rest >>= kBitsUsed)
                m_words[word(rest)] |= bit(rest);
    }
    [[nodiscard]] bool built() const { return !m_words.empty(); }
    /// True as well if nothing was built.
    [[nodiscard]] bool mayHave(SubjectTable::Id id) const
    {
        if (m_words.empty())
            return true;
        for (std::uint64_t rest = spread(id), n = 0; n < kBits; ++n, rest >>= kBitsUsed)
            if ((m_words[word(rest)] & bit(rest)) == 0)
                return false;
        return true;
    }

private:
    static constexpr std::size_t kBitsPerWord = 64;
    static constexpr std::size_t kBitsPerSubject = 8; ///< at least; twice as many at most
    static constexpr std::size_t kMostWords = 2048;
    static constexpr std::uint64_t kBits = 3; ///< set for one subject
    static constexpr unsigned kBitsUsed = 17; ///< to choose one: 6 in a word, 11 for the word
    /// Numbers in a row become numbers without any order.
    static std::uint64_t spread(SubjectTable::Id id)
    {
        std::uint64_t mixed = (id + 1ULL) * 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 32U)) * 0xD6E8FEB86659FD93ULL;
        return mixed ^ (mixed >> 32U);
    }
    [[nodiscard]] std::size_t word(std::uint64_t mixed) const
    {
        return (mixed >> 6U) & (m_words.size() - 1U);
    }
    static std::uint64_t bit(std::uint64_t mixed) { return 1ULL << (mixed & 63U); }
    std::vector<std::uint64_t> m_words; ///< a power of two of them
};

} // namespace jetglass::store
