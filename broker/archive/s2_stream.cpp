// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/s2_stream.h"

#include "archive/crc32c.h"
#include "archive/s2_block.h"

#include <algorithm>

namespace jetglass::archive {

namespace {

enum ChunkType : unsigned
{
    kCompressed = 0x00,
    kUncompressed = 0x01,
    kFirstSkippable = 0x80,
    kIdentifier = 0xff
};

constexpr std::string_view kS2Name = "S2sTwO";
constexpr std::string_view kSnappyName = "sNaPpY";
constexpr std::size_t kChunkHead = 4;
constexpr std::size_t kChecksum = 4;
constexpr std::size_t kLargestBlock = 4U << 20U;
constexpr std::size_t kLargestSnappyBlock = 64U << 10U;
/// Of a compressed chunk: what a block of the largest size may grow to.
constexpr std::size_t kLargestChunk = kLargestBlock + kLargestBlock / 6 + 64;

constexpr const char* kCorrupt = "s2: corrupt input";
constexpr const char* kWrongChecksum = "s2: corrupt input, crc mismatch";
constexpr const char* kUnsupported = "s2: unsupported input";

void putChunkNumber(std::string& to, std::uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i, value >>= 8U)
        to.push_back(static_cast<char>(static_cast<unsigned char>(value & 0xffU)));
}

std::uint32_t chunkNumber(std::string_view bytes, std::size_t count)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8U * i);
    return value;
}

} // namespace

void S2Writer::add(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (m_held.empty() && bytes.size() >= kMaxEncoderBlock) {
            putChunk(bytes.substr(0, kMaxEncoderBlock));
            bytes.remove_prefix(kMaxEncoderBlock);
            continue;
        }
        const std::size_t taken = std::min(bytes.size(), kMaxEncoderBlock - m_held.size());
        m_held.append(bytes.substr(0, taken));
        bytes.remove_prefix(taken);
        if (m_held.size() == kMaxEncoderBlock) {
            putChunk(m_held);
            m_held.clear();
        }
    }
}

void S2Writer::finish()
{
    if (m_held.empty())
        return;
    putChunk(m_held);
    m_held.clear();
}

void S2Writer::putChunk(std::string_view bytes)
{
    if (!m_begun) {
        m_begun = true;
        putChunkNumber(m_out, kIdentifier, 1);
        const std::string_view name = m_framing == S2Framing::S2 ? kS2Name : kSnappyName;
        putChunkNumber(m_out, static_cast<std::uint32_t>(name.size()), 3);
        m_out += name;
    }
    m_scratch.clear();
    encodeS2Block(bytes, m_scratch);
    // A few bytes won are not worth the reader's work.
    const bool pays = m_scratch.size() < bytes.size() - bytes.size() / 32;
    const std::string_view body = pays ? std::string_view(m_scratch) : bytes;
    putChunkNumber(m_out, pays ? kCompressed : kUncompressed, 1);
    putChunkNumber(m_out, static_cast<std::uint32_t>(body.size() + kChecksum), 3);
    putChunkNumber(m_out, maskedCrc32c(bytes), 4);
    m_out += body;
}

void S2Reader::feed(std::string_view bytes)
{
    m_data = {};
    if (m_at > 0) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    m_in += bytes;
}

S2Reader::Step S2Reader::fail(const char* error)
{
    m_error = error;
    return Step::Failed;
}

S2Reader::Step S2Reader::next()
{
    m_data = {};
    while (m_error.empty()) {
        if (m_toSkip > 0) {
            const std::size_t skipped = std::min(m_toSkip, m_in.size() - m_at);
            m_at += skipped;
            m_toSkip -= skipped;
            if (m_toSkip > 0)
                return m_finished ? fail(kCorrupt) : Step::NeedInput;
        }
        const std::string_view in = rest();
        if (in.size() < kChunkHead) {
            // A head tells its type before it is whole, as it does to the reference's reader.
            if (!m_finished)
                return Step::NeedInput;
            return in.empty() ? Step::End : fail(kCorrupt);
        }
        const unsigned type = chunkNumber(in, 1);
        const std::size_t size = chunkNumber(in.substr(1), 3);
        if (!m_begun && type != kIdentifier)
            return fail(kCorrupt);
        m_begun = true;
        if (type > kUncompressed && type != kIdentifier) {
            if (type < kFirstSkippable)
                return fail(kUnsupported);
            m_at += kChunkHead;
            m_toSkip = size;
            continue;
        }
        if (type == kIdentifier ? size != kS2Name.size()
                                : size < kChecksum || size > kLargestChunk + kChecksum)
            return fail(kCorrupt);
        if (in.size() < kChunkHead + size)
            return m_finished ? fail(kCorrupt) : Step::NeedInput;
        m_at += kChunkHead + size;
        const Step step = readChunk(type, in.substr(kChunkHead, size));
        if (step != Step::NeedInput)
            return step;
    }
    return Step::Failed;
}

/// NeedInput: the chunk held nothing to give back.
S2Reader::Step S2Reader::readChunk(unsigned type, std::string_view body)
{
    if (type == kIdentifier)
        return readIdentifier(body);
    const std::uint32_t checksum = chunkNumber(body, kChecksum);
    body.remove_prefix(kChecksum);
    const std::size_t most = m_snappy ? kLargestSnappyBlock : kLargestBlock;
    if (type == kCompressed)
        return decompress(checksum, body);
    if (body.size() > most)
        return fail(kCorrupt);
    if (maskedCrc32c(body) != checksum)
        return fail(kWrongChecksum);
    m_data = body;
    return body.empty() ? Step::NeedInput : Step::Data;
}

S2Reader::Step S2Reader::readIdentifier(std::string_view body)
{
    if (body != kS2Name && body != kSnappyName)
        return fail(kCorrupt);
    m_snappy = body == kSnappyName;
    return Step::NeedInput;
}

S2Reader::Step S2Reader::decompress(std::uint32_t checksum, std::string_view body)
{
    const auto length = s2BlockLength(body);
    const std::size_t most = m_snappy ? kLargestSnappyBlock : kLargestBlock;
    if (!length || *length > most || !decodeS2Block(body, m_decoded))
        return fail(kCorrupt);
    if (maskedCrc32c(m_decoded) != checksum)
        return fail(kWrongChecksum);
    m_data = m_decoded;
    return m_decoded.empty() ? Step::NeedInput : Step::Data;
}

} // namespace jetglass::archive
