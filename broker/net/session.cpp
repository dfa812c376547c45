// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/session.h"

#include "server/client.h"
#include "server/engine.h"
#include "server/outbox.h"

#include <array>
#include <cerrno>
#include <string_view>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace jetglass::net {

namespace {

constexpr std::size_t kPieces = 64;
constexpr std::size_t kMostWire = 256U << 10U; ///< so much is wrapped before it is sent
constexpr std::size_t kKeptWire = 64U << 10U; ///< a buffer above this is given back when empty
/// So long a peer may take to notice that we have closed, before its socket is closed for good.
constexpr std::int64_t kLinger = 2'000'000'000;
constexpr std::string_view kThrottled = "Connection throttling is active. Please try again later.";

bool wouldBlock(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

Session::Session(EventLoop& loop,
    server::Engine& engine,
    asio::ip::tcp::socket socket,
    std::shared_ptr<const Endpoint> endpoint)
    : m_loop(loop)
    , m_engine(engine)
    , m_socket(std::move(socket))
    , m_endpoint(std::move(endpoint))
    , m_deadline(loop.realTimers(), [this] { onDeadline(); })
{
    asio::error_code error;
    m_socket.non_blocking(true, error);
    m_socket.set_option(asio::ip::tcp::no_delay(true), error);
    const auto peer = m_socket.remote_endpoint(error);
    if (!error) {
        const auto address = peer.address();
        const bool mapped = address.is_v6() && address.to_v6().is_v4_mapped();
        m_host = mapped
            ? asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string()
            : address.to_string();
        m_port = peer.port();
    }
    if (m_endpoint->tls || m_endpoint->webSocket)
        m_layers = std::make_unique<SessionLayers>(
            m_endpoint, static_cast<std::size_t>(m_engine.config().maxPayload));
}

Session::~Session() = default;

// --- turn

void Session::enqueue()
{
    if (m_enqueued)
        return;
    m_enqueued = true;
    m_loop.enqueue(shared_from_this());
}

void Session::runInTurn()
{
    m_enqueued = false;
    if (m_phase == Phase::New) {
        begin();
        return;
    }
    if (m_phase == Phase::Lingering) {
        drain();
        return;
    }
    if (m_writeReady) {
        m_writeReady = false;
        if (m_layers && !writeWire())
            failed();
        if (m_client != nullptr)
            m_client->flush();
    }
    if (m_readReady && !m_paused && (m_phase == Phase::Open || m_phase == Phase::Preparing))
        readOnce();
}

void Session::begin()
{
    if (!m_layers || m_layers->infoFirst()) {
        openClient();
        return;
    }
    m_phase = Phase::Preparing;
    if (m_layers->tlsAtOnce() && throttled())
        return refuse();
    m_deadline.arm(m_loop.realTimers().clock().now() + m_layers->patience());
    waitReadable();
}

void Session::openClient()
{
    m_phase = Phase::Open;
    m_deadline.disarm();
    if (m_layers && !m_layers->forwardedFor().empty())
        m_host = m_layers->forwardedFor();
    server::Client* client = m_engine.connect(shared_from_this());
    if (client == nullptr)
        return; // refused; close() was called
    m_client = client;
    if (m_layers && m_layers->facts().awaitsTls && throttled())
        return refuse();
    waitReadable();
}

bool Session::throttled()
{
    return m_endpoint->handshakes && !std::exchange(m_counted, true)
        && !m_endpoint->handshakes->allows();
}

void Session::refuse()
{
    if (m_client != nullptr)
        return m_client->fail(kThrottled, server::CloseReason::MaxConnectionsExceeded);
    m_layers->wire().append("-ERR '").append(kThrottled).append("'\r\n");
    writeWire();
    linger();
}

const server::LinkFacts& Session::facts() const
{
    return m_layers ? m_layers->facts() : Link::facts();
}

// --- reading

void Session::waitReadable()
{
    if (m_readWaits || m_phase == Phase::Closed)
        return;
    m_readWaits = true;
    m_socket.async_wait(asio::ip::tcp::socket::wait_read,
        [self = shared_from_this()](const asio::error_code& error) {
            self->m_readWaits = false;
            if (error || self->m_phase == Phase::Closed)
                return;
            self->m_readReady = true;
            self->enqueue();
        });
}

void Session::readOnce()
{
    m_readReady = false;
    const ssize_t n =
        ::recv(m_socket.native_handle(), m_loop.readBuffer(), EventLoop::readSize(), MSG_DONTWAIT);
    if (n > 0) {
        take(m_loop.readBuffer(), static_cast<std::size_t>(n));
        if ((m_phase == Phase::Open || m_phase == Phase::Preparing) && !m_paused)
            waitReadable();
    } else if (n < 0 && wouldBlock(errno)) {
        waitReadable();
    } else if (m_client == nullptr) {
        shut();
    } else if (n == 0) {
        m_client->peerGone(server::CloseReason::ClientClosed);
    } else {
        m_client->peerGone(errno == ECONNRESET ? server::CloseReason::ClientClosed
                                               : server::CloseReason::ReadError);
    }
}

void Session::take(char* bytes, std::size_t size)
{
    if (!m_layers) {
        m_client->receive({bytes, size});
        return;
    }
    m_layers->receive(
        bytes,
        size,
        [this](std::string_view plain) { return onPlain(plain); },
        [this](SessionLayers::Event event) {
            apply(event);
            return m_phase == Phase::Open || m_phase == Phase::Preparing;
        });
    if (m_phase != Phase::Open && m_phase != Phase::Preparing)
        return;
    if (!m_writeWaits && !writeWire()) {
        failed();
        return;
    }
    // Answers that the layers give by themselves must not pile up for who does not take them.
    const auto most = static_cast<std::uint64_t>(m_engine.config().maxPending);
    if (m_layers->wire().size() > most && m_client != nullptr)
        m_client->linkFailed("Slow Consumer Detected: answers to WebSocket pings are not taken",
            server::CloseReason::SlowConsumerPendingBytes);
}

bool Session::onPlain(std::string_view plain)
{
    if (m_client == nullptr)
        return false;
    m_client->receive(plain);
    return m_phase == Phase::Open;
}

void Session::apply(SessionLayers::Event event)
{
    using Event = SessionLayers::Event;
    switch (event) {
    case Event::None:
        break;
    case Event::Began:
        if (throttled())
            refuse();
        break;
    case Event::Secured:
    case Event::Plain:
        if (m_client != nullptr)
            m_client->secured();
        else if (m_layers->canSend())
            openClient();
        break;
    case Event::Upgraded:
        openClient();
        break;
    case Event::Closed:
        if (m_client != nullptr)
            m_client->peerGone(server::CloseReason::ClientClosed);
        else
            shut();
        break;
    case Event::Failed:
        failed();
        break;
    }
}

/// A layer cannot go on, or the socket is broken.
void Session::failed()
{
    const std::string& error = m_layers->error();
    const bool web = m_endpoint->webSocket.has_value();
    const bool encrypted = !m_endpoint->tls || !m_layers->facts().tlsVersion.empty();
    if (m_client != nullptr) {
        if (error.empty())
            m_client->peerGone(server::CloseReason::WriteError);
        else if (!encrypted)
            m_client->linkFailed(
                "TLS handshake error: " + error, server::CloseReason::TlsHandshakeFailure);
        else
            m_client->linkFailed(error,
                web ? server::CloseReason::ProtocolViolation : server::CloseReason::ReadError);
        return;
    }
    base::Log& log = m_engine.context().log;
    const char* what = encrypted ? "websocket handshake error: " : "TLS handshake error: ";
    log.error(m_host + ':' + std::to_string(m_port) + " - " + what
        + (error.empty() ? std::string("connection closed") : error));
    // Whoever reads it is told why.
    if (writeWire() && m_layers->wire().empty())
        linger();
    else
        shut();
}

void Session::pauseReading()
{
    m_paused = true;
}

void Session::resumeReading()
{
    if (!m_paused)
        return;
    m_paused = false;
    if (m_phase != Phase::Open || m_client == nullptr)
        return;
    if (m_readReady)
        enqueue();
    else
        waitReadable();
}

// --- writing

bool Session::writeSome(server::Outbox& outbox)
{
    std::array<std::string_view, kPieces> pieces;
    std::array<iovec, kPieces> vectors{};
    while (!outbox.isEmpty()) {
        const std::size_t count = outbox.gather(pieces);
        for (std::size_t i = 0; i < count; ++i)
            vectors[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
        msghdr message{};
        message.msg_iov = vectors.data();
        message.msg_iovlen = count;
        const ssize_t n =
            ::sendmsg(m_socket.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0)
            return wouldBlock(errno);
        outbox.consume(static_cast<std::size_t>(n));
        m_deadline.disarm(); // progress: a blocked write starts its deadline anew
    }
    return true;
}

/// False: the socket is broken. What does not go out now stays in the layers' wire.
bool Session::writeWire()
{
    std::string& wire = m_layers->wire();
    std::size_t sent = 0;
    while (sent < wire.size()) {
        const ssize_t n = ::send(m_socket.native_handle(),
            wire.data() + sent,
            wire.size() - sent,
            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && !wouldBlock(errno))
            return false;
        if (n < 0)
            break;
        sent += static_cast<std::size_t>(n);
        if (m_phase == Phase::Open)
            m_deadline.disarm(); // progress
    }
    if (sent == wire.size() && wire.capacity() > kKeptWire)
        wire = std::string(); // not `= {}`, which would keep the memory
    else
        wire.erase(0, sent);
    if (!wire.empty() && !m_writeWaits && m_phase != Phase::Closed)
        waitWritable();
    return true;
}

bool Session::writeLayered(server::Outbox& outbox)
{
    std::array<std::string_view, kPieces> pieces;
    while (writeWire()) {
        if (!m_layers->wire().empty() || outbox.isEmpty() || !m_layers->canSend())
            return true;
        const std::size_t count = outbox.gather(pieces);
        std::size_t taken = 0;
        for (std::size_t i = 0; i < count && m_layers->wire().size() < kMostWire; ++i) {
            if (!m_layers->send(pieces[i]))
                return false;
            taken += pieces[i].size();
        }
        outbox.consume(taken);
    }
    return false;
}

void Session::flush(server::Outbox& outbox)
{
    if (m_phase != Phase::Open || m_writeWaits)
        return;
    if (!(m_layers ? writeLayered(outbox) : writeSome(outbox))) {
        if (m_client != nullptr)
            m_client->peerGone(server::CloseReason::WriteError);
        return;
    }
    if (m_layers ? m_layers->wire().empty() : outbox.isEmpty())
        return;
    if (!m_writeWaits)
        waitWritable();
    if (!m_deadline.armed()) {
        m_deadline.arm(m_loop.realTimers().clock().now() + m_engine.config().writeDeadline);
    }
}

void Session::waitWritable()
{
    m_writeWaits = true;
    m_socket.async_wait(asio::ip::tcp::socket::wait_write,
        [self = shared_from_this()](const asio::error_code& error) {
            self->m_writeWaits = false;
            if (error || (self->m_phase != Phase::Open && self->m_phase != Phase::Preparing))
                return;
            self->m_writeReady = true;
            self->enqueue();
        });
}

void Session::onDeadline()
{
    if (m_phase == Phase::Lingering) {
        shut();
    } else if (m_client != nullptr) {
        m_client->writeDeadlinePassed();
    } else if (m_phase == Phase::Preparing && m_layers->giveUpFirst()) {
        openClient();
    } else {
        m_engine.context().log.error(
            m_host + ':' + std::to_string(m_port) + " - handshake timeout");
        shut();
    }
}

// --- the end

void Session::noteReason(server::CloseReason reason)
{
    m_reason = reason;
}

void Session::close(server::CloseMode mode, server::Outbox& outbox)
{
    if (m_phase == Phase::Closed || m_phase == Phase::Lingering)
        return;
    const auto self = shared_from_this();
    m_client = nullptr;
    m_deadline.disarm();
    bool whole = mode != server::CloseMode::Drop;
    if (m_layers) {
        whole = whole && writeLayered(outbox) && outbox.isEmpty();
        m_layers->end(m_reason);
        whole = writeWire() && whole && m_layers->wire().empty();
    } else {
        whole = whole && writeSome(outbox);
    }
    if (mode != server::CloseMode::Linger || !whole) {
        shut();
        return;
    }
    linger();
}

void Session::linger()
{
    m_phase = Phase::Lingering;
    asio::error_code error;
    m_socket.shutdown(asio::ip::tcp::socket::shutdown_send, error);
    m_deadline.arm(m_loop.realTimers().clock().now() + kLinger);
    drain();
}

void Session::drain()
{
    // What the peer still sends is read away: closing over unread bytes would reset the connection,
    // and the peer would lose the line that tells it why. At most one buffer per turn here too.
    char sink[16384];
    for (int i = 0; i < 16; ++i) {
        const ssize_t n = ::recv(m_socket.native_handle(), sink, sizeof sink, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && !wouldBlock(errno))) {
            shut();
            return;
        }
        if (n < 0)
            break;
    }
    waitReadable();
}

void Session::shut()
{
    m_phase = Phase::Closed;
    m_deadline.disarm();
    asio::error_code error;
    m_socket.close(error);
}

} // namespace jetglass::net
