// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace jetglass::subjects {

/// Folding a full product spreads pointers and digits, which differ in few bits, over the whole
/// word.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// A hash for tables in memory, never stored. Eight bytes at a step, the last ones overlapping what
/// came before: subjects are short, so start-up and tail cost more than throughput.
inline std::uint64_t mix(std::string_view text, std::uint64_t seed)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    constexpr std::uint64_t kOffset = 0xD6E8FEB86659FD93ULL;
    std::uint64_t h = fold(seed ^ kOffset, text.size() ^ kFactor);
    const char* p = text.data();
    const std::size_t size = text.size();
    std::uint64_t word = 0;
    if (size >= 8) {
        for (const char* last = p + size - 8; p < last; p += 8) {
            std::memcpy(&word, p, 8);
            h = fold(h ^ word, kFactor);
        }
        std::memcpy(&word, text.data() + size - 8, 8);
    } else if (size >= 4) {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, p, 4);
        std::memcpy(&high, p + size - 4, 4);
        word = low | (static_cast<std::uint64_t>(high) << 32U);
    } else {
        for (const char c : text)
            word = (word << 8U) | static_cast<unsigned char>(c);
    }
    return fold(h ^ word, kFactor);
}

} // namespace jetglass::subjects
