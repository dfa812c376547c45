// SPDX-License-Identifier: GPL-3.0-or-later
// From creation to inactivity (consumers.md 1.5, 1.7 to 1.9, 7, 8.4).
#include "base/nuid.h"
#include "base/random.h"
#include "base/time_text.h"
#include "consumers/advisories.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "consumers/consumer_registry.h"
#include "streams/stream.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <random>

namespace jetglass::consumers {

namespace {

/// Percentage of sample_freq, "50" or "50%".
double samplePercent(std::string_view text)
{
    if (text.ends_with('%'))
        text.remove_suffix(1);
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::int64_t jitter()
{
    static constexpr std::int64_t kLeast = 100'000'000;
    static constexpr std::int64_t kMost = 1'000'000'000;
    return std::uniform_int_distribution<std::int64_t>(kLeast, kMost)(base::randomEngine());
}

} // namespace

void Consumer::place()
{
    store::MessageStore& store = m_stream.store();
    m_cursor.start(store, m_config, m_stream.config().maxMsgsPerSubject == 1);
    m_tracker.delivered = {ConsumerSeq(), m_cursor.next() - 1};
    m_tracker.floor = m_tracker.delivered;
    recount();
}

void Consumer::catchUp()
{
    m_visible = m_stream.committed();
    recount();
}

void Consumer::start()
{
    if (m_started || m_closed)
        return;
    m_started = true;
    if (m_config.replayPolicy == ReplayPolicy::Original)
        m_replayUntil = m_stream.store().state().last;
    m_lastActivity = m_context.clock.now();
    subscribe();
    armAckTimer();
    armInactive();
    wake();
}

void Consumer::subscribe()
{
    streams::Bus& bus = m_context.bus;
    const std::string& stream = m_stream.name();
    const std::string& account = m_context.account;
    const std::string& domain = m_context.settings.domain;
    const std::string next = ".API.CONSUMER.MSG.NEXT." + stream + "." + m_birth.name;
    m_registrations.clear();
    m_registrations.push_back(bus.subscribe("$JS" + next, {}, m_nextInlet));
    if (!domain.empty())
        m_registrations.push_back(bus.subscribe("$JS." + domain + next, {}, m_nextInlet));
    const bool acks =
        m_config.ackPolicy == AckPolicy::Explicit || m_config.ackPolicy == AckPolicy::All;
    if (acks) {
        m_registrations.push_back(bus.subscribe(ackPattern(stream, m_birth.name), {}, m_ackInlet));
        m_registrations.push_back(
            bus.subscribe(ackPatternV2(domain, account, stream, m_birth.name), {}, m_ackInlet));
    }
    if (m_config.flowControl) {
        m_registrations.push_back(
            bus.subscribe(flowPattern(stream, m_birth.name), {}, m_flowInlet));
        m_registrations.push_back(
            bus.subscribe(flowPatternV2(domain, account, stream, m_birth.name), {}, m_flowInlet));
    }
    subscribeDelivery();
}

void Consumer::subscribeDelivery()
{
    m_interestWatch.reset();
    m_interest = false;
    if (!m_config.isPush())
        return;
    m_interestWatch =
        m_context.bus.watchInterest(m_config.deliverSubject, [this] { interestChanged(); });
    interestChanged();
    if (!m_interest)
        armInactive();
}

/// What the configuration says in text or in other units, ready for use.
void Consumer::applyTimes()
{
    m_pulls.setByPriority(m_config.priorityPolicy == PriorityPolicy::Prioritized);
    m_priority.configure(m_config);
    m_samplePercent = samplePercent(m_config.sampleFreq);
    const std::int32_t largest = m_stream.config().maxMsgSize;
    m_rate.configure(m_config.rateLimitBps,
        static_cast<std::uint64_t>(largest > 0 ? largest : m_context.maxPayload));
    m_pausedUntil = 0;
    m_pauseTimer.disarm();
    if (m_config.pauseUntil) {
        const auto until = base::parseRfc3339(*m_config.pauseUntil);
        if (until && *until > m_context.clock.wallTime()) {
            m_pausedUntil = toNow(*until);
            m_pauseTimer.arm(m_pausedUntil);
        }
    }
}

void Consumer::update(const ConsumerConfig& config)
{
    const ConsumerConfig old = std::exchange(m_config, config);
    applyTimes();
    m_dirty = true;
    if (old.ackWait != config.ackWait || old.backoff != config.backoff) {
        m_tracker.renewDeadlines([this](const PendingMessage& m) { return ackDeadline(m); });
        armAckTimer();
    }
    if (old.filterSubject != config.filterSubject || old.filterSubjects != config.filterSubjects) {
        m_cursor.setFilter(filterOf(config));
        recount();
        const store::StoreState state = m_stream.store().state();
        m_stream.recheckInterest(state.first, state.last);
    }
    if (m_started && old.deliverSubject != config.deliverSubject) {
        std::vector<StreamSeq> all;
        m_tracker.forEach([&](const PendingMessage& m) { all.push_back(m.seq); });
        for (const StreamSeq seq : all) {
            PendingMessage* pending = m_tracker.find(seq);
            if (config.maxDeliver > 0
                && static_cast<std::int64_t>(pending->deliveries) >= config.maxDeliver)
                giveUp(seq, pending->deliveries);
            else
                m_redelivery.push(*pending);
        }
        subscribeDelivery();
    }
    if (m_started && old.inactiveThreshold != config.inactiveThreshold) {
        m_lastActivity = m_context.clock.now();
        m_inactiveTimer.disarm();
        armInactive();
    }
    if (observed())
        emit({.seq = {}, .kind = FlowKind::ConsumerChanged});
    wake();
}

void Consumer::pause(std::optional<std::string> until)
{
    const bool changed = m_config.pauseUntil != until;
    m_config.pauseUntil = std::move(until);
    stampRequiredLevel(m_config);
    applyTimes();
    if (!changed)
        return;
    publishPause(m_context,
        {m_stream.name(), m_birth.name},
        isPaused(),
        m_config.pauseUntil.value_or(std::string()));
    if (observed())
        emit({.seq = {},
            .deadline = isPaused() ? toWall(m_pausedUntil) : 0,
            .kind = isPaused() ? FlowKind::ConsumerPaused : FlowKind::ConsumerResumed});
    // As the reference server: a resumption by request does not wake delivery, the next event does.
}

void Consumer::pauseEnded()
{
    m_pausedUntil = 0;
    publishPause(m_context,
        {m_stream.name(), m_birth.name},
        false,
        m_config.pauseUntil.value_or(std::string()));
    if (observed())
        emit({.seq = {}, .kind = FlowKind::ConsumerResumed});
    wake();
}

Result<StreamSeq> Consumer::reset(std::uint64_t seq)
{
    const StreamSeq to = seq == 0 ? m_tracker.floor.stream + 1 : StreamSeq(seq);
    // In the log before anything is changed and anybody is told, whenever the snapshot comes.
    if (m_persistent)
        if (auto written = m_keeper->writeFirst(
                {store::ConsumerRecord::Kind::Reset, m_birth.number, to, {}, 0, 0});
            !written)
            return written.error();
    const StreamSeq from = m_tracker.floor.stream;
    m_tracker.clear();
    m_tracker.forgetGivenUpIf([](StreamSeq) { return true; });
    m_redelivery.clear();
    m_settled.clear();
    if (m_persistent) {
        m_stream.noteOutcome({m_birth.number, {}, DeliveryState::Settled, 0, 0, {}});
        m_stream.writeHistory(); // what came before would be shown after a crash
    }
    m_cursor.moveTo(to);
    m_scanned = {};
    m_tracker.delivered = {ConsumerSeq(), to - 1};
    m_tracker.floor = m_tracker.delivered;
    m_lastDelivery = 0;
    m_lastAck = 0;
    m_ackTimer.disarm();
    recount();
    stateChangedInBulk();
    if (observed())
        emit({.seq = to, .kind = FlowKind::CursorMoved});
    if (to > from)
        m_stream.recheckInterest(from, to - 1);
    wake();
    return to;
}

void Consumer::unpin()
{
    m_priority.unpin();
    m_pinTimer.disarm();
    publishUnpinned(m_context, {m_stream.name(), m_birth.name}, m_priority.group(), "admin");
    if (observed())
        emit({.seq = {}, .kind = FlowKind::ConsumerUnpinned});
    wake();
}

void Consumer::pinTimedOut()
{
    m_priority.unpin();
    publishUnpinned(m_context, {m_stream.name(), m_birth.name}, m_priority.group(), "timeout");
    if (observed())
        emit({.seq = {}, .kind = FlowKind::ConsumerUnpinned});
    wake();
}

void Consumer::active()
{
    if (m_config.inactiveThreshold > 0)
        m_lastActivity = m_context.clock.now();
}

void Consumer::armInactive()
{
    if (m_config.inactiveThreshold <= 0 || !m_started || m_closed)
        return;
    if (m_config.isPush() && m_interest)
        return;
    m_putOff = false;
    const std::int64_t now = m_context.clock.now();
    const std::int64_t base = m_config.isPush() ? now : std::max(m_lastActivity, now);
    std::int64_t wait = m_config.inactiveThreshold;
    if (!m_config.isPush())
        wait = wait > std::numeric_limits<std::int64_t>::max() - jitter() ? wait : wait + jitter();
    m_inactiveTimer.arm(
        wait > base::TimerQueue::kNever - base - 1 ? base::TimerQueue::kNever - 1 : base + wait);
}

void Consumer::inactiveTimerFired()
{
    if (m_config.inactiveThreshold <= 0 || m_closed)
        return;
    const std::int64_t now = m_context.clock.now();
    if (m_config.isPush()) {
        if (m_interest)
            return;
    } else {
        const std::int64_t due = m_lastActivity + m_config.inactiveThreshold;
        if (due > now) {
            m_inactiveTimer.arm(due + jitter());
            return;
        }
        pruneUninterested();
        if (!m_pulls.empty()) {
            m_lastActivity = now;
            armInactive();
            return;
        }
        std::int64_t latest = 0;
        m_tracker.forEach([&](const PendingMessage& pending) {
            if (pending.deadline != base::TimerQueue::kNever)
                latest = std::max(latest, pending.deadline);
        });
        if (latest > now) {
            m_putOff = true;
            m_inactiveTimer.arm(latest + m_config.inactiveThreshold);
            return;
        }
    }
    deleteConsumer(m_stream,
        m_birth.name,
        [&stream = m_stream, name = m_birth.name](const Result<void>& done) {
            Consumer* left = done ? nullptr : findConsumer(stream, name);
            if (!left)
                return;
            left->m_context.log.error("consumer '" + name + "': " + done.error().text);
            left->armInactive();
        });
    // This object may be gone now.
}

void Consumer::rememberOutcome(StreamSeq seq, const SettledOutcome& outcome)
{
    m_settled.remember(seq, outcome);
    if (m_persistent)
        m_stream.noteOutcome(
            {m_birth.number, seq, outcome.state, outcome.deliveries, outcome.time, outcome.client});
}

void Consumer::recall(const store::OutcomeRow& row)
{
    // Numbers are given anew after a start: an earlier consumer may have had this one.
    if (row.time <= m_birth.created)
        return;
    m_settled.remember(row.seq, {row.state, row.deliveries, row.time, row.client});
}

/// In slices, in the order of the stream: what it stores later comes on top by onStored(), and
/// nothing is delivered meanwhile. A newer count takes the place of one that is under way.
void Consumer::recount()
{
    m_counting = std::make_shared<Counting>();
    m_stream.startWork([this, wanted = std::weak_ptr<Counting>(m_counting)](
                           const base::Slice& slice) { return count(wanted, slice); });
}

streams::WorkLine::Progress Consumer::count(
    const std::weak_ptr<Counting>& wanted, const base::Slice& slice)
{
    using Progress = streams::WorkLine::Progress;
    if (wanted.expired())
        return Progress::Done;
    // What has left and is yet to be told is not there to be counted, and would be taken off again.
    if (m_stream.owesRemovals()) {
        m_stream.settle();
        if (wanted.expired())
            return Progress::Done;
        if (m_stream.owesRemovals()) {
            m_context.turn.enlistWork(m_stream);
            return Progress::Waits;
        }
    }
    store::MessageStore& store = m_stream.store();
    if (!std::exchange(m_counting->begun, true)) {
        m_counting->tasks = m_cursor.countsUpTo(m_visible);
        m_numPending = m_cursor.listed(store);
    }
    for (store::CountTask& task : m_counting->tasks) {
        if (task.finished)
            continue;
        const std::uint64_t before = task.found.count;
        store.advance(task, slice);
        m_numPending += task.found.count - before;
        if (!task.finished)
            return Progress::More;
    }
    m_counting.reset();
    return Progress::Done;
}

/// How often a message that leaves is in num_pending: not by a count that has yet to come by it.
std::uint64_t Consumer::countedOf(StreamSeq seq, std::string_view subject) const
{
    const std::uint64_t all = m_cursor.weightOf(subject);
    if (!m_counting)
        return all;
    const auto open = std::count_if(
        m_counting->tasks.begin(), m_counting->tasks.end(), [&](const store::CountTask& task) {
            return !task.finished && seq >= task.from && seq.value() >= task.at && seq < task.below
                && task.filter.matches(subject);
        });
    return all - std::min(all, static_cast<std::uint64_t>(open));
}

void Consumer::stage(store::ConsumerRecord::Kind kind,
    StreamSeq seq,
    ConsumerSeq consumerSeq,
    std::int64_t time,
    std::uint32_t count)
{
    m_dirty = true;
    if (m_persistent)
        m_keeper->stage({kind, m_birth.number, seq, consumerSeq, time, count});
}

/// A purge or a reset: too much for records, so the whole state is written.
void Consumer::stateChangedInBulk()
{
    m_dirty = true;
    if (m_persistent)
        m_keeper->snapshot(false);
}

void Consumer::wake()
{
    if (m_started && !m_closed)
        m_context.turn.enlist(*this);
}

void Consumer::emit(FlowEvent&& event, const FlowText& text)
{
    event.stream = m_streamId;
    event.consumer = m_id;
    m_context.hub.emit(event, text);
}

std::int64_t Consumer::toWall(std::int64_t now) const
{
    return now + (m_context.clock.wallTime() - m_context.clock.now());
}

std::int64_t Consumer::toNow(std::int64_t wall) const
{
    return wall - (m_context.clock.wallTime() - m_context.clock.now());
}

} // namespace jetglass::consumers
