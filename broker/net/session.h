// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "net/endpoint.h"
#include "net/event_loop.h"
#include "net/session_layers.h"
#include "server/link.h"

#include <asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass::server {
class Client;
class Engine;
}

namespace jetglass::net {

/// One connection of a client: reads at most one buffer per turn, writes gathered. What lies
/// between the socket and the client's bytes (TLS, WebSocket) is in its layers; a plain connection
/// has none. Kept alive by its client and by the waits it has started. Broker thread only.
class Session final : public server::Link,
                      public TurnTask,
                      public std::enable_shared_from_this<Session>
{
public:
    Session(EventLoop& loop,
        server::Engine& engine,
        asio::ip::tcp::socket socket,
        std::shared_ptr<const Endpoint> endpoint);
    ~Session() override;

    // --- Link
    [[nodiscard]] std::string peerHost() const override { return m_host; }
    [[nodiscard]] std::uint16_t peerPort() const override { return m_port; }
    [[nodiscard]] const server::LinkFacts& facts() const override;
    void noteReason(server::CloseReason reason) override;
    void flush(server::Outbox& outbox) override;
    void pauseReading() override;
    void resumeReading() override;
    void close(server::CloseMode mode, server::Outbox& outbox) override;

    // --- TurnTask
    void runInTurn() override;

private:
    enum class Phase : std::uint8_t
    {
        New,
        Preparing, ///< no client yet: the handshake or the upgrade comes first
        Open,
        Lingering,
        Closed
    };

    void enqueue();
    void waitReadable();
    void waitWritable();
    void begin();
    void openClient();
    /// Too many have encrypted within this second; each connection counts once.
    bool throttled();
    void refuse();
    void readOnce();
    void take(char* bytes, std::size_t size);
    bool onPlain(std::string_view plain);
    void apply(SessionLayers::Event event);
    void failed();
    void drain();
    /// False: the socket is broken.
    bool writeSome(server::Outbox& outbox);
    bool writeWire();
    bool writeLayered(server::Outbox& outbox);
    void onDeadline();
    void linger();
    void shut();

    EventLoop& m_loop;
    server::Engine& m_engine;
    asio::ip::tcp::socket m_socket;
    std::shared_ptr<const Endpoint> m_endpoint;
    std::unique_ptr<SessionLayers> m_layers; ///< null = plain TCP
    base::Timer m_deadline; ///< of a blocked write, of preparing, or of lingering
    server::Client* m_client = nullptr;
    std::string m_host;
    std::uint16_t m_port = 0;
    server::CloseReason m_reason = server::CloseReason::ClientClosed;
    Phase m_phase = Phase::New;
    bool m_enqueued = false;
    bool m_counted = false; ///< among the handshakes of this second
    bool m_readWaits = false;
    bool m_readReady = false;
    bool m_paused = false;
    bool m_writeWaits = false;
    bool m_writeReady = false;
};

} // namespace jetglass::net
