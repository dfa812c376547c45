// SPDX-License-Identifier: GPL-3.0-or-later
#include "damage.h"

#include <algorithm>
#include <array>
#include <random>

namespace jetglass::store {

std::string Damage::text() const
{
    static constexpr std::array<const char*, kKinds> kNames{
        "bit flipped", "zeros", "garbage", "truncated"};
    return file + ", " + region.name + " (" + std::to_string(from) + " to " + std::to_string(to)
        + "): " + kNames.at(static_cast<std::size_t>(kind));
}

std::optional<Damage> damaged(
    const std::string& file, const Region& region, Damage::Kind kind, std::string& bytes)
{
    std::mt19937_64 random(region.offset * 31U + static_cast<std::size_t>(kind) + file.size());
    Damage damage{file, region, kind, region.offset, region.offset};
    const std::string before = bytes;
    const std::size_t size = std::min(region.size, Damage::kRun);
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(region.offset);
    const auto end = at + static_cast<std::ptrdiff_t>(size);
    switch (kind) {
    case Damage::Kind::Flip:
        damage.from += random() % region.size;
        bytes[damage.from] = static_cast<char>(bytes[damage.from] ^ (1 << (random() % 8U)));
        damage.to = damage.from + 1U;
        break;
    case Damage::Kind::Zeros:
        std::fill(at, end, '\0');
        damage.to += size;
        break;
    case Damage::Kind::Garbage:
        std::generate(at, end, [&random] { return static_cast<char>(random()); });
        damage.to += size;
        break;
    case Damage::Kind::Truncate:
        damage.to = bytes.size();
        bytes.resize(region.offset);
        break;
    }
    return bytes == before ? std::nullopt : std::optional(damage);
}

} // namespace jetglass::store
