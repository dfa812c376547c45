// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// Who sent a message, for the audit advisory and for rules that look at the sender.
struct Sender
{
    ClientId id{}; ///< 0 = the broker itself
    std::string_view account;
    std::string_view user;
    std::string_view name; ///< client name from CONNECT
    std::string_view lang;
    std::string_view version;
    std::string_view host;
    std::int64_t start = 0; ///< wall ns
    std::int64_t rtt = 0; ///< ns
};

/// Follows a message on its way for somebody who asked to be told of it.
class MessageTracer
{
public:
    virtual ~MessageTracer() = default;
    /// Only the way is wanted: nobody takes the message itself.
    [[nodiscard]] virtual bool wayOnly() const = 0;
    /// A stream takes it, or not for the reason of \a error.
    virtual void reachedStream(std::string_view stream,
        std::string_view subject,
        bool noInterest,
        std::string_view error) = 0;
    /// It waits in a batch: its way is told to nobody.
    virtual void waitsInBatch() = 0;
};

/// A message as it arrives at a handler inside the broker. Views live for the call.
struct Inbound
{
    std::string_view subject;
    std::string_view reply;
    std::string_view headers; ///< whole block, empty = none
    std::string_view payload;
    const Sender* sender = nullptr; ///< never null
    MessageTracer* tracer = nullptr; ///< most often null
};

/// A message on its way out. Views live for the call.
struct Outbound
{
    std::string_view subject;
    std::string_view reply;
    std::string_view headers;
    std::string_view payload;
};

/// A subscription inside the broker. Called on the broker thread while a message is routed; may
/// publish, subscribe and unsubscribe.
class MessageHandler
{
public:
    virtual ~MessageHandler() = default;
    virtual void onMessage(const Inbound& message) = 0;
    /// Answers for messages of which only the way is wanted; all others never see them.
    [[nodiscard]] virtual bool takesTraces() const { return false; }
    /// What the request is called in the system account, for which this stands: the trace of a
    /// message says so. Empty = a service of this account.
    [[nodiscard]] virtual std::string systemSubject(std::string_view /*subject*/) const
    {
        return {};
    }
};

/// Destroying it ends what it stands for.
class Registration
{
public:
    virtual ~Registration() = default;
};
using RegistrationPtr = std::unique_ptr<Registration>;

/// What JetStream needs of the routing of messages within one account; the server implements it,
/// tests fake it. Broker thread only.
class Bus
{
public:
    virtual ~Bus() = default;
    /// As if an internal client had published it: answers, advisories, republished copies. Streams
    /// capture it too.
    virtual void publish(const Outbound& message) = 0;
    /// To the subscribers of \a route; what they see on the wire is message.subject. For a queue
    /// group one member. False if nobody took it. Streams do not capture it. \a taker gets the
    /// connection of the (last) receiver.
    virtual bool deliver(
        std::string_view route, const Outbound& message, ClientId* taker = nullptr) = 0;
    /// Somebody outside the broker subscribes to something that matches the literal subject
    /// (wildcards count).
    [[nodiscard]] virtual bool hasInterest(std::string_view subject) const = 0;
    /// Somebody subscribes to exactly this subject: without queue if \a queue is empty, else in
    /// that queue group.
    [[nodiscard]] virtual bool hasExactInterest(
        std::string_view subject, std::string_view queue) const = 0;
    /// Calls back after the turn when subscriptions to exactly this subject come or go.
    virtual RegistrationPtr watchInterest(
        std::string_view subject, std::function<void()> changed) = 0;
    /// A handler counts as a responder. With a queue group only one of its members gets a message.
    virtual RegistrationPtr subscribe(
        std::string_view subject, std::string_view queue, MessageHandler& handler) = 0;
    /// What a connection calls itself in CONNECT; empty if it does not, or has gone.
    [[nodiscard]] virtual std::string clientName(ClientId /*client*/) const { return {}; }
};

} // namespace jetglass::streams
