// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "net/endpoint.h"
#include "net/event_loop.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetglass::server {
class Engine;
}

namespace jetglass::net {

/// Accepts clients for the engine. Binding and accepting are two steps: the port is known, and
/// connections queue in the kernel, before the first client is served.
class Listener
{
public:
    /// Without a \a host at the loopback addresses of both families, of 0.0.0.0 or :: at all
    /// addresses of both. \a port -1 or 0 = any free one. Errors: InUse, InvalidArgument (no such
    /// host), Io.
    static Result<std::unique_ptr<Listener>> open(
        EventLoop& loop, const std::string& host, int port);
    ~Listener();

    [[nodiscard]] const std::string& host() const { return m_host; } ///< as asked for
    [[nodiscard]] std::uint16_t port() const;
    /// What later connections speak; before start() plain TCP.
    void setEndpoint(Endpoint endpoint);
    void start(server::Engine& engine);
    void close();

private:
    explicit Listener(std::string host);
    struct Door;
    std::string m_host;
    std::vector<std::shared_ptr<Door>> m_doors; ///< never none
};

} // namespace jetglass::net
