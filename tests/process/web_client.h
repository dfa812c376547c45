// SPDX-License-Identifier: GPL-3.0-or-later
// The peer of a WebSocket listener, as bytes on the wire.
#pragma once

#include "test_client.h"

#include <QtGlobal>

#include <cstdint>
#include <string>
#include <zlib.h>

namespace jetglass::test {

inline const std::string kMask("\x12\x34\x56\x78", 4);

inline std::string frame(
    std::uint8_t opcode, const std::string& payload, bool masked = true, std::uint8_t flags = 0x80)
{
    std::string out(1, static_cast<char>(flags | opcode));
    const auto mask = static_cast<std::uint8_t>(masked ? 0x80 : 0);
    if (payload.size() < 126) {
        out += static_cast<char>(mask | payload.size());
    } else {
        out += static_cast<char>(mask | 126U);
        out += static_cast<char>(payload.size() >> 8U);
        out += static_cast<char>(payload.size() & 0xFFU);
    }
    if (!masked)
        return out + payload;
    out += kMask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        out += static_cast<char>(payload[i] ^ kMask[i % 4]);
    return out;
}

inline std::string packed(const std::string& plain)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(plain.size() + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_SYNC_FLUSH);
    out.resize(out.size() - stream.avail_out - 4); // without the mark of the flush
    deflateEnd(&stream);
    return out;
}

inline std::string unpacked(std::string bytes)
{
    bytes.append("\x00\x00\xff\xff", 4);
    z_stream stream{};
    inflateInit2(&stream, -MAX_WBITS);
    std::string out(1U << 20U, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    inflate(&stream, Z_SYNC_FLUSH);
    out.resize(out.size() - stream.avail_out);
    inflateEnd(&stream);
    return out;
}

/// The peer of the server's frames.
class WebClient
{
public:
    explicit WebClient(quint16 port)
        : m_client(port)
    {
    }

    /// Sends the upgrade; the answer with its headers.
    std::string upgrade(
        const std::string& headers = {}, const std::string& first = "GET / HTTP/1.1")
    {
        m_client.send(first
            + "\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, "
              "Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
              "Sec-WebSocket-Version: 13\r\n"
            + headers + "\r\n");
        return head();
    }
    std::string head()
    {
        std::string all;
        for (std::string line = m_client.line(); !line.empty(); line = m_client.line())
            all += line + '\n';
        return all;
    }
    void sendRaw(const std::string& bytes) { m_client.send(bytes); }
    void say(const std::string& text) { m_client.send(frame(2, text)); }
    struct Frame
    {
        int opcode = -1; ///< -1: the connection ended
        std::string payload;
        bool packed = false;
    };
    Frame read()
    {
        const std::string begin = m_client.bytes(2);
        if (begin.size() < 2)
            return {};
        Frame out;
        out.opcode = static_cast<std::uint8_t>(begin[0]) & 0x0FU;
        out.packed = (static_cast<std::uint8_t>(begin[0]) & 0x40U) != 0;
        std::size_t size = static_cast<std::uint8_t>(begin[1]);
        if (size >= 126) {
            const std::string digits = m_client.bytes(size == 126 ? 2 : 8);
            size = 0;
            for (const char digit : digits)
                size = size << 8U | static_cast<std::uint8_t>(digit);
        }
        out.payload = m_client.bytes(size);
        if (out.packed)
            out.payload = unpacked(out.payload);
        return out;
    }
    /// The next line of the stream inside the frames.
    std::string line()
    {
        std::size_t end = 0;
        while ((end = m_stream.find("\r\n")) == std::string::npos) {
            const Frame next = read();
            if (next.opcode != 2)
                return {};
            m_sawPacked = m_sawPacked || next.packed;
            m_stream += next.payload;
        }
        std::string text = m_stream.substr(0, end);
        m_stream.erase(0, end + 2);
        return text;
    }
    bool connect(const std::string& headers = {})
    {
        return upgrade(headers).find(" 101 ") != std::string::npos && line().starts_with("INFO ");
    }
    /// CONNECT and PING; the answer's first line.
    std::string hello(const std::string& options = {})
    {
        say("CONNECT {\"verbose\":false,\"pedantic\":false" + options + "}\r\nPING\r\n");
        return line();
    }
    [[nodiscard]] bool sawPacked() const { return m_sawPacked; }
    bool closed() { return m_client.closedByPeer(); }

private:
    TestClient m_client;
    std::string m_stream;
    bool m_sawPacked = false;
};

} // namespace jetglass::test
