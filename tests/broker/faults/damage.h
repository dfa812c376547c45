// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "regions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetglass::store {

/// One thing that goes wrong in one region of one file.
struct Damage
{
    enum class Kind : std::uint8_t
    {
        Flip, ///< one bit
        Zeros, ///< over the region, but no more than kRun
        Garbage, ///< likewise
        Truncate ///< where the region begins
    };
    static constexpr std::size_t kRun = 64;
    static constexpr std::size_t kKinds = 4;

    std::string file;
    Region region;
    Kind kind{};
    std::size_t from = 0; ///< the bytes that are not what they were
    std::size_t to = 0;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool hits(std::size_t offset, std::size_t size) const
    {
        return from < offset + size && to > offset;
    }
};

/// Applies it; nothing if that would change no byte. The same every time.
[[nodiscard]] std::optional<Damage> damaged(
    const std::string& file, const Region& region, Damage::Kind kind, std::string& bytes);

} // namespace jetglass::store
