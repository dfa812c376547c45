// SPDX-License-Identifier: GPL-3.0-or-later
// What the stream asks of its consumers and tells them.
#include "consumers/consumer.h"

#include "consumers/advisories.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::consumers {

Consumer::Consumer(
    streams::Stream& stream, Birth birth, ConsumerConfig config, std::shared_ptr<LogKeeper> keeper)
    : m_stream(stream)
    , m_streamId(stream.id())
    , m_context(stream.context())
    , m_birth(std::move(birth))
    , m_config(std::move(config))
    , m_id(static_cast<ConsumerId>(++*m_context.nextConsumerId))
    , m_keeper(std::move(keeper))
    , m_persistent(stream.config().storage == Storage::File && !m_config.memStorage)
    , m_flowGroup(m_config.deliverGroup)
    , m_ackSubject(stream.name(), m_birth.name)
    , m_ackTimer(m_context.timers, [this] { ackTimerFired(); })
    , m_pullTimer(m_context.timers,
          [this] {
              // As the reference server: any look at the waiting requests ends those that do not
              // wait, even where only the pending acks hold the messages back.
              if (m_stalled == 1)
                  endNoWaits();
              walkPulls();
          })
    , m_heartbeatTimer(m_context.timers, [this] { sendHeartbeat(); })
    , m_resumeTimer(m_context.timers, [this] { wake(); })
    , m_pauseTimer(m_context.timers, [this] { pauseEnded(); })
    , m_inactiveTimer(m_context.timers, [this] { inactiveTimerFired(); })
    , m_pinTimer(m_context.timers, [this] { pinTimedOut(); })
{
    m_cursor.setFilter(filterOf(m_config));
    m_visible = m_stream.store().state().last;
    applyTimes();
}

Consumer::~Consumer()
{
    m_context.turn.forget(*this);
}

bool Consumer::matches(std::string_view subject) const
{
    return m_cursor.filter().matches(subject);
}

void Consumer::onStored(const store::MessageView& message)
{
    if (message.seq <= m_visible)
        return;
    m_visible = message.seq;
    if (!matches(message.subject) || !m_cursor.isAhead(message.seq))
        return;
    m_numPending += m_cursor.weightOf(message.subject);
    wake();
}

void Consumer::onRemoved(StreamSeq seq, std::string_view subject, Removal cause)
{
    if (PendingMessage* pending = m_tracker.find(seq)) {
        const DeliveryRef delivery{seq, pending->first, pending->deliveries};
        const Position before = m_tracker.floor;
        // Without a record: what is pending and not stored leaves at the next start too. A record
        // could outlive a loss of power that takes the removal back.
        dropPending(seq, DeliveryState::Terminated, {});
        m_dirty = true;
        floorMaybeMoved(before);
        afterSettle();
        if (cause != Removal::WorkQueueAck && cause != Removal::InterestGone)
            publishTerminated(
                m_context, {m_stream.name(), m_birth.name}, delivery, kMessageDeleted);
        return;
    }
    if (m_tracker.forgetGivenUp(seq))
        m_lastAck = m_context.clock.wallTime();
    // One that was stored and left within a turn was never counted.
    if (seq <= m_visible && m_cursor.isAhead(seq) && matches(subject))
        m_numPending -= std::min(m_numPending, countedOf(seq, subject));
}

