// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accounts/authenticator.h"
#include "base/manual_clock.h"
#include "flow/flow_hub.h"
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/link.h"
#include "server/outbox.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::server::test {

class QuietLog final : public base::Log
{
public:
    void write(base::LogLevel, std::string_view) override { }
    [[nodiscard]] bool wants(base::LogLevel) const override { return false; }
    void reopen() override { }
    void configure(const LogConfig&) override { }
};

/// Keeps what is written, one line each.
class RecordingLog final : public base::Log
{
public:
    void write(base::LogLevel, std::string_view text) override { lines.emplace_back(text); }
    [[nodiscard]] bool wants(base::LogLevel level) const override
    {
        return level == base::LogLevel::Trace ? trace : level != base::LogLevel::Debug || debug;
    }
    void reopen() override { }
    void configure(const LogConfig& config) override { trace = config.trace; }

    std::vector<std::string> lines;
    bool trace = true;
    bool debug = true;
};

/// A peer without a socket: what it was sent is a string. It may stop taking bytes.
class FakeLink final : public Link
{
public:
    [[nodiscard]] std::string peerHost() const override { return "127.0.0.1"; }
    [[nodiscard]] std::uint16_t peerPort() const override { return 5000; }
    void flush(Outbox& outbox) override
    {
        ++flushes;
        if (!blocked)
            takeAll(outbox);
    }
    void pauseReading() override { paused = true; }
    void resumeReading() override { paused = false; }
    void close(CloseMode mode, Outbox& outbox) override
    {
        closed = true;
        if (mode != CloseMode::Drop && !blocked)
            takeAll(outbox);
    }
    /// What has come since the last call.
    std::string take() { return std::exchange(sent, {}); }

    std::string sent;
    int flushes = 0;
    bool blocked = false;
    bool paused = false;
    bool closed = false;

private:
    void takeAll(Outbox& outbox)
    {
        std::array<std::string_view, 8> pieces;
        while (!outbox.isEmpty()) {
            const auto count = outbox.gather(pieces);
            std::size_t bytes = 0;
            for (std::size_t i = 0; i < count; ++i) {
                sent.append(pieces[i]);
                bytes += pieces[i].size();
            }
            outbox.consume(bytes);
        }
    }
};

/// An engine with everything it needs, on time that is moved by hand.
struct FakeBroker
{
    explicit FakeBroker(const BrokerConfig& config = {}, base::Log* other = nullptr)
        : log(other != nullptr ? *other : quiet)
        , engine({clock, timers, hub, turn, log},
              config,
              {"NTEST", "test", "127.0.0.1", 4222},
              std::make_shared<accounts::Authenticator>(config.auth))
    {
    }

    struct Peer
    {
        std::shared_ptr<FakeLink> link;
        Client* client = nullptr;
    };

    Peer connect(
        std::string_view handshake =
            R"(CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true})"
            "\r\n")
    {
        Peer peer{std::make_shared<FakeLink>(), nullptr};
        peer.client = engine.connect(peer.link);
        endTurn();
        peer.link->take();
        if (peer.client != nullptr && !handshake.empty())
            say(peer, handshake);
        return peer;
    }
    /// One turn in which the peer says this; what it gets in that turn.
    std::string say(Peer& peer, std::string_view bytes)
    {
        if (!peer.link->closed)
            peer.client->receive(bytes);
        endTurn();
        return peer.link->take();
    }
    void endTurn()
    {
        do
            engine.endTurn();
        while (engine.pending());
    }
    void advance(std::int64_t ns)
    {
        clock.advance(ns);
        timers.fireDue();
        endTurn();
    }

    base::ManualClock clock;
    base::TimerQueue timers{clock};
    flow::FlowHub hub{clock};
    streams::Turn turn;
    QuietLog quiet;
    base::Log& log;
    Engine engine;
};

} // namespace jetglass::server::test
