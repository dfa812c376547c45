// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/listener.h"

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

} // namespace

struct Listener::State : std::enable_shared_from_this<Listener::State>
{
    State(EventLoop& eventLoop, asio::ip::tcp::acceptor socket, std::string address)
        : loop(eventLoop)
        , acceptor(std::move(socket))
        , host(std::move(address))
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
    std::string host; ///< the address as it was asked for
    base::Timer retry;
    server::Engine* engine = nullptr;
    std::shared_ptr<const Endpoint> endpoint = std::make_shared<const Endpoint>();
};

Listener::Listener(EventLoop& loop, asio::ip::tcp::acceptor acceptor, std::string host)
    : m(std::make_shared<State>(loop, std::move(acceptor), std::move(host)))
{
}

Listener::~Listener()
{
    close();
}

Result<std::unique_ptr<Listener>> Listener::open(EventLoop& loop, const std::string& host, int port)
{
    asio::error_code error;
    const auto number = static_cast<std::uint16_t>(port < 0 ? 0 : port);
    asio::ip::address address = asio::ip::make_address(host.empty() ? "0.0.0.0" : host, error);
    if (error) {
        tcp::resolver resolver(loop.io());
        const auto found = resolver.resolve(host, std::to_string(number), error);
        if (error || found.empty()) {
            return Error{
                Errc::InvalidArgument, fmt::format("listen tcp: lookup {}: no such host", host)};
        }
        address = found.begin()->endpoint().address();
    }
    const tcp::endpoint endpoint(address, number);
    tcp::acceptor acceptor(loop.io());
    error = address.is_unspecified() ? listenAtAll(acceptor, endpoint)
                                     : listenAt(acceptor, endpoint, false);
    if (error) {
        std::string reason = error.message();
        if (!reason.empty() && reason.front() >= 'A' && reason.front() <= 'Z')
            reason.front() = static_cast<char>(reason.front() - 'A' + 'a');
        const bool taken = error == asio::error::address_in_use;
        return Error{taken ? Errc::InUse : Errc::Io,
            fmt::format("listen tcp {}:{}: bind: {}", host, number, reason)};
    }
    return std::unique_ptr<Listener>(new Listener(loop, std::move(acceptor), address.to_string()));
}

std::string Listener::host() const
{
    return m->host;
}

std::uint16_t Listener::port() const
{
    asio::error_code error;
    return m->acceptor.local_endpoint(error).port();
}

void Listener::setEndpoint(Endpoint endpoint)
{
    endpoint.host = host();
    endpoint.port = port();
    m->endpoint = std::make_shared<const Endpoint>(std::move(endpoint));
}

void Listener::start(server::Engine& engine)
{
    m->engine = &engine;
    m->accept();
}

void Listener::close()
{
    asio::error_code error;
    m->retry.disarm();
    m->acceptor.close(error);
}

} // namespace jetglass::net
