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
/// So long a peer may take to notice that we have closed, before its socket is closed for good.
constexpr std::int64_t kLinger = 2'000'000'000;

bool wouldBlock(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

Session::Session(EventLoop& loop, server::Engine& engine, asio::ip::tcp::socket socket)
    : m_loop(loop)
    , m_engine(engine)
    , m_socket(std::move(socket))
    , m_deadline(loop.realTimers(), [this] { onDeadline(); })
{
    asio::error_code error;
    m_socket.non_blocking(true, error);
    m_socket.set_option(asio::ip::tcp::no_delay(true), error);
    const auto peer = m_socket.remote_endpoint(error);
    if (!error) {
        m_host = peer.address().to_string();
        m_port = peer.port();
    }
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
        m_phase = Phase::Open;
        server::Client* client = m_engine.connect(shared_from_this());
        if (client == nullptr)
            return; // refused; close() was called
        m_client = client;
        waitReadable();
        return;
    }
    if (m_phase == Phase::Lingering) {
        drain();
        return;
    }
    if (m_writeReady) {
        m_writeReady = false;
        if (m_client != nullptr)
            m_client->flush();
    }
    if (m_readReady && !m_paused && m_phase == Phase::Open)
        readOnce();
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
        m_client->receive(std::string_view(m_loop.readBuffer(), static_cast<std::size_t>(n)));
        if (m_phase == Phase::Open && !m_paused)
            waitReadable();
    } else if (n == 0) {
        m_client->peerGone(server::CloseReason::ClientClosed);
    } else if (wouldBlock(errno)) {
        waitReadable();
    } else {
        m_client->peerGone(errno == ECONNRESET ? server::CloseReason::ClientClosed
                                               : server::CloseReason::ReadError);
    }
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

void Session::flush(server::Outbox& outbox)
{
    if (m_phase != Phase::Open || m_writeWaits)
        return;
    if (!writeSome(outbox)) {
        if (m_client != nullptr)
            m_client->peerGone(server::CloseReason::WriteError);
        return;
    }
    if (outbox.isEmpty())
        return;
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
            if (error || self->m_phase != Phase::Open)
                return;
            self->m_writeReady = true;
            self->enqueue();
        });
}

void Session::onDeadline()
{
    if (m_phase == Phase::Lingering)
        shut();
    else if (m_client != nullptr)
        m_client->writeDeadlinePassed();
}

// --- the end

void Session::close(server::CloseMode mode, server::Outbox& outbox)
{
    if (m_phase == Phase::Closed || m_phase == Phase::Lingering)
        return;
    const auto self = shared_from_this();
    m_client = nullptr;
    m_deadline.disarm();
    const bool whole = mode != server::CloseMode::Drop && writeSome(outbox);
    if (mode != server::CloseMode::Linger || !whole) {
        shut();
        return;
    }
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
