// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accounts/authenticator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass::server {

class Outbox;

/// Why a connection ended; the texts of connz and the log come from reasonText().
enum class CloseReason : std::uint8_t
{
    ClientClosed,
    AuthenticationTimeout,
    AuthenticationFailure,
    SlowConsumerPendingBytes,
    SlowConsumerWriteDeadline,
    WriteError,
    ReadError,
    ParseError,
    StaleConnection,
    ProtocolViolation,
    BadClientProtocolVersion,
    MaxConnectionsExceeded,
    MaxPayloadExceeded,
    MaxControlLineExceeded,
    MaxSubscriptionsExceeded,
    AuthenticationExpired,
    HeaderViolation,
    NoRespondersRequiresHeaders,
    MissingAccount,
    ServerShutdown,
    Kicked,
    TlsHandshakeFailure,
    MaxAccountConnectionsExceeded
};
const char* reasonText(CloseReason reason);

/// How a connection is to be ended.
enum class CloseMode : std::uint8_t
{
    Drop, ///< at once, what is queued is lost
    Flush, ///< send what can be sent now, then close
    Linger ///< as Flush, but half-close and read away what the peer still sends, so that the last
           ///< line is not lost to a reset
};

/// What the way of a connection adds to it: encryption, another listener, an upgrade from HTTP.
struct LinkFacts
{
    const char* kind = "nats"; ///< connz type
    std::string host; ///< the listener's, for INFO; empty = the server's
    std::uint16_t port = 0;
    bool tlsRequired = false; ///< INFO's members: the client is to encrypt after INFO
    bool tlsAvailable = false;
    bool tlsVerify = false;
    bool awaitsTls = false; ///< the handshake is still to come
    std::int64_t tlsTimeout = 0; ///< ns it may take
    bool tlsFirst = false;
    std::string tlsVersion;
    std::string tlsCipher;
    bool mapsCertificate = false; ///< the certificate says who it is, nothing else
    std::vector<std::string> certificateNames; ///< in the order of the look-up
    std::string user; ///< credentials that came before CONNECT, in cookies
    std::string password;
    std::string token;
    const char* connectionType = "STANDARD"; ///< as users' allowed connection types name it
    accounts::ListenerAuth auth; ///< this listener's own
    std::int64_t authTimeout = 0; ///< ns; 0 = the server's
    std::int64_t pingInterval = 0; ///< ns; 0 = the server's
};

/// What the engine sees of a peer: addresses and a way out, no socket. Implemented by net::Session
/// and by tests. Broker thread only. After close() the link must not call the client any more.
class Link
{
public:
    virtual ~Link() = default;
    [[nodiscard]] virtual std::string peerHost() const = 0;
    [[nodiscard]] virtual std::uint16_t peerPort() const = 0;
    [[nodiscard]] virtual const LinkFacts& facts() const
    {
        static const LinkFacts plain;
        return plain;
    }
    /// Told before close(): some peers are told why.
    virtual void noteReason(CloseReason /*reason*/) { }
    /// Takes what it can from the outbox (Outbox::gather, Outbox::consume) and sends the rest as
    /// the peer allows it.
    virtual void flush(Outbox& outbox) = 0;
    /// Until resumeReading() nothing is to be read and handed to the client.
    virtual void pauseReading() = 0;
    virtual void resumeReading() = 0;
    virtual void close(CloseMode mode, Outbox& outbox) = 0;
};

} // namespace jetglass::server
