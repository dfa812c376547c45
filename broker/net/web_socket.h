// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass::net {

/// Status codes of a close frame (RFC 6455, 7.4).
enum class WebSocketCode : std::uint16_t
{
    Normal = 1000,
    GoingAway = 1001,
    ProtocolError = 1002,
    NotConsistent = 1007,
    PolicyViolation = 1008,
    TooBig = 1009,
    InternalError = 1011
};

/// The frames of one WebSocket connection, server side, between two byte streams: what the frames
/// carry is a stream of its own, their borders mean nothing.
class WebSocketLayer
{
public:
    struct Rules
    {
        bool masked = true; ///< the peer must mask what it sends
        bool compressed = false; ///< permessage-deflate without context takeover was agreed
        std::size_t maxMessage = 1048576; ///< most bytes a message may have when unpacked
    };
    enum class Outcome : std::uint8_t
    {
        Open,
        Closed, ///< the peer closed; the answer is in \a wire
        Failed ///< error() and code() say why
    };
    using Sink = std::function<bool(std::string_view)>; ///< false: take no more

    explicit WebSocketLayer(const Rules& rules);
    ~WebSocketLayer();

    /// Takes bytes of the peer, which are unmasked where they lie. What has to be answered (pong,
    /// close) is appended to \a wire.
    Outcome receive(char* bytes, std::size_t size, const Sink& sink, std::string& wire);
    /// One message with this content.
    void send(std::string_view plain, std::string& wire);
    /// A close frame; nothing may follow it.
    void close(WebSocketCode code, std::string_view text, std::string& wire);

    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] WebSocketCode code() const { return m_code; }

private:
    struct Deflate;
    Outcome takeHeader();
    bool readHead(char c);
    Outcome takePayload(char* bytes, std::size_t size, const Sink& sink, std::string& wire);
    Outcome endFrame(const Sink& sink, std::string& wire);
    Outcome endControl(std::string& wire);
    Outcome unpack(const Sink& sink);
    Outcome fail(WebSocketCode code, std::string text);

    Rules m_rules;
    std::unique_ptr<Deflate> m_deflate; ///< null unless compressed
    std::string m_error;
    WebSocketCode m_code = WebSocketCode::Normal;

    // the frame being read
    std::string m_head; ///< its first bytes, while they are incomplete
    std::size_t m_headSize = 2; ///< how many there will be
    bool m_inPayload = false;
    std::uint8_t m_opcode = 0;
    bool m_final = false;
    std::uint64_t m_left = 0; ///< bytes of payload still to come
    std::uint8_t m_mask[4] = {};
    std::size_t m_maskAt = 0;
    bool m_isMasked = false;
    std::string m_control; ///< payload of a control frame

    // the message being read
    bool m_inMessage = false;
    bool m_packed = false;
    std::string m_packedBytes;
    bool m_closeSent = false;
};

} // namespace jetglass::net
