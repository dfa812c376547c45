// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/listener.h"

#include "net/loopback.h"
#include "net/session.h"

#include <asio/ip/v6_only.hpp>
#include <fmt/format.h>

#include <utility>

namespace jetglass::net {

namespace {
/// Without file descriptors accepting fails at once: try again after a while instead of spinning.
constexpr std::int64_t kRetry = 100'000'000;
constexpr int kBacklog = 1024;

using asio::ip::tcp;

asio::error_code listenAt(tcp::acceptor& acceptor, const tcp::endpoint& endpoint, bool both)
{
    asio::error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error)
        acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && both)
        acceptor.set_option(asio::ip::v6_only(false), error);
    if (!error)
        acceptor.bind(endpoint, error);
    if (!error)
        acceptor.listen(kBacklog, error);
    return error;
}

/// Every address means those of both families, as far as the machine has both.
asio::error_code listenAtAll(tcp::acceptor& acceptor, const tcp::endpoint& wanted)
{
    const auto error = listenAt(acceptor, {asio::ip::address_v6::any(), wanted.port()}, true);
    if (!error || error == asio::error::address_in_use || wanted.address().is_v6())
        return error;
    asio::error_code ignored;
    acceptor.close(ignored);
    return listenAt(acceptor, wanted, false);
}

Error refusal(const asio::error_code& error, const std::string& host, int port)
{
    std::string reason = error.message();
    if (!reason.empty() && reason.front() >= 'A' && reason.front() <= 'Z')
        reason.front() = static_cast<char>(reason.front() - 'A' + 'a');
    const bool taken = error == asio::error::address_in_use;
    const std::string shown = host.find(':') == std::string::npos ? host : '[' + host + ']';
    return Error{taken ? Errc::InUse : Errc::Io,
        fmt::format("listen tcp {}:{}: bind: {}", shown, port, reason)};
}

/// Of a name the first address of the older family, which everybody can reach.
Result<asio::ip::address> addressOf(EventLoop& loop, const std::string& host)
{
    asio::error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (!error)
        return address;
    tcp::resolver resolver(loop.io());
    const auto found = resolver.resolve(host, "0", error);
    if (error || found.empty())
        return Error{
            Errc::InvalidArgument, fmt::format("listen tcp: lookup {}: no such host", host)};
    for (const auto& each : found) {
        if (each.endpoint().address().is_v4())
            return each.endpoint().address();
    }
    return found.begin()->endpoint().address();
}

using Acceptors = std::vector<tcp::acceptor>;

Result<Acceptors> openOne(EventLoop& loop, const std::string& host, std::uint16_t port)
{
    const auto address = addressOf(loop, host);
    if (!address)
        return address.error();
    Acceptors doors;
    tcp::acceptor& door = doors.emplace_back(loop.io());
    const auto error = address->is_unspecified() ? listenAtAll(door, {*address, port})
                                                 : listenAt(door, {*address, port}, false);
    if (error)
        return refusal(error, host, port);
    return doors;
}

/// Both loopback addresses with the same port; a free port of one may be taken at the other.
Result<Acceptors> openLoopback(EventLoop& loop, std::uint16_t port)
{
    constexpr int kTries = 50;
    const bool both = hasLoopback6();
    for (int attempt = 1;; ++attempt) {
        auto doors = openOne(loop, kLoopback4, port);
        if (!doors || !both)
            return doors;
        const std::uint16_t chosen = doors->front().local_endpoint().port();
        auto second = openOne(loop, kLoopback6, chosen);
        if (second) {
            doors->push_back(std::move(second->front()));
            return doors;
        }
        if (port != 0 || second.error().code != Errc::InUse || attempt == kTries)
            return second.error();
    }
}

} // namespace

/// One socket that clients come through.
struct Listener::Door : std::enable_shared_from_this<Listener::Door>
{
    Door(EventLoop& eventLoop, asio::ip::tcp::acceptor socket)
        : loop(eventLoop)
        , acceptor(std::move(socket))
        , retry(eventLoop.realTimers(), [this] { accept(); })
    {
    }

    void accept()
    {
        if (!acceptor.is_open())
            return;
        acceptor.async_accept([self = shared_from_this()](
                                  const asio::error_code& error, asio::ip::tcp::socket socket) {
            if (error == asio::error::operation_aborted)
                return;
            if (error) {
                self->retry.arm(self->loop.realTimers().clock().now() + kRetry);
                return;
            }
            self->loop.enqueue(std::make_shared<Session>(
                self->loop, *self->engine, std::move(socket), self->endpoint));
            self->accept();
        });
    }

    EventLoop& loop;
    asio::ip::tcp::acceptor acceptor;
    base::Timer retry;
    server::Engine* engine = nullptr;
    std::shared_ptr<const Endpoint> endpoint = std::make_shared<const Endpoint>();
};

Listener::Listener(std::string host)
    : m_host(std::move(host))
{
}

Listener::~Listener()
{
    close();
}

Result<std::unique_ptr<Listener>> Listener::open(EventLoop& loop, const std::string& host, int port)
{
    const auto number = static_cast<std::uint16_t>(port < 0 ? 0 : port);
    auto opened = host.empty() ? openLoopback(loop, number) : openOne(loop, host, number);
    if (!opened)
        return opened.error();
    std::unique_ptr<Listener> listener(new Listener(host.empty() ? kLoopback4 : host));
    for (tcp::acceptor& acceptor : *opened)
        listener->m_doors.push_back(std::make_shared<Door>(loop, std::move(acceptor)));
    return listener;
}

std::uint16_t Listener::port() const
{
    asio::error_code error;
    return m_doors.front()->acceptor.local_endpoint(error).port();
}

void Listener::setEndpoint(Endpoint endpoint)
{
    endpoint.host = host();
    endpoint.port = port();
    const auto shared = std::make_shared<const Endpoint>(std::move(endpoint));
    for (const auto& door : m_doors)
        door->endpoint = shared;
}

void Listener::start(server::Engine& engine)
{
    for (const auto& door : m_doors) {
        door->engine = &engine;
        door->accept();
    }
}

void Listener::close()
{
    asio::error_code error;
    for (const auto& door : m_doors) {
        door->retry.disarm();
        door->acceptor.close(error);
    }
}

} // namespace jetglass::net
