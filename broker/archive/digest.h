// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace jetglass::archive {

/// HighwayHash with 64 bits under the key SHA-256(name): how the reference server's files are
/// checked (streams.md 9.5).
class NamedHash
{
public:
    explicit NamedHash(std::string_view name);
    [[nodiscard]] std::uint64_t of(std::string_view bytes) const;

private:
    std::array<std::uint64_t, 4> m_key{};
};

} // namespace jetglass::archive
