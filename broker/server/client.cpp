// SPDX-License-Identifier: GPL-3.0-or-later
// A connection's life and its input. What it publishes and subscribes is in client_operations.cpp,
// what it gets in client_output.cpp, what it waits for in client_timers.cpp.
#include "server/client.h"

#include "base/base64.h"
#include "base/log.h"
#include "server/account.h"
#include "server/engine.h"
#include "server/random.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

namespace jetglass::server {

namespace {

/// So many subscriptions end with their client's close itself.
constexpr std::size_t kEndedAtOnce = 256;

std::string makeNonce()
{
    std::random_device device;
    std::string bytes(11, '\0');
    for (char& c : bytes)
        c = static_cast<char>(device() & 0xFFU);
    std::string text = base::base64(bytes);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text.substr(0, 15); // without padding
}

} // namespace

Client::Client(Engine& engine, ClientId id, std::shared_ptr<Link> link)
    : m_engine(engine)
    , m_id(id)
    , m_link(std::move(link))
    , m_outbox(engine.chunkPool())
    , m_host(m_link->peerHost())
    , m_port(m_link->peerPort())
    , m_pingTimer(engine.context().realTimers, [this] { onPingTimer(); })
    , m_authTimer(engine.context().realTimers, [this] { onAuthTimer(); })
    , m_stallTimer(engine.context().realTimers, [this] { onStallTimer(); })
    , m_start(engine.realWall())
    , m_lastActivity(m_start)
{
    m_parser.setHeaders(false);
    makeLabel();
    applyLimits();
}

Client::~Client()
{
    endAll();
}

std::int64_t Client::realNow() const
{
    return m_engine.context().realTimers.clock().now();
}

void Client::start()
{
    const auto& authenticator = *m_engine.authenticator();
    if (authenticator.needsNonce())
        m_nonce = makeNonce();
    sendInfo(m_engine.infoJson(this));
    if (!authenticator.required(linkFacts().auth)) {
        identify({});
        m_auth = Auth::Done;
        m_parser.setAnnouncePublish(m_options.pedantic);
    }
    if (linkFacts().awaitsTls)
        m_authTimer.arm(realNow() + linkFacts().tlsTimeout);
    else
        startTimers();
    emitFlow(FlowKind::ClientConnected);
    log(base::LogLevel::Debug, "Client connection created");
}

// --- input

void Client::receive(std::string_view bytes)
{
    if (m_closed || bytes.empty())
        return;
    if (!m_firstByteSeen) {
        m_firstByteSeen = true;
        if (!admitFirstByte(bytes.front()))
            return;
    }
    if (m_auth == Auth::Checking) {
        m_held.append(bytes);
        return;
    }
    m_parser.feed(bytes);
    process();
    noteMoved();
}

bool Client::admitFirstByte(char first)
{
    if (m_auth == Auth::Done || first == 'C' || first == 'c')
        return true;
    const accounts::ListenerAuth& own = linkFacts().auth;
    const std::string& unnamed =
        own.overrides() ? own.noAuthUser : m_engine.authenticator()->config().noAuthUser;
    if (!unnamed.empty())
        return admitUnnamed();
    fail("Authorization Violation", CloseReason::AuthenticationFailure);
    return false;
}

bool Client::admitUnnamed()
{
    // Without CONNECT there is nothing to confirm, and its defaults hold.
    accounts::Credentials nothing;
    nothing.listener = linkFacts().auth;
    nothing.connectionType = linkFacts().connectionType;
    const auto identity = m_engine.authenticator()->authenticate(nothing, m_nonce);
    if (!identity) {
        fail("Authorization Violation", CloseReason::AuthenticationFailure);
        return false;
    }
    m_auth = Auth::Done;
    m_authTimer.disarm();
    identify(*identity);
    m_parser.setAnnouncePublish(m_options.pedantic);
    return true;
}

void Client::process()
{
    protocol::Operation operation;
    while (!m_closed) {
        if (m_auth == Auth::Checking) {
            m_held.append(m_parser.rest());
            return;
        }
        switch (m_parser.next(operation)) {
        case protocol::Parser::Outcome::Operation:
            handle(operation);
            break;
        case protocol::Parser::Outcome::NeedMore:
            return;
        case protocol::Parser::Outcome::Bad:
            handleBad(m_parser.error(), operation);
            return;
        }
    }
}

void Client::handle(const protocol::Operation& operation)
{
    using protocol::Verb;
    if (m_trace)
        traceIn(operation);
    if (m_auth != Auth::Done && operation.verb != Verb::Connect) {
        fail("Authorization Violation", CloseReason::AuthenticationFailure);
        return;
    }
    switch (operation.verb) {
    case Verb::Publish:
        m_active = m_moved = true;
        handlePublish(operation);
        break;
    case Verb::PublishLine:
        if (!subjects::isValidLiteral(operation.subject))
            sendError("Invalid Publish Subject");
        break;
    case Verb::Subscribe:
        m_active = m_moved = true;
        handleSubscribe(operation);
        break;
    case Verb::Unsubscribe:
        m_active = m_moved = true;
        handleUnsubscribe(operation);
        break;
    case Verb::Ping:
        m_active = true;
        handlePing();
        break;
    case Verb::Pong:
        handlePong();
        break;
    case Verb::Connect:
        handleConnect(operation.json);
        break;
    case Verb::Ignored:
        break;
    case Verb::PeerError:
        close(CloseReason::ClientClosed, CloseMode::Flush);
        break;
    }
}

void Client::handleBad(protocol::ParseError error, const protocol::Operation& operation)
{
    using protocol::ParseError;
    switch (error) {
    case ParseError::ControlLineTooLong:
        fail("maximum control line exceeded", CloseReason::MaxControlLineExceeded);
        break;
    case ParseError::PayloadTooLarge:
        if (!operation.headers.empty())
            followTooLarge(operation);
        fail("Maximum Payload Violation", CloseReason::MaxPayloadExceeded);
        break;
    case ParseError::UnknownOperation:
        fail("Unknown Protocol Operation", CloseReason::ProtocolViolation);
        break;
    case ParseError::HeadersNotNegotiated:
        close(CloseReason::HeaderViolation, CloseMode::Linger);
        break;
    case ParseError::Arguments:
    case ParseError::None:
        close(CloseReason::ParseError, CloseMode::Linger);
        break;
    }
}

// --- who it is

void Client::handleConnect(std::string_view json)
{
    protocol::ConnectOptions options = m_options;
    if (!protocol::parseConnect(json, options)) {
        close(CloseReason::ProtocolViolation, CloseMode::Linger);
        return;
    }
    m_options = std::move(options);
    if (m_rtt == 0) // until it is measured, as long as it took to hear from the client
        m_rtt = std::max<std::int64_t>(1, m_engine.realWall() - m_start);
    if (!m_options.account.empty() || m_options.newAccount) {
        fail("Authorization Violation", CloseReason::AuthenticationFailure);
        return;
    }
    authenticate();
}

accounts::Credentials Client::credentials() const
{
    accounts::Credentials said;
    said.user = m_options.user;
    said.password = m_options.password;
    said.token = m_options.token;
    said.nkey = m_options.nkey;
    said.signature = m_options.signature;
    said.jwt = m_options.jwt;
    const LinkFacts& facts = linkFacts();
    if (said.user.empty() && said.password.empty()) {
        said.user = facts.user;
        said.password = facts.password;
    }
    if (said.token.empty())
        said.token = facts.token;
    said.listener = facts.auth;
    said.connectionType = facts.connectionType;
    said.mapsCertificate = facts.mapsCertificate;
    said.certificateNames = facts.certificateNames;
    return said;
}

void Client::authenticate()
{
    const auto authenticator = m_engine.authenticator();
    if (!authenticator->required(linkFacts().auth)) {
        authenticated(accounts::Identity{});
        return;
    }
    const accounts::Credentials offered = credentials();
    if (!m_engine.canOffload() || !authenticator->slow(offered)) {
        authenticated(authenticator->authenticate(offered, m_nonce));
        return;
    }
    // A password hash takes tens of ms: others must not wait for it. The connection may end
    // meanwhile.
    m_auth = Auth::Checking;
    m_link->pauseReading();
    auto answer = std::make_shared<std::optional<accounts::Identity>>();
    Engine& engine = m_engine;
    engine.offload(
        [authenticator, offered, nonce = m_nonce, answer] {
            *answer = authenticator->authenticate(offered, nonce);
        },
        [&engine, id = m_id, answer] {
            Client* self = engine.client(id);
            if (self == nullptr || self->m_closed)
                return;
            self->authenticated(*answer);
            if (self->m_closed)
                return;
            if (!self->m_stalled)
                self->m_link->resumeReading();
            const std::string held = std::exchange(self->m_held, {});
            self->m_parser.feed(held);
            self->process();
        });
}

void Client::authenticated(const std::optional<accounts::Identity>& identity)
{
    if (!identity) {
        const std::string who = !m_options.nkey.empty() ? fmt::format("Nkey \"{}\"", m_options.nkey)
            : !m_options.user.empty()                   ? fmt::format("User \"{}\"", m_options.user)
            : !m_options.token.empty()                  ? std::string("Token \"[REDACTED]\"")
                                                        : std::string("no credentials");
        log(base::LogLevel::Error, fmt::format("authentication error - {}", who));
        if (EngineObserver* observer = m_engine.observer())
            observer->clientRefused(*this);
        fail("Authorization Violation", CloseReason::AuthenticationFailure);
        return;
    }
    m_auth = Auth::Done;
    m_authTimer.disarm();
    if (m_connectSeen)
        detachAll();
    Account& wanted = m_engine.account(identity->account);
    if (&wanted != m_account && wanted.isFull()) {
        fail("maximum account active connections exceeded",
            CloseReason::MaxAccountConnectionsExceeded);
        return;
    }
    identify(*identity);
    completeLabel();
    finishConnect();
    announce();
}

void Client::identify(const accounts::Identity& identity)
{
    m_identity = identity;
    m_permissions = accounts::PermissionSet(identity.permissions);
    m_replyPermits.set(m_permissions.responses());
    Account& account = m_engine.account(identity.account);
    if (m_account != &account) {
        if (m_account != nullptr) {
            detachAll();
            m_account->left(m_in, m_out);
        }
        account.joined();
        m_account = &account;
    }
    applyAccountLimits();
    m_sender = {m_id,
        m_account->name(),
        m_identity.user,
        m_options.name,
        m_options.lang,
        m_options.version,
        m_host,
        m_start,
        m_rtt};
}

void Client::announce()
{
    EngineObserver* observer = m_engine.observer();
    if (m_closed || m_announced || observer == nullptr)
        return;
    m_announced = true;
    observer->clientConnected(*this);
}

void Client::finishConnect()
{
    m_connectSeen = true;
    if (m_options.protocol < 0 || m_options.protocol > 1) {
        fail("invalid client protocol", CloseReason::BadClientProtocolVersion);
        return;
    }
    m_options.headers = m_options.headers && !m_engine.config().noHeaderSupport;
    if (m_options.noResponders && !m_options.headers) {
        fail("no responders requires headers support", CloseReason::NoRespondersRequiresHeaders);
        return;
    }
    m_parser.setHeaders(m_options.headers);
    m_parser.setAnnouncePublish(m_options.pedantic);
    ok();
}

void Client::reauthenticate()
{
    const auto authenticator = m_engine.authenticator();
    if (m_closed || m_auth == Auth::Checking)
        return;
    accounts::Identity identity;
    if (authenticator->required(linkFacts().auth)) {
        const auto found = authenticator->authenticate(credentials(), m_nonce);
        if (!found) {
            if (m_auth == Auth::Done)
                fail("Authorization Violation", CloseReason::AuthenticationFailure);
            return;
        }
        identity = *found;
    }
    if (m_auth != Auth::Done)
        return;
    identify(identity);
    recheckSubscriptions();
}

// --- the end

void Client::peerGone(CloseReason reason)
{
    close(reason, CloseMode::Drop);
}

void Client::writeDeadlinePassed()
{
    m_engine.noteSlowConsumer();
    emitFlow(FlowKind::ClientSlow);
    log(base::LogLevel::Info,
        fmt::format("Slow Consumer Detected: WriteDeadline of {}s exceeded with {} chunks of {} "
                    "total bytes.",
            static_cast<double>(m_engine.config().writeDeadline) / 1e9,
            (m_outbox.size() + Chunk::kSize - 1) / Chunk::kSize,
            m_outbox.size()));
    close(CloseReason::SlowConsumerWriteDeadline, CloseMode::Drop);
}

void Client::linkFailed(std::string_view text, CloseReason reason)
{
    log(base::LogLevel::Error, text);
    close(reason, CloseMode::Linger);
}

void Client::fail(std::string_view text, CloseReason reason)
{
    if (m_closed)
        return;
    sendError(text);
    close(reason, CloseMode::Linger);
}

void Client::close(CloseReason reason, CloseMode mode)
{
    if (m_closed)
        return;
    m_closed = true;
    m_reason = reason;
    m_pingTimer.disarm();
    m_authTimer.disarm();
    m_stallTimer.disarm();
    if (std::exchange(m_soundedPing, 0) != 0)
        m_engine.sounded();
    m_link->noteReason(reason);
    m_link->close(mode, m_outbox);
    m_engine.closed(*this); // records it while its subscriptions still stand
    if (endSome(kEndedAtOnce)) // the engine goes on; whoever watches for interest asks again now
        m_account->touchedWhere([](std::string_view) { return true; });
    m_outbox.clear();
    if (m_account != nullptr)
        m_account->left(m_in, m_out);
    emitFlow(FlowKind::ClientGone);
    log(base::LogLevel::Debug, fmt::format("Client connection closed: {}", reasonText(reason)));
}

ConnectionRecord Client::record() const
{
    ConnectionRecord r;
    r.id = m_id;
    r.type = linkFacts().kind;
    r.tlsVersion = linkFacts().tlsVersion;
    r.tlsCipher = linkFacts().tlsCipher;
    r.tlsFirst = linkFacts().tlsFirst;
    r.host = m_host;
    r.port = m_port;
    r.account = m_account != nullptr ? m_account->name() : std::string();
    r.user = m_identity.user;
    r.nkey = m_options.nkey;
    r.name = m_options.name;
    r.lang = m_options.lang;
    r.version = m_options.version;
    r.start = m_start;
    r.lastActivity = m_lastActivity;
    r.rtt = m_rtt;
    r.pendingBytes = m_outbox.size();
    r.in = m_in;
    r.out = m_out;
    r.subscriptions = m_subscriptions.size();
    r.reason = m_reason;
    return r;
}

} // namespace jetglass::server
