// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetglass::archive {

/// Numbers of 7 bits a byte, lowest first, as the reference server's files hold them. Once a read
/// failed, good() is false and all further numbers are 0.
class SevenBitReader
{
public:
    explicit SevenBitReader(std::string_view in)
        : m_in(in)
    {
    }
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; m_good; shift += 7U) {
            m_ranOut = m_at >= m_in.size();
            if (m_ranOut) {
                m_good = false;
                break;
            }
            const auto byte = static_cast<unsigned char>(m_in[m_at++]);
            if (shift > 63U || (shift == 63U && byte > 1U)) {
                m_good = false;
                break;
            }
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (byte < 0x80U)
                return value;
        }
        return 0;
    }
    /// Of either sign: small ones are small numbers.
    std::int64_t signedNumber()
    {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
    }
    std::string_view text(std::size_t size)
    {
        if (!m_good || size > m_in.size() - m_at) {
            m_ranOut = m_good;
            m_good = false;
            return {};
        }
        m_at += size;
        return m_in.substr(m_at - size, size);
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool ranOut() const { return m_ranOut; } ///< failed for want of bytes alone
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] std::size_t left() const { return m_in.size() - m_at; }

private:
    std::string_view m_in;
    std::size_t m_at = 0;
    bool m_good = true;
    bool m_ranOut = false;
};

} // namespace jetglass::archive
