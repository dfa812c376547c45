// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::store {

/// Numbers in groups of 7 bits, lowest first; the top bit says that more follows.
inline void putVarint(std::string& to, std::uint64_t value)
{
    while (value >= 0x80U) {
        to.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
        value >>= 7U;
    }
    to.push_back(static_cast<char>(value));
}

/// Differences of either sign: small ones become small numbers.
inline void putSigned(std::string& to, std::int64_t value)
{
    putVarint(
        to, (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

/// Reads what the functions above wrote; remembers if it ran over the end.
class VarintReader
{
public:
    explicit VarintReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_at == m_bytes.size(); }
    std::uint64_t number()
    {
        if (m_at < m_bytes.size() && static_cast<std::uint8_t>(m_bytes[m_at]) < 0x80U)
            return static_cast<std::uint8_t>(m_bytes[m_at++]);
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64U; shift += 7U) {
            if (m_at >= m_bytes.size())
                break;
            const auto byte = static_cast<std::uint8_t>(m_bytes[m_at++]);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80U)
                return value;
        }
        m_good = false;
        return 0;
    }
    std::int64_t signedNumber()
    {
        const std::uint64_t n = number();
        return static_cast<std::int64_t>((n >> 1U) ^ (~(n & 1U) + 1U));
    }
    std::string_view text(std::size_t size)
    {
        if (size > m_bytes.size() - m_at) {
            m_good = false;
            return {};
        }
        m_at += size;
        return m_bytes.substr(m_at - size, size);
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
    bool m_good = true;
};

} // namespace jetglass::store
