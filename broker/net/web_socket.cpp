// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web_socket.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <zlib.h>

namespace jetglass::net {

namespace {

constexpr std::uint8_t kContinuation = 0;
constexpr std::uint8_t kText = 1;
constexpr std::uint8_t kBinary = 2;
constexpr std::uint8_t kClose = 8;
constexpr std::uint8_t kPing = 9;
constexpr std::uint8_t kPong = 10;

constexpr std::uint8_t kFinalBit = 0x80;
constexpr std::uint8_t kPackedBit = 0x40; ///< RSV1
constexpr std::uint8_t kOtherReserved = 0x30;
constexpr std::uint8_t kMaskBit = 0x80;
constexpr std::size_t kMaxControl = 125;
constexpr std::size_t kPackFrom = 64; ///< shorter messages grow when packed
constexpr std::string_view kFlushTail("\x00\x00\xff\xff", 4);

void appendHead(std::string& wire, std::uint8_t first, std::size_t size)
{
    wire += static_cast<char>(first);
    const auto appendNumber = [&](int bytes) {
        for (int i = bytes - 1; i >= 0; --i)
            wire += static_cast<char>((static_cast<std::uint64_t>(size) >> (8 * i)) & 0xFFU);
    };
    if (size <= kMaxControl) {
        wire += static_cast<char>(size);
    } else if (size <= 0xFFFF) {
        wire += static_cast<char>(126);
        appendNumber(2);
    } else {
        wire += static_cast<char>(127);
        appendNumber(8);
    }
}

void appendFrame(std::string& wire, std::uint8_t opcode, std::string_view payload)
{
    appendHead(wire, static_cast<std::uint8_t>(kFinalBit | opcode), payload.size());
    wire.append(payload);
}

} // namespace

/// Both directions of permessage-deflate; each message stands for itself.
struct WebSocketLayer::Deflate
{
    Deflate()
    {
        if (deflateInit2(&out, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK
            || inflateInit2(&in, -MAX_WBITS) != Z_OK)
            throw std::bad_alloc();
    }
    ~Deflate()
    {
        deflateEnd(&out);
        inflateEnd(&in);
    }
    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;

    void pack(std::string_view plain, std::string& packed)
    {
        deflateReset(&out);
        packed.resize(deflateBound(&out, static_cast<uLong>(plain.size())) + 16);
        out.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
        out.avail_in = static_cast<uInt>(plain.size());
        out.next_out = reinterpret_cast<Bytef*>(packed.data());
        out.avail_out = static_cast<uInt>(packed.size());
        ::deflate(&out, Z_SYNC_FLUSH);
        packed.resize(packed.size() - out.avail_out);
        if (std::string_view(packed).ends_with(kFlushTail))
            packed.resize(packed.size() - kFlushTail.size());
    }

    /// False: not a deflate stream, or more than \a most bytes (then \a tooMuch).
    bool unpack(std::string packed, std::size_t most, std::string& plain, bool& tooMuch)
    {
        packed.append(kFlushTail);
        inflateReset(&in);
        in.next_in = reinterpret_cast<Bytef*>(packed.data());
        in.avail_in = static_cast<uInt>(packed.size());
        std::array<char, 16384> part{};
        for (;;) {
            in.next_out = reinterpret_cast<Bytef*>(part.data());
            in.avail_out = static_cast<uInt>(part.size());
            const int done = ::inflate(&in, Z_SYNC_FLUSH);
            plain.append(part.data(), part.size() - in.avail_out);
            tooMuch = plain.size() > most;
            if (tooMuch)
                return false;
            if (done == Z_STREAM_END || (done == Z_BUF_ERROR && in.avail_in == 0))
                return true;
            if (done != Z_OK)
                return false;
            if (in.avail_in == 0 && in.avail_out != 0)
                return true;
        }
    }

    z_stream out{};
    z_stream in{};
};

WebSocketLayer::WebSocketLayer(const Rules& rules)
    : m_rules(rules)
    , m_deflate(rules.compressed ? std::make_unique<Deflate>() : nullptr)
{
}

WebSocketLayer::~WebSocketLayer() = default;

WebSocketLayer::Outcome WebSocketLayer::fail(WebSocketCode code, std::string text)
{
    m_code = code;
    m_error = std::move(text);
    return Outcome::Failed;
}

// --- reading

WebSocketLayer::Outcome WebSocketLayer::receive(
    char* bytes, std::size_t size, const Sink& sink, std::string& wire)
{
    while (size > 0) {
        if (!m_inPayload) {
            const bool complete = readHead(*bytes);
            ++bytes;
            --size;
            if (!complete)
                continue;
            const Outcome outcome = takeHeader();
            if (outcome != Outcome::Open)
                return outcome;
            if (m_left > 0)
                continue;
        }
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, size));
        const Outcome outcome = takePayload(bytes, part, sink, wire);
        if (outcome != Outcome::Open)
            return outcome;
        bytes += part;
        size -= part;
    }
    return Outcome::Open;
}

/// Gathers the bytes before the payload; true when they are all there.
bool WebSocketLayer::readHead(char c)
{
    m_head += c;
    if (m_head.size() == 2) {
        const auto second = static_cast<std::uint8_t>(m_head[1]);
        const std::size_t length = second & 0x7FU;
        m_headSize = 2
            + (length == 126        ? 2U
                    : length == 127 ? 8U
                                    : 0U)
            + ((second & kMaskBit) != 0 ? 4U : 0U);
    }
    return m_head.size() >= 2 && m_head.size() == m_headSize;
}

