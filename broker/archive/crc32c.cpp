// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace jetglass::archive {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78U; ///< reflected
constexpr std::uint32_t kMask = 0xa282ead8U;
constexpr std::size_t kLanes = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kLanes>;

constexpr Tables makeTables()
{
    Tables tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        tables[0][i] = crc;
    }
    for (std::size_t lane = 1; lane < kLanes; ++lane)
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t before = tables[lane - 1][i];
            tables[lane][i] = (before >> 8U) ^ tables[0][before & 0xffU];
        }
    return tables;
}

constexpr Tables kTables = makeTables();

std::uint32_t littleEndian32(const char* at)
{
    std::array<unsigned char, 4> b{};
    std::memcpy(b.data(), at, b.size());
    return static_cast<std::uint32_t>(b[0]) | static_cast<std::uint32_t>(b[1]) << 8U
        | static_cast<std::uint32_t>(b[2]) << 16U | static_cast<std::uint32_t>(b[3]) << 24U;
}

} // namespace

std::uint32_t crc32c(std::string_view bytes)
{
    std::uint32_t crc = ~0U;
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= kLanes; left -= kLanes, at += kLanes) {
        const std::uint32_t low = crc ^ littleEndian32(at);
        const std::uint32_t high = littleEndian32(at + 4);
        crc = kTables[7][low & 0xffU] ^ kTables[6][(low >> 8U) & 0xffU]
            ^ kTables[5][(low >> 16U) & 0xffU] ^ kTables[4][low >> 24U] ^ kTables[3][high & 0xffU]
            ^ kTables[2][(high >> 8U) & 0xffU] ^ kTables[1][(high >> 16U) & 0xffU]
            ^ kTables[0][high >> 24U];
    }
    for (; left > 0; --left, ++at)
        crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xffU];
    return ~crc;
}

std::uint32_t maskedCrc32c(std::string_view bytes)
{
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15U) | (crc << 17U)) + kMask;
}

} // namespace jetglass::archive
