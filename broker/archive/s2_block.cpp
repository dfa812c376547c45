// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/s2_block.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace jetglass::archive {

namespace {

enum Tag : unsigned
{
    kLiteral = 0,
    kNear = 1, ///< copy with an offset of 11 bits; offset 0 repeats the last one
    kMiddle = 2, ///< 16 bits
    kFar = 3 ///< 32 bits
};

constexpr unsigned kHashBits = 14;
constexpr std::size_t kShortestMatch = 4;
constexpr std::size_t kLongestCopy = 64;
constexpr std::size_t kLongestNear = 11;
constexpr std::size_t kNearOffset = 2048;

/// Walks over the block; a read beyond its end is remembered and gives 0.
class BlockCursor
{
public:
    explicit BlockCursor(std::string_view block)
        : m_block(block)
    {
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_block.size(); }
    std::size_t number(unsigned bytes)
    {
        if (m_block.size() - m_at < bytes) {
            m_good = false;
            return 0;
        }
        std::size_t value = 0;
        for (unsigned i = 0; i < bytes; ++i)
            value |= static_cast<std::size_t>(static_cast<unsigned char>(m_block[m_at + i]))
                << (8U * i);
        m_at += bytes;
        return value;
    }
    std::string_view text(std::size_t size)
    {
        if (m_block.size() - m_at < size) {
            m_good = false;
            return {};
        }
        m_at += size;
        return m_block.substr(m_at - size, size);
    }
    std::optional<std::size_t> blockLength()
    {
        constexpr unsigned kMostBits = 32;
        std::size_t value = 0;
        for (unsigned shift = 0; shift < 35U; shift += 7U) {
            const std::size_t byte = number(1);
            if (!m_good)
                return {};
            value |= (byte & 0x7fU) << shift;
            if (byte < 0x80U)
                return value >> kMostBits == 0 ? std::optional(value) : std::nullopt;
        }
        return {};
    }

private:
    std::string_view m_block;
    std::size_t m_at = 0;
    bool m_good = true;
};

struct Copy
{
    std::size_t offset = 0;
    std::size_t length = 0;
};

std::size_t literalLength(BlockCursor& in, std::size_t tag)
{
    constexpr std::size_t kInline = 60;
    const std::size_t field = tag >> 2U;
    if (field < kInline)
        return field + 1;
    return in.number(static_cast<unsigned>(field - kInline + 1)) + 1;
}

Copy readCopy(BlockCursor& in, std::size_t tag, std::size_t lastOffset)
{
    if ((tag & 3U) == kMiddle)
        return {in.number(2), (tag >> 2U) + 1};
    if ((tag & 3U) == kFar)
        return {in.number(4), (tag >> 2U) + 1};
    const std::size_t offset = ((tag & 0xe0U) << 3U) | in.number(1);
    const std::size_t field = (tag >> 2U) & 7U;
    if (offset != 0)
        return {offset, field + kShortestMatch};
    // A repeat has room for longer lengths, since it needs no offset.
    switch (field) {
    case 5:
        return {lastOffset, in.number(1) + 4 + kShortestMatch};
    case 6:
        return {lastOffset, in.number(2) + (1U << 8U) + kShortestMatch};
    case 7:
        return {lastOffset, in.number(3) + (1U << 16U) + kShortestMatch};
    default:
        return {lastOffset, field + kShortestMatch};
    }
}

/// A copy may run into what it writes: then it repeats a pattern.
void copyWithin(char* out, std::size_t at, const Copy& copy)
{
    char* to = out + at;
    const char* from = to - copy.offset;
    if (copy.offset >= copy.length) {
        std::memcpy(to, from, copy.length);
        return;
    }
    for (std::size_t i = 0; i < copy.length; ++i)
        to[i] = from[i];
}

std::uint32_t load32(const char* at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    return value;
}

void putByte(std::string& to, std::size_t value)
{
    to.push_back(static_cast<char>(static_cast<unsigned char>(value & 0xffU)));
}

void putLiteral(std::string_view bytes, std::string& to)
{
    if (bytes.empty())
        return;
    const std::size_t n = bytes.size() - 1;
    if (n < 60) {
        putByte(to, n << 2U);
    } else if (n < 256) {
        putByte(to, 60U << 2U);
        putByte(to, n);
    } else {
        putByte(to, 61U << 2U);
        putByte(to, n);
        putByte(to, n >> 8U);
    }
    to.append(bytes);
}

void putCopy(std::size_t offset, std::size_t length, std::string& to)
{
    const auto middle = [&](std::size_t n) {
        putByte(to, ((n - 1) << 2U) | kMiddle);
        putByte(to, offset);
        putByte(to, offset >> 8U);
    };
    // What stays must be at least as long as the shortest copy.
    while (length >= kLongestCopy + kShortestMatch) {
        middle(kLongestCopy);
        length -= kLongestCopy;
    }
    if (length > kLongestCopy) {
        middle(kLongestCopy - kShortestMatch);
        length -= kLongestCopy - kShortestMatch;
    }
    if (length > kLongestNear || offset >= kNearOffset)
        return middle(length);
    putByte(to, ((offset >> 8U) << 5U) | ((length - kShortestMatch) << 2U) | kNear);
    putByte(to, offset);
}

} // namespace

