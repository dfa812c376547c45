// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accounts/authenticator.h"
#include "accounts/permission_set.h"
#include "base/timer_queue.h"
#include "broker/flow_event.h"
#include "broker/ids.h"
#include "protocol/handshake_json.h"
#include "protocol/parser.h"
#include "server/link.h"
#include "server/outbox.h"
#include "server/records.h"
#include "server/reply_permits.h"
#include "server/subscription.h"
#include "streams/bus.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jetglass::base {
enum class LogLevel : std::uint8_t;
}

namespace jetglass::server {

class Account;
class Engine;
class MessageTrace;
struct Routed;
struct TraceRequest;

/// One peer: its protocol state, subscriptions, limits and permissions. Owned by the engine, which
/// frees it when it has been closed and its subscriptions have ended. Broker thread only.
class Client
{
public:
    Client(Engine& engine, ClientId id, std::shared_ptr<Link> link);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // --- called by the link
    /// Bytes as they came; views into them are used only during the call.
    void receive(std::string_view bytes);
    /// The peer is gone (end of stream or an error).
    void peerGone(CloseReason reason);
    /// The link could not write for the write deadline.
    void writeDeadlinePassed();
    /// The link's handshake, which the client awaited, is done.
    void secured();
    /// The link cannot go on.
    void linkFailed(std::string_view text, CloseReason reason);

    // --- called by the engine and others
    void start(); ///< INFO, authentication timer, first ping timer
    void close(CloseReason reason, CloseMode mode);
    /// -ERR with \a text, then close.
    void fail(std::string_view text, CloseReason reason);
    [[nodiscard]] bool isClosed() const { return m_closed; }
    /// The engine's observer knows of it.
    [[nodiscard]] bool wasAnnounced() const { return m_announced; }
    [[nodiscard]] ClientId id() const { return m_id; }
    [[nodiscard]] Account* account() const { return m_account; }
    [[nodiscard]] const accounts::Identity& identity() const { return m_identity; }
    [[nodiscard]] const protocol::ConnectOptions& options() const { return m_options; }
    [[nodiscard]] std::string_view nonce() const { return m_nonce; }
    [[nodiscard]] const streams::Sender& sender() const { return m_sender; }
    [[nodiscard]] const std::string& peerHost() const { return m_host; }
    [[nodiscard]] const LinkFacts& linkFacts() const { return m_link->facts(); }
    [[nodiscard]] ConnectionRecord record() const;
    [[nodiscard]] const std::unordered_map<std::string_view, std::unique_ptr<Subscription>>&
    subscriptions() const
    {
        return m_subscriptions;
    }
    void sendInfo(std::string_view json);
    [[nodiscard]] bool takesAsyncInfo() const
    {
        return m_options.protocol >= 1 && m_firstPongSent && !m_closed;
    }
    /// Another identity after a reload; nothing = credentials no longer hold.
    void reauthenticate();
    void applyLimits(); ///< after a reload
    /// Of a closed client: ends some of its subscriptions; true if there are more.
    bool endSome(std::size_t limit);

    // --- the way out, called by the router
    /// False: not taken (echo, permissions, closed). Counts and ends the subscription at its
    /// maximum.
    bool deliver(Subscription& subscription, const Routed& message);
    /// The reason not to take it, in the words of a message's trace; empty if there is none.
    [[nodiscard]] std::string_view whyNot(
        const Subscription& subscription, const Routed& message) const;
    void flush();
    [[nodiscard]] std::uint64_t pendingBytes() const { return m_outbox.size(); }
    [[nodiscard]] bool isCongested() const; ///< above 75 % of max_pending
    /// A receiver of this client's messages is congested: read nothing from it for a moment.
    void stall();
    /// Asks it for a PONG if it got messages since it was last asked so; whether it did.
    bool sound();
    /// Nothing is read from it as long as \a still says so; asked again and again, in real time.
    void holdBack(std::function<bool()> still);

private:
    friend class Engine;
    enum class Auth : std::uint8_t
    {
        Waiting,
        Checking,
        Done
    };

