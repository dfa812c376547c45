// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/link.h"

namespace jetglass::server {

const char* reasonText(CloseReason reason)
{
    switch (reason) {
    case CloseReason::ClientClosed:
        return "Client Closed";
    case CloseReason::AuthenticationTimeout:
        return "Authentication Timeout";
    case CloseReason::AuthenticationFailure:
        return "Authentication Failure";
    case CloseReason::SlowConsumerPendingBytes:
        return "Slow Consumer (Pending Bytes)";
    case CloseReason::SlowConsumerWriteDeadline:
        return "Slow Consumer (Write Deadline)";
    case CloseReason::WriteError:
        return "Write Error";
    case CloseReason::ReadError:
        return "Read Error";
    case CloseReason::ParseError:
        return "Parse Error";
    case CloseReason::StaleConnection:
        return "Stale Connection";
    case CloseReason::ProtocolViolation:
        return "Protocol Violation";
    case CloseReason::BadClientProtocolVersion:
        return "Bad Client Protocol Version";
    case CloseReason::MaxConnectionsExceeded:
        return "Maximum Connections Exceeded";
    case CloseReason::MaxPayloadExceeded:
        return "Maximum Message Payload Exceeded";
    case CloseReason::MaxControlLineExceeded:
        return "Maximum Control Line Exceeded";
    case CloseReason::MaxSubscriptionsExceeded:
        return "Maximum Subscriptions Exceeded";
    case CloseReason::AuthenticationExpired:
        return "Authentication Expired";
    case CloseReason::HeaderViolation:
        return "Message Header Violation";
    case CloseReason::NoRespondersRequiresHeaders:
        return "No Responders Requires Headers";
    case CloseReason::MissingAccount:
        return "Missing Account";
    case CloseReason::ServerShutdown:
        return "Server Shutdown";
    case CloseReason::Kicked:
        return "Kicked";
    case CloseReason::TlsHandshakeFailure:
        return "TLS Handshake Failure";
    case CloseReason::MaxAccountConnectionsExceeded:
        return "Maximum Account Connections Exceeded";
    }
    return "";
}

} // namespace jetglass::server