std::optional<std::size_t> s2BlockLength(std::string_view block)
{
    return BlockCursor(block).blockLength();
}

bool decodeS2Block(std::string_view block, std::string& to)
{
    BlockCursor in(block);
    const auto length = in.blockLength();
    if (!length)
        return false;
    to.resize(*length);
    char* out = to.data();
    std::size_t at = 0;
    std::size_t offset = 0;
    while (!in.atEnd()) {
        const std::size_t tag = in.number(1);
        if ((tag & 3U) == kLiteral) {
            const std::size_t size = literalLength(in, tag);
            const std::string_view bytes = in.text(size);
            if (!in.good() || size > *length - at)
                return false;
            std::memcpy(out + at, bytes.data(), size);
            at += size;
            continue;
        }
        const Copy copy = readCopy(in, tag, offset);
        if (!in.good() || copy.offset == 0 || copy.offset > at || copy.length > *length - at)
            return false;
        offset = copy.offset;
        copyWithin(out, at, copy);
        at += copy.length;
    }
    return at == *length;
}

/// Looks for the last place where the same four bytes stood, and steps faster the longer it finds
/// none.
void encodeS2Block(std::string_view bytes, std::string& to)
{
    for (std::size_t n = bytes.size();; n >>= 7U) {
        putByte(to, n < 0x80U ? n : (n & 0x7fU) | 0x80U);
        if (n < 0x80U)
            break;
    }
    constexpr std::size_t kNothingToFind = 16;
    if (bytes.size() < kNothingToFind)
        return putLiteral(bytes, to);
    std::array<std::uint16_t, 1U << kHashBits> table{};
    const auto slot = [&table](std::uint32_t four) -> std::uint16_t& {
        return table[(four * 0x1e35a7bdU) >> (32U - kHashBits)];
    };
    const char* in = bytes.data();
    const std::size_t last = bytes.size() - kShortestMatch;
    std::size_t emitted = 0;
    std::size_t misses = 0;
    for (std::size_t at = 1; at <= last;) {
        const std::uint32_t four = load32(in + at);
        const std::size_t candidate = std::exchange(slot(four), static_cast<std::uint16_t>(at));
        if (candidate >= at || load32(in + candidate) != four) {
            at += 1 + (misses++ >> 5U);
            continue;
        }
        std::size_t length = kShortestMatch;
        while (at + length < bytes.size() && in[candidate + length] == in[at + length])
            ++length;
        putLiteral(bytes.substr(emitted, at - emitted), to);
        putCopy(at - candidate, length, to);
        at += length;
        emitted = at;
        misses = 0;
        if (at <= last)
            slot(load32(in + at - 1)) = static_cast<std::uint16_t>(at - 1);
    }
    putLiteral(bytes.substr(emitted), to);
}

} // namespace jetglass::archive