WebSocketLayer::Outcome WebSocketLayer::takeHeader()
{
    const auto byte = [this](std::size_t i) { return static_cast<std::uint8_t>(m_head[i]); };
    const std::uint8_t first = byte(0);
    m_final = (first & kFinalBit) != 0;
    m_opcode = first & 0x0FU;
    m_isMasked = (byte(1) & kMaskBit) != 0;
    std::size_t at = 2;
    m_left = byte(1) & 0x7FU;
    if (m_left >= 126) {
        const std::size_t digits = m_left == 126 ? 2 : 8;
        m_left = 0;
        for (std::size_t i = 0; i < digits; ++i)
            m_left = (m_left << 8U) | byte(at++);
    }
    if (m_isMasked)
        std::memcpy(m_mask, m_head.data() + at, sizeof m_mask);
    m_maskAt = 0;
    m_head.clear();
    m_headSize = 2;
    m_inPayload = true;

    const bool control = m_opcode >= kClose;
    const bool packed = (first & kPackedBit) != 0;
    if ((first & kOtherReserved) != 0 || (packed && (!m_deflate || control)))
        return fail(WebSocketCode::ProtocolError, "reserved bits set");
    if (m_rules.masked && !m_isMasked)
        return fail(WebSocketCode::ProtocolError, "mask bit missing");
    if (control) {
        if (!m_final)
            return fail(WebSocketCode::ProtocolError, "control frame does not have final bit set");
        if (m_left > kMaxControl)
            return fail(WebSocketCode::ProtocolError,
                "control frame length bigger than maximum allowed of 125 bytes");
        if (m_opcode > kPong)
            return fail(WebSocketCode::ProtocolError, "unknown opcode");
        m_control.clear();
        return Outcome::Open;
    }
    if (m_opcode > kBinary)
        return fail(WebSocketCode::ProtocolError, "unknown opcode");
    if ((m_opcode == kContinuation) != m_inMessage)
        return fail(WebSocketCode::ProtocolError,
            m_inMessage ? "new message started before final frame for previous message was received"
                        : "invalid continuation frame");
    if (m_opcode == kContinuation && packed)
        return fail(WebSocketCode::ProtocolError, "invalid continuation frame");
    if (m_opcode != kContinuation) {
        m_packed = packed;
        m_packedBytes.clear();
    }
    m_inMessage = !m_final;
    return Outcome::Open;
}

WebSocketLayer::Outcome WebSocketLayer::takePayload(
    char* bytes, std::size_t size, const Sink& sink, std::string& wire)
{
    if (m_isMasked) {
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<char>(
                static_cast<std::uint8_t>(bytes[i]) ^ m_mask[(m_maskAt + i) & 3U]);
        m_maskAt += size;
    }
    m_left -= size;
    const std::string_view part(bytes, size);
    if (m_opcode >= kClose) {
        m_control.append(part);
    } else if (m_packed) {
        if (m_packedBytes.size() + size > m_rules.maxMessage + 1024)
            return fail(WebSocketCode::TooBig, "message too large");
        m_packedBytes.append(part);
    } else if (size > 0 && !sink(part)) {
        return Outcome::Closed;
    }
    if (m_left > 0)
        return Outcome::Open;
    m_inPayload = false;
    return endFrame(sink, wire);
}

WebSocketLayer::Outcome WebSocketLayer::endFrame(const Sink& sink, std::string& wire)
{
    if (m_opcode >= kClose)
        return endControl(wire);
    return m_final && m_packed ? unpack(sink) : Outcome::Open;
}

WebSocketLayer::Outcome WebSocketLayer::endControl(std::string& wire)
{
    if (m_opcode == kPing) {
        appendFrame(wire, kPong, m_control);
        return Outcome::Open;
    }
    if (m_opcode == kPong)
        return Outcome::Open;
    // The answer repeats the code alone; without one there is none to repeat.
    if (!std::exchange(m_closeSent, true))
        appendFrame(wire,
            kClose,
            m_control.size() >= 2 ? std::string_view(m_control).substr(0, 2)
                                  : std::string_view("\x03\xe8", 2));
    return Outcome::Closed;
}

WebSocketLayer::Outcome WebSocketLayer::unpack(const Sink& sink)
{
    std::string plain;
    bool tooMuch = false;
    if (!m_deflate->unpack(std::exchange(m_packedBytes, {}), m_rules.maxMessage, plain, tooMuch)) {
        return tooMuch ? fail(WebSocketCode::TooBig, "message too large")
                       : fail(WebSocketCode::NotConsistent, "invalid compressed data");
    }
    return plain.empty() || sink(plain) ? Outcome::Open : Outcome::Closed;
}

// --- writing

void WebSocketLayer::send(std::string_view plain, std::string& wire)
{
    if (m_closeSent)
        return;
    if (!m_deflate || plain.size() < kPackFrom) {
        appendFrame(wire, kBinary, plain);
        return;
    }
    std::string packed;
    m_deflate->pack(plain, packed);
    appendHead(wire, static_cast<std::uint8_t>(kFinalBit | kPackedBit | kBinary), packed.size());
    wire.append(packed);
}

void WebSocketLayer::close(WebSocketCode code, std::string_view text, std::string& wire)
{
    if (std::exchange(m_closeSent, true))
        return;
    std::string payload;
    payload += static_cast<char>(static_cast<std::uint16_t>(code) >> 8U);
    payload += static_cast<char>(static_cast<std::uint16_t>(code) & 0xFFU);
    payload.append(text.substr(0, kMaxControl - payload.size()));
    appendFrame(wire, kClose, payload);
}

} // namespace jetglass::net
