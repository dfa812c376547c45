// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

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
    Kicked
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

/// What the engine sees of a peer: addresses and a way out, no socket. Implemented by net::Session
/// and by tests. Broker thread only. After close() the link must not call the client any more.
class Link
{
public:
    virtual ~Link() = default;
    [[nodiscard]] virtual std::string peerHost() const = 0;
    [[nodiscard]] virtual std::uint16_t peerPort() const = 0;
    [[nodiscard]] virtual const char* kind() const { return "nats"; } ///< connz type
    /// Takes what it can from the outbox (Outbox::gather, Outbox::consume) and sends the rest as
    /// the peer allows it.
    virtual void flush(Outbox& outbox) = 0;
    /// Until resumeReading() nothing is to be read and handed to the client.
    virtual void pauseReading() = 0;
    virtual void resumeReading() = 0;
    virtual void close(CloseMode mode, Outbox& outbox) = 0;
};

} // namespace jetglass::server
