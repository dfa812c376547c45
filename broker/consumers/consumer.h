// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "archive/consumer_file.h"
#include "base/timer_queue.h"
#include "broker/consumer_config.h"
#include "broker/explain.h"
#include "broker/flow_event.h"
#include "broker/message_query.h"
#include "broker/overview_query.h"
#include "broker/range_query.h"
#include "consumers/ack_subject.h"
#include "consumers/ack_tracker.h"
#include "consumers/consumer_cursor.h"
#include "consumers/delivery_rules.h"
#include "consumers/log_keeper.h"
#include "consumers/priority_group.h"
#include "consumers/pull_queue.h"
#include "consumers/push_flow.h"
#include "consumers/redelivery_queue.h"
#include "consumers/settled_memory.h"
#include "streams/bus.h"
#include "streams/consumer_port.h"
#include "streams/context.h"
#include "streams/turn.h"
#include "streams/work_line.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {
class Stream;
}

namespace jetglass::consumers {

/// What identifies a consumer and never changes.
struct Birth
{
    std::uint32_t number = 0; ///< in the catalog and in consumers.log
    std::string name;
    std::int64_t created = 0; ///< wall ns
};

/// One consumer: decides which message goes to whom when, and what becomes of it (consumers.md 5 to
/// 8). Delivery is a state machine that runs at the end of a turn, whenever something may have
/// changed; each step asks the rules of delivery_rules.h. Everything that waits for time waits in a
/// Timer. Owned by its stream. Broker thread only.
class Consumer final : public streams::ConsumerPort, public streams::TurnMember
{
public:
    Consumer(streams::Stream& stream,
        Birth birth,
        ConsumerConfig config,
        std::shared_ptr<LogKeeper> keeper);
    ~Consumer() override;

    // --- life (consumer_life.cpp)
    /// Takes the position that the deliver policy says.
    void place();
    /// The stream has stored or removed something since place() that nobody told it of.
    void catchUp();
    /// Subscribes, arms the timers and begins to deliver: after the catalog has it.
    void start();
    void update(const ConsumerConfig& config);
    void pause(std::optional<std::string> until);
    /// To just after the ack floor (0), or to \a seq. Gives the sequence it went to.
    Result<StreamSeq> reset(std::uint64_t seq);
    void unpin();

    // --- ConsumerPort
    [[nodiscard]] ConsumerId id() const override { return m_id; }
    [[nodiscard]] const std::string& name() const override { return m_birth.name; }
    [[nodiscard]] const ConsumerConfig& config() const override { return m_config; }
    [[nodiscard]] bool matches(std::string_view subject) const override;
    void onStored(const store::MessageView& message) override;
    void onRemoved(StreamSeq seq, std::string_view subject, Removal cause) override;
    void onPurged(const subjects::SubjectFilter& filter, Removal cause) override;
    [[nodiscard]] bool needs(StreamSeq seq, std::string_view subject) const override;
    [[nodiscard]] bool holds(StreamSeq seq) const override
    {
        return m_tracker.find(seq) != nullptr;
    }
    void onCopied(StreamSeq upTo) override;
    void onStreamChanged() override;
    void onDeleted() override;
    void onShutdown() override;

    void deliver() override; ///< TurnMember

    // --- state (consumer_state.cpp)
    [[nodiscard]] const Birth& birth() const { return m_birth; }
    [[nodiscard]] streams::Stream& stream() const { return m_stream; }
    [[nodiscard]] const std::shared_ptr<LogKeeper>& keeper() const { return m_keeper; }
    /// Its state is written to disk.
    [[nodiscard]] bool isPersistent() const { return m_persistent; }
    [[nodiscard]] bool isDirty() const { return m_dirty; }
    void markDirty() { m_dirty = true; }
    [[nodiscard]] std::string snapshot(); ///< and clean again
    bool restore(std::string_view snapshot); ///< false if it cannot be read
    void restore(const archive::ConsumerProgress& progress); ///< from a backup
    void replay(const store::ConsumerRecord& record);
    /// What the stream's history tells of an earlier start.
    void recall(const store::OutcomeRow& row);
    /// After restore and replay: the highest sequence that it has delivered, 0 if none.
    [[nodiscard]] StreamSeq givenOut() const;
    /// After restore and replay: rolled back where the stream lost data, counts made anew
    /// (consumers.md 9).
    void recovered();