/// Where the consumer goes on after a purge; zero if the purge does not touch it. As in the
/// reference server: a purge of all that it wants moves it to the first message left of the purged
/// subjects or behind the end, one of a part of that to the first message of the stream.
StreamSeq Consumer::firstAfterPurge(const subjects::SubjectFilter& purged) const
{
    store::MessageStore& store = m_stream.store();
    const store::StoreState state = store.state();
    if (purged.matchesAll())
        return state.first;
    const std::string& theirs = purged.patterns().front();
    const std::vector<std::string>& mine = filter().patterns();
    const auto isCovered = [&](const std::string& pattern) {
        return subjects::isSubset(pattern, theirs);
    };
    if (filter().matchesAll() || !std::all_of(mine.begin(), mine.end(), isCovered)) {
        const bool touched = filter().matchesAll()
            || std::any_of(mine.begin(), mine.end(), [&](const std::string& pattern) {
                   return isCovered(pattern) || subjects::isSubset(theirs, pattern);
               });
        return touched ? state.first : StreamSeq();
    }
    StreamSeq next = store.findNext(purged, state.first);
    if (next.isZero())
        next = state.last + 1;
    // Those of an earlier filter are still somebody's to acknowledge.
    m_tracker.forEach([&](const PendingMessage& pending) {
        if (store.contains(pending.seq))
            next = std::min(next, pending.seq);
    });
    return std::max(next, state.first);
}

void Consumer::onPurged(const subjects::SubjectFilter& purged, Removal cause)
{
    store::MessageStore& store = m_stream.store();
    const StreamSeq first = firstAfterPurge(purged);
    m_cursor.raiseTo(first);
    // The floor's consumer sequence takes the highest one that is gone, as the reference server
    // does.
    std::vector<StreamSeq> gone;
    ConsumerSeq highest = m_tracker.floor.consumer;
    m_tracker.forEach([&](const PendingMessage& pending) {
        if (pending.seq >= first && store.contains(pending.seq))
            return;
        gone.push_back(pending.seq);
        // What a limit took from behind the new first says nothing of those before it.
        if (cause == Removal::Purge || pending.seq < first)
            highest = std::max(highest, pending.first);
    });
    const Position before = m_tracker.floor;
    if (!gone.empty())
        m_lastAck = m_context.clock.wallTime();
    for (const StreamSeq seq : gone) {
        PendingMessage* pending = m_tracker.find(seq);
        rememberOutcome(
            seq, {DeliveryState::Terminated, pending->deliveries, m_context.clock.wallTime(), {}});
        m_redelivery.drop(*pending, PendingMessage::State::Delivered);
        settleGone(seq);
    }
    // One that a purge has kept is still there for whoever acknowledges it late.
    m_tracker.forgetGivenUpIf([&](StreamSeq seq) { return !store.contains(seq); });
    if (m_tracker.floor.stream < first) {
        m_tracker.floor.consumer = highest;
        m_tracker.floor.stream = std::max(m_tracker.floor.stream, first - 1);
    }
    if (m_tracker.empty()) {
        m_tracker.delivered.stream = std::max(m_tracker.delivered.stream, m_cursor.next() - 1);
        m_tracker.floor = m_tracker.delivered;
    }
    recount();
    stateChangedInBulk();
    if (observed())
        emit({.seq = m_cursor.next(), .kind = FlowKind::CursorMoved});
    floorMaybeMoved(before);
    wake();
}

bool Consumer::needs(StreamSeq seq, std::string_view subject) const
{
    if (!matches(subject))
        return false;
    if (m_tracker.givenUp(seq) != 0)
        return true;
    // A purge may have moved the floor past messages that are pending. The reference server then
    // loses them when another consumer settles them or when it starts anew; here they stay.
    if (m_tracker.find(seq) != nullptr)
        return true;
    if (seq <= m_tracker.floor.stream)
        return false;
    return m_config.ackPolicy != AckPolicy::Explicit || m_cursor.isAhead(seq);
}

void Consumer::onStreamChanged()
{
    wake();
}

void Consumer::onDeleted()
{
    m_closed = true;
    m_keeper->writeNow();
    endAllPulls("409 Consumer Deleted", false);
    publishDeleted(m_context, {m_stream.name(), m_birth.name});
    if (observed())
        emit({.seq = {}, .kind = FlowKind::ConsumerDeleted});
    m_registrations.clear();
    m_interestWatch.reset();
}

void Consumer::onShutdown()
{
    endAllPulls("409 Server Shutdown", true);
    m_closed = true;
    if (m_persistent && m_dirty)
        m_keeper->snapshot(true);
}

} // namespace jetglass::consumers