    // operations
    void handle(const protocol::Operation& operation);
    void handleBad(protocol::ParseError error, const protocol::Operation& operation);
    bool admitFirstByte(char first);
    bool admitUnnamed(); ///< as no_auth_user, by something else than CONNECT
    void handleConnect(std::string_view json);
    void authenticate();
    void authenticated(const std::optional<accounts::Identity>& identity);
    void applyAccountLimits();
    void identify(const accounts::Identity& identity);
    void finishConnect();
    void announce();
    void handlePublish(const protocol::Operation& operation);
    enum class Follow : std::uint8_t;
    [[nodiscard]] Follow weigh(TraceRequest& request);
    [[nodiscard]] bool handleFollowed(const protocol::Operation& operation);
    void followTooLarge(const protocol::Operation& operation);
    void tell(const MessageTrace& trace) const;
    void publish(const protocol::Operation& operation, MessageTrace* trace);
    void handleSubscribe(const protocol::Operation& operation);
    void handleUnsubscribe(const protocol::Operation& operation);
    void handlePing();
    void handlePong();
    [[nodiscard]] bool checkPublish(const protocol::Operation& operation, MessageTrace* trace);
    [[nodiscard]] bool mayFollowTo(std::string_view subject) const;
    void refusePublish(std::string_view subject, MessageTrace* trace);
    [[nodiscard]] bool mayPublish(std::string_view subject);
    [[nodiscard]] bool checkSubscribe(const protocol::Operation& operation);
    void answerNoResponders(const protocol::Operation& operation);
    void sendSecondInfo();
    void process();

    // subscriptions
    void end(Subscription& subscription);
    bool release(std::unique_ptr<Subscription> subscription);
    void endAll();
    void detachAll(); ///< they keep their sid and get nothing more
    void recheckSubscriptions();

    // output
    void send(std::string_view bytes);
    void sendError(std::string_view text);
    void ok();
    void queued(); ///< something was put into the outbox
    void noteMoved();

    // what the log says
    void log(base::LogLevel level, std::string_view text) const;
    void trace(std::string_view text) const;
    void traceIn(const protocol::Operation& operation) const;
    void traceDelivery(const Subscription& subscription,
        const Routed& message,
        std::string_view headers,
        bool withHeaders) const;
    void makeLabel();
    void completeLabel();
    [[nodiscard]] accounts::Credentials credentials() const;
    void emitFlow(FlowKind kind, std::string_view subject = {}, std::uint64_t second = 0) const;

    // time
    void startTimers();
    void armPing(std::int64_t delay);
    [[nodiscard]] std::int64_t pingInterval() const;
    void sendPing();
    void onPingTimer();
    void onStallTimer();
    void onAuthTimer();
    [[nodiscard]] std::int64_t realNow() const;

    Engine& m_engine;
    const ClientId m_id;
    std::shared_ptr<Link> m_link;
    protocol::Parser m_parser;
    protocol::ConnectOptions m_options;
    accounts::Identity m_identity;
    Account* m_account = nullptr;
    Outbox m_outbox;
    accounts::PermissionSet m_permissions;
    ReplyPermits m_replyPermits;
    std::unordered_map<std::string_view, std::unique_ptr<Subscription>> m_subscriptions; ///< by sid
    streams::Sender m_sender; ///< views into the members above
    std::string m_host;
    std::uint16_t m_port = 0;
    std::string m_nonce;
    std::string m_label; ///< what its log lines begin with
    std::string m_held; ///< bytes that wait for the authentication

    base::Timer m_pingTimer;
    base::Timer m_authTimer;
    base::Timer m_stallTimer;
    std::function<bool()> m_heldBack; ///< whether it still has to wait; null = it has not
    std::int64_t m_start = 0; ///< real wall ns
    std::int64_t m_lastActivity = 0; ///< real wall ns
    bool m_moved = false; ///< messages or subscriptions since m_lastActivity was set
    std::int64_t m_pingSent = 0;
    std::int64_t m_rtt = 0;
    std::int64_t m_rttAt = 0;
    int m_pingsOut = 0;
    std::uint64_t m_pings = 0; ///< that it was sent
    std::uint64_t m_pongs = 0;
    std::uint64_t m_soundedPing = 0; ///< the one whose PONG sound() awaits; 0 = none
    std::uint64_t m_soundedMessages = 0; ///< that it had got when it was last asked
    Traffic m_in;
    Traffic m_out;
    Auth m_auth = Auth::Waiting;
    CloseReason m_reason = CloseReason::ClientClosed;
    bool m_closed = false;
    bool m_firstByteSeen = false;
    bool m_firstPongSent = false;
    bool m_connectSeen = false;
    bool m_inFlushList = false;
    bool m_active = false; ///< something came since the last ping timer
    bool m_stalled = false;
    bool m_announced = false;
    bool m_trace = false; ///< each operation goes to the log
};

} // namespace jetglass::server
