// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/entry_codec.h"

#include "archive/seven_bits.h"

#include <limits>

namespace jetglass::archive {

namespace {

constexpr std::size_t kLongestName = 1U << 20U;
constexpr std::uint64_t kLargestBody = std::numeric_limits<std::int64_t>::max();
constexpr const char* kInvalidEntry = "archive: invalid archive stream";
constexpr const char* kEndOfEntries = "EOF";

void putSevenBits(std::string& to, std::uint64_t value)
{
    for (; value >= 0x80U; value >>= 7U)
        to.push_back(static_cast<char>(static_cast<unsigned char>((value & 0x7fU) | 0x80U)));
    to.push_back(static_cast<char>(value));
}

/// Small numbers of either sign become small numbers.
std::uint64_t folded(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

} // namespace

void putEntryHead(std::string& to,
    std::string_view name,
    std::int64_t time,
    std::uint64_t seq,
    std::uint64_t headerSize,
    std::uint64_t payloadSize)
{
    putSevenBits(to, name.size());
    putSevenBits(to, folded(time));
    putSevenBits(to, seq);
    putSevenBits(to, headerSize);
    putSevenBits(to, payloadSize);
    to += name;
}

void EntryReader::feed(std::string_view bytes)
{
    m_body = {};
    if (m_at > 0) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    m_in += bytes;
}

EntryReader::Step EntryReader::fail(const char* error)
{
    m_error = error;
    return Step::Failed;
}

EntryReader::Step EntryReader::next()
{
    if (!m_error.empty())
        return Step::Failed;
    if (!m_begun) {
        const std::string_view in = std::string_view(m_in).substr(m_at);
        if (in.size() < kEntryMagic.size())
            return m_finished ? fail(kEndOfEntries) : Step::NeedInput;
        if (!in.starts_with(kEntryMagic))
            return fail(kInvalidEntry);
        m_at += kEntryMagic.size();
        m_begun = true;
    }
    return m_inBody ? readBody() : readHead();
}

EntryReader::Step EntryReader::readHead()
{
    const std::string_view in = std::string_view(m_in).substr(m_at);
    SevenBitReader numbers(in);
    const std::uint64_t nameSize = numbers.number();
    m_head.time = numbers.signedNumber();
    m_head.seq = numbers.number();
    m_head.headerSize = numbers.number();
    m_head.payloadSize = numbers.number();
    if (!numbers.good() && !numbers.ranOut())
        return fail(kInvalidEntry);
    if (numbers.ranOut()) {
        if (!m_finished)
            return Step::NeedInput;
        return fail(in.empty() ? kEndOfEntries : kInvalidEntry);
    }
    if (nameSize > kLongestName || m_head.headerSize > kLargestBody
        || m_head.payloadSize > kLargestBody - m_head.headerSize)
        return fail(kInvalidEntry);
    if (in.size() - numbers.at() < nameSize)
        return m_finished ? fail(kInvalidEntry) : Step::NeedInput;
    m_head.name.assign(in.substr(numbers.at(), nameSize));
    m_at += numbers.at() + nameSize;
    m_inBody = true;
    return Step::Head;
}

EntryReader::Step EntryReader::readBody()
{
    const std::string_view in = std::string_view(m_in).substr(m_at);
    const std::uint64_t size = m_head.headerSize + m_head.payloadSize;
    if (in.size() < size)
        return m_finished ? fail(kInvalidEntry) : Step::NeedInput;
    m_body = in.substr(0, size);
    m_at += size;
    m_inBody = false;
    return Step::Body;
}

} // namespace jetglass::archive
