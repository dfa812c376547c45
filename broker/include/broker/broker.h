// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/explain.h"
#include "broker/flow_observer.h"
#include "broker/message_query.h"
#include "broker/overview_query.h"
#include "broker/preview.h"
#include "broker/range_query.h"
#include "broker/recovery_finding.h"
#include "broker/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace jetglass {

/// A whole broker with its own thread. Start it, point clients at port(), look at it with the
/// questions, stop it. All members may be called from any thread. Questions are answered on the
/// broker thread between two turns: the callback runs there, must be short, must not block and must
/// not call the broker; the asker hands the answer to its own thread. If the broker stops first the
/// callback is dropped unanswered.
class Broker
{
public:
    /// Binds, recovers the store and starts the thread; when it returns, clients can connect.
    /// Errors: InUse (address or store directory, text says by whom it can be), Io, Corrupt,
    /// InvalidArgument.
    static Result<std::unique_ptr<Broker>> start(BrokerConfig config);
    virtual ~Broker() = default; ///< as stop()

    /// Orderly: clients are closed, the store is flushed.
    virtual void stop() = 0;
    /// As kill -9: nothing is flushed that was not handed to the kernel. The lab's "crash".
    virtual void abandon() = 0;
    /// Takes new settings as SIGHUP does (core.md 5.4): all or nothing.
    virtual Result<void> reload(BrokerConfig config) = 0;
    /// Stops accepting and closes clients gently (core.md 1.14); stopped() tells when it is over.
    virtual void lameDuck() = 0;
    [[nodiscard]] virtual bool stopped() const = 0;
    /// Blocks until the broker thread has ended.
    virtual void wait() = 0;

    [[nodiscard]] virtual std::string host() const = 0;
    [[nodiscard]] virtual std::uint16_t port() const = 0;
    [[nodiscard]] virtual std::uint16_t httpPort() const = 0; ///< 0 = no monitoring
    [[nodiscard]] virtual std::string serverId() const = 0;
    [[nodiscard]] virtual std::string
    storeDirectory() const = 0; ///< <storeDir>/jetstream, empty without JetStream
    /// What recovery found and did; empty when all was whole.
    [[nodiscard]] virtual RecoveryReport recoveryReport() const = 0;

    /// The observer must outlive the broker or be removed first. removeObserver() returns when no
    /// call is under way.
    virtual void addObserver(FlowObserver& observer) = 0;
    virtual void removeObserver(FlowObserver& observer) = 0;

    template<class Answer>
    using Reply = std::function<void(Answer)>;
    virtual void askOverview(Reply<BrokerOverview> reply) = 0;
    virtual void ask(RangeQuestion question, Reply<RangeAnswer> reply) = 0;
    virtual void ask(DensityQuestion question, Reply<DensityAnswer> reply) = 0;
    virtual void ask(MessageQuestion question, Reply<MessageAnswer> reply) = 0;
    virtual void ask(ExplainQuestion question, Reply<ExplainAnswer> reply) = 0;
    virtual void ask(PreviewQuestion question, Reply<PreviewAnswer> reply) = 0;
    virtual void ask(RemovalsQuestion question, Reply<RemovalsAnswer> reply) = 0;
    virtual void askDedup(StreamId stream, Reply<DedupAnswer> reply) = 0;
    virtual void askPulls(StreamId stream, ConsumerId consumer, Reply<PullsAnswer> reply) = 0;
    virtual void askClients(Reply<ClientsAnswer> reply) = 0;
};

} // namespace jetglass