    // --- looking at it (consumer_view.cpp)
    [[nodiscard]] ConsumerCounts counts();
    [[nodiscard]] Position delivered() const { return m_tracker.delivered; }
    [[nodiscard]] Position ackFloor() const { return m_tracker.floor; }
    [[nodiscard]] std::int64_t lastDelivery() const
    {
        return m_lastDelivery;
    } ///< wall ns, 0 = none
    [[nodiscard]] std::int64_t lastAck() const { return m_lastAck; }
    [[nodiscard]] std::size_t redeliveredCount() const;
    [[nodiscard]] std::uint64_t pendingCount() const;
    /// Removes expired requests and those without interest first.
    [[nodiscard]] std::size_t waitingCount();
    [[nodiscard]] bool isPushBound() const;
    [[nodiscard]] bool isPaused() const { return m_pausedUntil > m_context.clock.now(); }
    [[nodiscard]] std::int64_t pauseRemaining() const;
    [[nodiscard]] const PriorityGroup& priority() const { return m_priority; }
    [[nodiscard]] DeliveryCell cell(StreamSeq seq, std::string_view subject) const;
    [[nodiscard]] StreamSeq beginsAt() const { return m_cursor.begin(); }
    [[nodiscard]] StreamSeq nextSeq() const { return m_cursor.next(); }
    [[nodiscard]] const AckTracker& tracker() const { return m_tracker; }
    [[nodiscard]] const subjects::SubjectFilter& filter() const { return m_cursor.filter(); }
    void explain(StreamSeq seq, ExplainAnswer& answer);
    [[nodiscard]] std::vector<PullRow> pulls();

private:
    /// A message on its way to delivery.
    struct Candidate
    {
        store::MessageView message;
        std::uint32_t deliveries = 1;
        bool again = false; ///< from the redelivery queue
    };
    /// Hands a subscription's messages to a member function, those as well of which only the way is
    /// wanted: an ack or a pull request is no message.
    class Inlet final : public streams::MessageHandler
    {
    public:
        using Take = void (Consumer::*)(const streams::Inbound&);
        Inlet(Consumer& consumer, Take take)
            : m_consumer(consumer)
            , m_take(take)
        {
        }
        void onMessage(const streams::Inbound& message) override { (m_consumer.*m_take)(message); }
        [[nodiscard]] bool takesTraces() const override { return true; }

    private:
        Consumer& m_consumer;
        Take m_take;
    };
    struct Counting
    {
        std::vector<store::CountTask> tasks;
        bool begun = false;
    };
    enum class Step
    {
        Again,
        Stop
    };

    [[nodiscard]] StreamSeq firstAfterPurge(const subjects::SubjectFilter& purged) const;

    // --- consumer_delivery.cpp
    Step deliverOne();
    [[nodiscard]] DeliveryFacts facts() const;
    void blocked(Condition condition);
    void stallChanged(int why);
    bool nextRedelivery(Candidate& candidate);
    void giveUp(StreamSeq seq, std::uint32_t deliveries);
    void endOfStream();
    bool rateHolds(const Candidate& candidate);
    bool gateHolds(const Candidate& candidate);
    [[nodiscard]] std::string_view decorated(const store::MessageView& message);
    [[nodiscard]] std::uint64_t pendingAfter(const Candidate& candidate) const;
    bool sendOut(
        std::string_view route, const streams::Outbound& message, StreamSeq seq, ClientId* taker);
    void recordDelivery(const Candidate& candidate, ClientId taker, std::uint64_t bytes);
    [[nodiscard]] std::int64_t ackDeadline(const PendingMessage& message) const;
    [[nodiscard]] std::int64_t ackWaitOf(std::uint32_t deliveries) const;
    [[nodiscard]] bool tracksAcks() const { return m_config.ackPolicy != AckPolicy::None; }

    // --- consumer_pulls.cpp
    void onNext(const streams::Inbound& message);
    void openPull(std::string_view payload,
        std::string_view reply,
        std::string_view headers,
        ClientId client);
    [[nodiscard]] std::string refusal(const PullRequest& request);
    Step deliverPull(const Candidate& candidate,
        std::string_view ack,
        std::string_view headers,
        std::string_view payload);
    void servedPull(PullQueue::Iterator at, const Candidate& candidate, ClientId taker);
    void endPull(PullQueue::Iterator& at, std::string_view status, bool pendingHeaders);
    void endNoWaits();
    void walkPulls();
    void pruneUninterested();
    void endAllPulls(std::string_view status, bool pendingHeaders);
    void sendStatus(std::string_view to,
        std::string_view status,
        std::string_view headers = {},
        std::string_view reply = {});
    void armPullTimer(const PullRequest& request);

    // --- consumer_push.cpp
    Step deliverPush(const Candidate& candidate,
        std::string_view ack,
        std::string_view headers,
        std::string_view payload);
    void interestChanged();
    void sendHeartbeat();
    void pushSent(std::uint64_t bytes);
    void sendFlowRequest();
    void onFlowAnswer(const streams::Inbound& message);
    [[nodiscard]] std::string heartbeatHeaders() const;

