// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/endpoint.h"
#include "net/tls_layer.h"
#include "net/web_socket.h"
#include "server/link.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::net {

/// TLS and WebSocket of one connection, in this order from the socket inwards, and the steps until
/// both stand. Knows no socket: bytes go in and out as strings.
///
///     socket ── raw ──> [TLS] ──> [HTTP upgrade, then frames] ── plain ──> client
class SessionLayers
{
public:
    enum class Event : std::uint8_t
    {
        None,
        Began, ///< the peer has begun its handshake; nothing is answered yet
        Secured, ///< TLS stands; the client may go on
        Upgraded, ///< a client may be made
        Plain, ///< this one does not encrypt, and may
        Closed, ///< the peer has ended it
        Failed ///< error() says why
    };
    using Sink = WebSocketLayer::Sink; ///< gets the client's bytes

    SessionLayers(std::shared_ptr<const Endpoint> endpoint, std::size_t maxPayload);

    /// INFO goes out before the layers are built.
    [[nodiscard]] bool infoFirst() const;
    /// The handshake comes at once, before anything is said.
    [[nodiscard]] bool tlsAtOnce() const;
    /// While preparing: so long (ns) the peer has for it.
    [[nodiscard]] std::int64_t patience() const;
    /// Patience has ended. True: the peer did not begin a handshake that it need not begin yet, so
    /// INFO is sent and it may follow.
    bool giveUpFirst();

    /// Takes what came; bytes are changed where they lie. \a event is called between two of the
    /// sink's calls, in the order of what happens; it returns false to end the work.
    void receive(
        char* bytes, std::size_t size, const Sink& sink, const std::function<bool(Event)>& event);
    /// Whether the client's bytes can go out yet.
    [[nodiscard]] bool canSend() const;
    /// Wraps them into wire().
    bool send(std::string_view plain);
    /// Appends the good-byes of both layers to wire().
    void end(server::CloseReason reason);

    [[nodiscard]] std::string& wire() { return m_wire; } ///< what is to go to the socket
    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] const server::LinkFacts& facts() const { return m_facts; }
    [[nodiscard]] const std::string& forwardedFor() const { return m_forwardedFor; }

private:
    enum class Tls : std::uint8_t
    {
        None,
        Undecided, ///< the first byte tells
        Expected, ///< INFO was sent, the handshake follows
        Handshaking,
        Open
    };

    Event decide(char first);
    void beginTls();
    Event receiveTls(std::string_view raw, std::string& plain);
    Event receiveUpgrade(std::string_view bytes, std::string& rest);
    Event receiveFrames(char* bytes, std::size_t size, const Sink& sink);
    void secured();
    Event fail(std::string error);

    std::shared_ptr<const Endpoint> m_endpoint;
    std::size_t m_maxPayload;
    Tls m_tlsState = Tls::None;
    std::unique_ptr<TlsLayer> m_tls;
    bool m_upgrading = false;
    std::string m_request;
    std::unique_ptr<WebSocketLayer> m_webSocket;
    std::string m_wire;
    std::string m_error;
    std::string m_forwardedFor;
    server::LinkFacts m_facts;
};

} // namespace jetglass::net
