// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/session_layers.h"

#include "net/web_upgrade.h"

#include <algorithm>
#include <utility>

namespace jetglass::net {

namespace {

constexpr char kHandshakeRecord = 0x16;

/// What a peer is told by the number in the close frame.
WebSocketCode closeCode(server::CloseReason reason)
{
    using server::CloseReason;
    switch (reason) {
    case CloseReason::ClientClosed:
        return WebSocketCode::Normal;
    case CloseReason::AuthenticationTimeout:
    case CloseReason::AuthenticationFailure:
    case CloseReason::AuthenticationExpired:
    case CloseReason::SlowConsumerPendingBytes:
    case CloseReason::SlowConsumerWriteDeadline:
    case CloseReason::MaxAccountConnectionsExceeded:
    case CloseReason::MaxConnectionsExceeded:
    case CloseReason::MaxControlLineExceeded:
    case CloseReason::MaxSubscriptionsExceeded:
    case CloseReason::MissingAccount:
        return WebSocketCode::PolicyViolation;
    case CloseReason::MaxPayloadExceeded:
        return WebSocketCode::TooBig;
    case CloseReason::TlsHandshakeFailure:
    case CloseReason::ParseError:
    case CloseReason::ProtocolViolation:
    case CloseReason::BadClientProtocolVersion:
    case CloseReason::HeaderViolation:
    case CloseReason::NoRespondersRequiresHeaders:
        return WebSocketCode::ProtocolError;
    case CloseReason::ServerShutdown:
    case CloseReason::StaleConnection:
        return WebSocketCode::GoingAway;
    case CloseReason::WriteError:
    case CloseReason::ReadError:
    case CloseReason::Kicked:
        return WebSocketCode::InternalError;
    }
    return WebSocketCode::InternalError;
}

} // namespace

SessionLayers::SessionLayers(std::shared_ptr<const Endpoint> endpoint, std::size_t maxPayload)
    : m_endpoint(std::move(endpoint))
    , m_maxPayload(maxPayload)
{
    const bool web = m_endpoint->webSocket.has_value();
    if (m_endpoint->tls) {
        const TlsConfig& config = m_endpoint->tls->config();
        const bool first = web || config.handshakeFirst.has_value();
        m_tlsState = first ? Tls::Undecided : Tls::Expected;
        m_facts.tlsTimeout = config.timeout;
        m_facts.awaitsTls = !first && !config.allowPlain;
        m_facts.tlsVerify = config.verify;
        // Inside an encrypted WebSocket there is nothing left to encrypt.
        m_facts.tlsRequired = !web && !config.allowPlain;
        m_facts.tlsAvailable = !web && config.allowPlain;
    }
    if (web) {
        m_upgrading = true;
        m_facts.kind = "websocket";
        m_facts.host = m_endpoint->host;
        m_facts.port = m_endpoint->port;
        const WebSocketConfig& config = *m_endpoint->webSocket;
        m_facts.connectionType = "WEBSOCKET";
        m_facts.auth = {config.user, config.password, config.token, config.noAuthUser};
        m_facts.authTimeout = config.authTimeout;
        m_facts.pingInterval = m_endpoint->webSocket->pingInterval;
    }
}

bool SessionLayers::infoFirst() const
{
    return m_tlsState != Tls::Undecided && !m_upgrading;
}

bool SessionLayers::tlsAtOnce() const
{
    return m_tlsState == Tls::Undecided && !m_endpoint->webSocket
        && m_endpoint->tls->config().handshakeFirst == 0;
}

std::int64_t SessionLayers::patience() const
{
    if (m_endpoint->webSocket)
        return m_endpoint->webSocket->handshakeTimeout;
    const TlsConfig& config = m_endpoint->tls->config();
    const std::int64_t first = config.handshakeFirst.value_or(0);
    return m_tlsState == Tls::Undecided && first > 0 ? first : config.timeout;
}

bool SessionLayers::giveUpFirst()
{
    const bool may = m_tlsState == Tls::Undecided && !m_endpoint->webSocket
        && m_endpoint->tls->config().handshakeFirst.value_or(0) > 0;
    if (may) {
        m_tlsState = Tls::Expected;
        m_facts.awaitsTls = !m_endpoint->tls->config().allowPlain;
    }
    return may;
}

SessionLayers::Event SessionLayers::fail(std::string error)
{
    m_error = std::move(error);
    return Event::Failed;
}

// --- input

void SessionLayers::receive(
    char* bytes, std::size_t size, const Sink& sink, const std::function<bool(Event)>& event)
{
    const auto goesOn = [&event](Event what) {
        return what == Event::None
            || (event(what) && what != Event::Failed && what != Event::Closed);
    };
    std::string plain;
    Event ending = Event::None;
    if (m_tlsState == Tls::Undecided || m_tlsState == Tls::Expected) {
        const Event what = decide(*bytes);
        if (!goesOn(what))
            return;
        if (what == Event::Began)
            beginTls();
    }
    if (m_tls) {
        const Event what = receiveTls({bytes, size}, plain);
        if (what == Event::Failed || what == Event::Closed)
            ending = what;
        else if (!goesOn(what))
            return;
        bytes = plain.data();
        size = plain.size();
    }
    std::string rest;
    if (m_upgrading && size > 0) {
        if (!goesOn(receiveUpgrade({bytes, size}, rest)))
            return;
        bytes = rest.data();
        size = rest.size();
    }
    // What was said before the end is heard before it.
    if (size > 0) {
        if (m_webSocket) {
            if (!goesOn(receiveFrames(bytes, size, sink)))
                return;
        } else if (!sink({bytes, size})) {
            return;
        }
    }
    goesOn(ending);
}

/// Does the first byte begin a handshake?
SessionLayers::Event SessionLayers::decide(char first)
{
    if (first == kHandshakeRecord)
        return Event::Began;
    if (m_endpoint->tls->config().allowPlain && !m_endpoint->webSocket) {
        m_tlsState = Tls::None;
        m_facts.awaitsTls = false;
        return Event::Plain;
    }
    return fail("first record does not look like a TLS handshake");
}

void SessionLayers::beginTls()
{
    m_facts.tlsFirst = m_tlsState == Tls::Undecided && !m_endpoint->webSocket;
    m_tls = std::make_unique<TlsLayer>(m_endpoint->tls);
    m_tlsState = Tls::Handshaking;
}

SessionLayers::Event SessionLayers::receiveTls(std::string_view raw, std::string& plain)
{
    const TlsLayer::Outcome outcome = m_tls->receive(raw, plain, m_wire);
    Event event = Event::None;
    if (m_tlsState == Tls::Handshaking && m_tls->established()) {
        secured();
        event = Event::Secured;
    }
    if (outcome == TlsLayer::Outcome::Failed)
        return fail(m_tls->error());
    return outcome == TlsLayer::Outcome::Closed ? Event::Closed : event;
}

void SessionLayers::secured()
{
    m_tlsState = Tls::Open;
    m_facts.awaitsTls = false;
    m_facts.tlsVersion = m_tls->version();
    m_facts.tlsCipher = m_tls->cipher();
    if (m_endpoint->tls->config().verifyAndMap) {
        m_facts.mapsCertificate = true;
        m_facts.certificateNames = m_tls->peerNames();
    }
}

SessionLayers::Event SessionLayers::receiveUpgrade(std::string_view bytes, std::string& rest)
{
    m_request.append(bytes);
    const std::size_t end = upgradeEnd(m_request);
    if (end == std::string::npos)
        return m_request.size() > kMaxUpgrade ? fail("request too large") : Event::None;
    const std::string request = m_request.substr(0, end);
    rest = m_request.substr(end);
    m_request = std::string();
    const WebSocketConfig& config = *m_endpoint->webSocket;
    const UpgradeAnswer answer = answerUpgrade(request, config, m_tls != nullptr);
    if (!send(answer.response))
        return fail("connection closed");
    if (!answer.accepted)
        return fail(answer.error);
    m_upgrading = false;
    m_webSocket = std::make_unique<WebSocketLayer>(
        WebSocketLayer::Rules{answer.masked, answer.compressed, m_maxPayload});
    m_forwardedFor = answer.clientAddress;
    const auto cookie = [&answer](const std::string& name) {
        const auto found = name.empty() ? answer.cookies.end() : answer.cookies.find(name);
        return found == answer.cookies.end() ? std::string() : found->second;
    };
    m_facts.user = cookie(config.userCookie);
    m_facts.password = cookie(config.passwordCookie);
    m_facts.token = cookie(config.tokenCookie);
    return Event::Upgraded;
}

SessionLayers::Event SessionLayers::receiveFrames(char* bytes, std::size_t size, const Sink& sink)
{
    std::string answers;
    const WebSocketLayer::Outcome outcome = m_webSocket->receive(bytes, size, sink, answers);
    if (!answers.empty()) {
        if (m_tls)
            m_tls->send(answers, m_wire);
        else
            m_wire.append(answers);
    }
    if (outcome == WebSocketLayer::Outcome::Failed)
        return fail(m_webSocket->error());
    return outcome == WebSocketLayer::Outcome::Closed ? Event::Closed : Event::None;
}

// --- output

bool SessionLayers::canSend() const
{
    return m_tlsState != Tls::Undecided && m_tlsState != Tls::Handshaking && !m_upgrading;
}

bool SessionLayers::send(std::string_view plain)
{
    if (!m_webSocket) {
        if (m_tls)
            return m_tls->send(plain, m_wire);
        m_wire.append(plain);
        return true;
    }
    if (!m_tls) {
        m_webSocket->send(plain, m_wire);
        return true;
    }
    std::string framed;
    m_webSocket->send(plain, framed);
    return m_tls->send(framed, m_wire);
}

void SessionLayers::end(server::CloseReason reason)
{
    if (m_webSocket) {
        std::string framed;
        const bool broken = !m_webSocket->error().empty();
        m_webSocket->close(broken ? m_webSocket->code() : closeCode(reason),
            broken ? m_webSocket->error() : server::reasonText(reason),
            framed);
        if (m_tls)
            m_tls->send(framed, m_wire);
        else
            m_wire.append(framed);
    }
    if (m_tls)
        m_tls->shutdown(m_wire);
}

} // namespace jetglass::net