    // --- consumer_acks.cpp
    void onAck(const streams::Inbound& message);
    void takeAck(std::string_view subject,
        std::string_view reply,
        std::string_view payload,
        ClientId client);
    bool ack(const AckReference& reference, ClientId client); ///< false: no confirmation
    void settleOne(StreamSeq seq,
        ConsumerSeq consumerSeq,
        ClientId client,
        bool terminated,
        std::string_view reason);
    void settleAll(StreamSeq seq, ConsumerSeq consumerSeq, ClientId client, bool terminated);
    void nak(const AckReference& reference, std::string_view rest, ClientId client);
    bool terminate(const AckReference& reference, std::string_view reason, ClientId client);
    void inProgress(const AckReference& reference, ClientId client);
    void confirm(std::string_view reply);
    void ackTimerFired();
    void armAckTimer();
    void sample(const AckReference& reference, const PendingMessage& message);
    void afterSettle();
    bool settleGone(StreamSeq seq);
    void dropPending(StreamSeq seq, DeliveryState how, ClientId client);
    void floorMaybeMoved(const Position& before);

    // --- consumer_life.cpp
    void subscribe();
    void subscribeDelivery();
    void applyTimes();
    void pauseEnded();
    void active();
    void inactiveTimerFired();
    void armInactive();
    void pinTimedOut();
    void rememberOutcome(StreamSeq seq, const SettledOutcome& outcome);
    void recount();
    [[nodiscard]] streams::WorkLine::Progress count(
        const std::weak_ptr<Counting>& wanted, const base::Slice& slice);
    [[nodiscard]] std::uint64_t countedOf(StreamSeq seq, std::string_view subject) const;
    void stage(store::ConsumerRecord::Kind kind,
        StreamSeq seq,
        ConsumerSeq consumerSeq,
        std::int64_t time = 0,
        std::uint32_t count = 0);
    void stateChangedInBulk();
    void wake();
    [[nodiscard]] bool observed() const { return m_context.hub.active(); }
    void emit(FlowEvent&& event, const FlowText& text = {});
    /// For what happens with every message: FlowHub::begin(), to be ended by FlowHub::end().
    [[nodiscard]] FlowEvent& beginEvent(FlowKind kind, StreamSeq seq)
    {
        FlowEvent& event = m_context.hub.begin();
        event.stream = m_streamId;
        event.consumer = m_id;
        event.kind = kind;
        event.seq = seq;
        return event;
    }
    [[nodiscard]] std::int64_t toWall(std::int64_t now) const;
    [[nodiscard]] std::int64_t toNow(std::int64_t wall) const;

    streams::Stream& m_stream;
    const StreamId m_streamId; ///< its id, beside m_id for events
    streams::Context& m_context;
    const Birth m_birth;
    ConsumerConfig m_config;
    const ConsumerId m_id;
    const std::shared_ptr<LogKeeper> m_keeper;
    const bool m_persistent;
    const std::string m_flowGroup; ///< the deliver group that it looks at, fixed at creation

    ConsumerCursor m_cursor;
    AckTracker m_tracker;
    RedeliveryQueue m_redelivery;
    PullQueue m_pulls;
    FlowWindow m_flow;
    RateLimit m_rate;
    PriorityGroup m_priority;
    SettledMemory m_settled{&m_context.memoriesUsed, streams::Context::kMemoriesBudget};
    AckSubject m_ackSubject;

    StreamSeq m_visible; ///< highest sequence that the stream has told about
    StreamSeq m_scanned; ///< looked at up to here at the last end of the stream
    std::uint64_t m_numPending = 0;
    std::shared_ptr<Counting> m_counting; ///< the count that is under way
    std::int64_t m_pausedUntil = 0; ///< Clock::now() terms
    std::int64_t m_rateFreeAt = 0;
    std::int64_t m_replayLast = 0; ///< stamp of the message delivered last
    std::int64_t m_replaySentAt = 0;
    StreamSeq m_replayUntil; ///< original replay speed up to here
    std::int64_t m_lastDelivery = 0;
    std::int64_t m_lastAck = 0;
    std::int64_t m_lastPull = 0;
    std::int64_t m_lastSent = 0; ///< data or heartbeat of a push consumer, now terms
    std::int64_t m_lastActivity = 0;
    std::int64_t m_lastPrune = 0;
    double m_samplePercent = 0;
    int m_stalled = 0; ///< 1 at max_ack_pending, 2 by flow control
    bool m_interest = false;
    bool m_held = false;
    bool m_putOff = false; ///< inactive, but kept for a pending message
    bool m_started = false;
    bool m_closed = false;
    bool m_dirty = true;
    std::string m_headers; ///< of the message being sent, when they differ from the stored ones

    Inlet m_nextInlet{*this, &Consumer::onNext};
    Inlet m_ackInlet{*this, &Consumer::onAck};
    Inlet m_flowInlet{*this, &Consumer::onFlowAnswer};
    std::vector<streams::RegistrationPtr> m_registrations;
    streams::RegistrationPtr m_interestWatch;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0); ///< gates may call back after the end

    base::Timer m_ackTimer;
    base::Timer m_pullTimer;
    base::Timer m_heartbeatTimer;
    base::Timer m_resumeTimer; ///< rate and replay
    base::Timer m_pauseTimer;
    base::Timer m_inactiveTimer;
    base::Timer m_pinTimer;
};

} // namespace jetglass::consumers
