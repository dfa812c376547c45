// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "net/endpoint.h"
#include "net/event_loop.h"

#include <asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace jetglass::server {
class Engine;
}

namespace jetglass::net {

/// Accepts clients for the engine. Binding and accepting are two steps: the port is known, and
/// connections queue in the kernel, before the first client is served.
class Listener
{
public:
    /// \a port -1 or 0 = any free one. Errors: InUse, InvalidArgument (no such host), Io.
    static Result<std::unique_ptr<Listener>> open(
        EventLoop& loop, const std::string& host, int port);
    ~Listener();

    [[nodiscard]] std::string host() const; ///< address as bound
    [[nodiscard]] std::uint16_t port() const;
    /// What later connections speak; before start() plain TCP.
    void setEndpoint(Endpoint endpoint);
    void start(server::Engine& engine);
    void close();

private:
    Listener(EventLoop& loop, asio::ip::tcp::acceptor acceptor, std::string host);
    struct State;
    std::shared_ptr<State> m;
};

} // namespace jetglass::net
