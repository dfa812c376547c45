// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/block_reader.h"

namespace jetglass::archive {

namespace {

constexpr std::size_t kBlockRecordHead = 22; ///< length, sequence, time, length of the subject
constexpr std::size_t kHashed = 4; ///< where the hashed part of the head begins
constexpr std::size_t kHashedEnd = 20;
constexpr std::size_t kRecordHash = 8;
constexpr std::uint32_t kHasHeaders = 1U << 31U;
constexpr std::uint32_t kLongestRecord = 32U << 20U;
constexpr std::uint64_t kErased = std::uint64_t{1} << 63U;
constexpr std::uint64_t kTombstone = std::uint64_t{1} << 62U;

std::uint64_t recordNumber(std::string_view in, std::size_t at, unsigned bytes)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(in[at + i])) << (8U * i);
    return value;
}

void putRecordNumber(std::string& to, std::uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i, value >>= 8U)
        to.push_back(static_cast<char>(static_cast<unsigned char>(value & 0xffU)));
}

std::uint64_t markOf(BlockRecord::Kind kind)
{
    switch (kind) {
    case BlockRecord::Kind::Erased:
        return kErased;
    case BlockRecord::Kind::Tombstone:
        return kTombstone;
    case BlockRecord::Kind::Message:
        break;
    }
    return 0;
}

} // namespace

NamedHash blockHash(std::string_view stream, std::string_view number)
{
    return NamedHash(std::string(stream) + "-" + std::string(number));
}

BlockReader::BlockReader(std::string_view stream, std::string_view number)
    : m_hash(blockHash(stream, number))
{
}

void BlockReader::feed(std::string_view bytes)
{
    if (m_damaged)
        return;
    if (m_at > 0) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    m_in += bytes;
}

std::optional<BlockRecord> BlockReader::next()
{
    const std::string_view in = std::string_view(m_in).substr(m_at);
    if (m_damaged || in.size() < kBlockRecordHead)
        return {};
    const auto mark = static_cast<std::uint32_t>(recordNumber(in, 0, 4));
    const bool hasHeaders = (mark & kHasHeaders) != 0;
    const std::uint32_t size = mark & ~kHasHeaders;
    const std::size_t subjectSize = recordNumber(in, 20, 2);
    const std::size_t fixed = kBlockRecordHead + subjectSize + (hasHeaders ? 4U : 0U) + kRecordHash;
    if (size < fixed || size > kLongestRecord) {
        m_damaged = true;
        return {};
    }
    if (in.size() < size)
        return {};
    BlockRecord record;
    record.subject = in.substr(kBlockRecordHead, subjectSize);
    std::string_view rest = in.substr(fixed - kRecordHash, size - fixed);
    m_scratch.assign(in.substr(kHashed, kHashedEnd - kHashed));
    m_scratch += record.subject;
    m_scratch += rest;
    const std::size_t headerSize =
        hasHeaders ? recordNumber(in, kBlockRecordHead + subjectSize, 4) : 0;
    if (m_hash.of(m_scratch) != recordNumber(in, size - kRecordHash, kRecordHash)
        || headerSize > rest.size()) {
        m_damaged = true;
        return {};
    }
    record.headers = rest.substr(0, headerSize);
    record.payload = rest.substr(headerSize);
    const std::uint64_t seq = recordNumber(in, 4, 8);
    record.time = static_cast<std::int64_t>(recordNumber(in, 12, 8));
    record.seq = seq & ~(kErased | kTombstone);
    if ((seq & kTombstone) != 0)
        record.kind = BlockRecord::Kind::Tombstone;
    else if (seq == 0 || (seq & kErased) != 0)
        record.kind = BlockRecord::Kind::Erased;
    m_at += size;
    return record;
}

void putBlockRecord(std::string& to, const NamedHash& hash, const BlockRecord& record)
{
    const bool hasHeaders = !record.headers.empty();
    const std::size_t size = kBlockRecordHead + record.subject.size() + (hasHeaders ? 4U : 0U)
        + record.headers.size() + record.payload.size() + kRecordHash;
    const std::size_t begin = to.size();
    putRecordNumber(to, size | (hasHeaders ? kHasHeaders : 0U), 4);
    putRecordNumber(to, record.seq | markOf(record.kind), 8);
    putRecordNumber(to, static_cast<std::uint64_t>(record.time), 8);
    putRecordNumber(to, record.subject.size(), 2);
    std::string hashed = to.substr(begin + kHashed, kHashedEnd - kHashed);
    to += record.subject;
    hashed += record.subject;
    if (hasHeaders)
        putRecordNumber(to, record.headers.size(), 4);
    to += record.headers;
    to += record.payload;
    hashed += record.headers;
    hashed += record.payload;
    putRecordNumber(to, hash.of(hashed), kRecordHash);
}

} // namespace jetglass::archive
