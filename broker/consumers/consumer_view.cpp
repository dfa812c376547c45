// SPDX-License-Identifier: GPL-3.0-or-later
// What others may see of a consumer: counts, the state of each message, and why one does not move.
#include "consumers/consumer.h"
#include "streams/stream.h"

namespace jetglass::consumers {

std::size_t Consumer::redeliveredCount() const
{
    return m_config.maxDeliver == 1 ? 0 : m_tracker.redelivered();
}

std::uint64_t Consumer::pendingCount() const
{
    if (m_numPending == 0)
        return 0;
    const store::StoreState state = m_stream.store().state();
    if (m_cursor.listed() > 0)
        return m_numPending;
    const StreamSeq next = m_cursor.next();
    if (next > state.last)
        return 0;
    return std::min({m_numPending, state.messages, state.last - next + 1});
}

std::int64_t Consumer::pauseRemaining() const
{
    return isPaused() ? m_pausedUntil - m_context.clock.now() : 0;
}

ConsumerCounts Consumer::counts()
{
    ConsumerCounts c;
    c.deliveredConsumerSeq = m_tracker.delivered.consumer;
    c.deliveredStreamSeq = m_tracker.delivered.stream;
    c.floorConsumerSeq = m_tracker.floor.consumer;
    c.floorStreamSeq = m_tracker.floor.stream;
    c.nextStreamSeq = m_cursor.next();
    c.ackPending = m_tracker.size();
    c.redelivered = redeliveredCount();
    c.waitingPulls = m_pulls.size();
    c.pending = pendingCount();
    c.redeliveryQueue = m_redelivery.size();
    c.pushBound = isPushBound();
    c.paused = isPaused();
    c.stalled = m_stalled != 0;
    c.pausedUntil = isPaused() ? toWall(m_pausedUntil) : 0;
    const std::int64_t due = m_tracker.nextDeadline();
    c.nextAckDue = due == base::TimerQueue::kNever ? 0 : toWall(due);
    c.lastPullAt = m_lastPull;
    return c;
}

DeliveryCell Consumer::cell(StreamSeq seq, std::string_view subject) const
{
    using State = PendingMessage::State;
    DeliveryCell cell;
    if (const PendingMessage* pending = m_tracker.find(seq)) {
        cell.state = pending->state == State::Queued ? DeliveryState::RedeliveryDue
            : pending->state == State::Naked         ? DeliveryState::Naked
            : pending->state == State::InProgress    ? DeliveryState::InProgress
                                                     : DeliveryState::Delivered;
        cell.deliveries = pending->deliveries;
        if (pending->deadline != base::TimerQueue::kNever)
            cell.deadline = toWall(pending->deadline);
        cell.since = toWall(pending->sentAt);
        cell.client = pending->client;
        cell.consumerSeq = pending->first;
        return cell;
    }
    if (const std::uint32_t deliveries = m_tracker.givenUp(seq); deliveries != 0) {
        cell.state = DeliveryState::Exhausted;
        cell.deliveries = deliveries;
        if (const auto outcome = m_settled.find(seq)) {
            cell.since = outcome->time;
            cell.client = outcome->client;
        }
        return cell;
    }
    if (const auto outcome = m_settled.find(seq); outcome && !m_cursor.isAhead(seq)) {
        cell.state = outcome->state;
        cell.deliveries = outcome->deliveries;
        cell.since = outcome->time;
        cell.client = outcome->client;
        return cell;
    }
    if (!subject.empty() && !matches(subject))
        cell.state = DeliveryState::NotMatched;
    else if (m_cursor.isAhead(seq))
        cell.state = DeliveryState::Waiting;
    else if (seq < m_cursor.begin())
        cell.state = DeliveryState::BeforeStart;
    else
        cell.state = DeliveryState::Settled;
    return cell;
}

std::vector<PullRow> Consumer::pulls()
{
    std::vector<PullRow> rows;
    for (const PullRequest& request : m_pulls.all()) {
        PullRow row;
        row.client = request.client;
        row.reply = request.reply;
        row.batchLeft = static_cast<std::uint64_t>(request.left);
        row.bytesLeft = request.bytesLeft;
        row.expires = request.expires == 0 ? 0 : toWall(request.expires);
        row.noWait = request.noWait;
        rows.push_back(std::move(row));
    }
    return rows;
}

namespace {

/// The numbers that a condition looks at, and when time alone frees it.
ConditionReport report(Condition condition, const DeliveryFacts& f, const MessageFacts& m)
{
    ConditionReport r;
    r.condition = condition;
    r.setting = settingOf(condition);
    switch (condition) {
    case Condition::NotPaused:
        r.freesAt = f.pausedUntil;
        break;
    case Condition::HasRequest:
        r.value = static_cast<std::int64_t>(f.requests);
        break;
    case Condition::FlowWindowOpen:
        r.value = static_cast<std::int64_t>(f.flowOut);
        r.limit = static_cast<std::int64_t>(f.flowWindow);
        break;
    case Condition::AckNotDue:
    case Condition::NakDelayOver:
        if (m.pending && m.pending->deadline != base::TimerQueue::kNever) {
            r.freesAt = m.pending->deadline;
            r.client = m.pending->client;
        }
        break;
    case Condition::UnderMaxDeliver:
        r.value = m.pending ? m.pending->deliveries : 0;
        r.limit = f.maxDeliver > 0 ? f.maxDeliver : 0;
        break;
    case Condition::SlotFree:
        r.value = static_cast<std::int64_t>(f.ackPending);
        r.limit = f.maxAckPending > 0 ? f.maxAckPending : 0;
        break;
    case Condition::IsNext:
        r.blocker = m.earlier;
        break;
    case Condition::RateAllows:
        r.freesAt = f.rateFreeAt;
        break;
    case Condition::PriorityAllows:
        r.value = static_cast<std::int64_t>(f.eligible);
        break;
    default:
        break;
    }
    return r;
}

} // namespace

void Consumer::explain(StreamSeq seq, ExplainAnswer& answer)
{
    store::MessageStore& store = m_stream.store();
    DeliveryFacts f = facts();
    f.eligible = 0;
    for (const PullRequest& request : m_pulls.all())
        if (m_priority.ask(request, m_numPending + m_redelivery.size(), m_tracker.size())
            != PriorityGroup::Answer::Skip)
            ++f.eligible;
    if (f.requests == 0)
        f.eligible = 1; // nobody asks: the missing request is what blocks, not the policy
    MessageFacts m;
    store::MessageView view;
    if (seq.isZero()) { // the consumer itself: about the message that it would take next
        seq = m_redelivery.front(m_tracker);
        if (seq.isZero() && m_cursor.peek(store, view))
            seq = view.seq;
    }
    m.stored = !seq.isZero() && store.load(seq, view);
    const std::string_view subject = m.stored ? view.subject : std::string_view();
    const DeliveryCell cell = this->cell(seq, subject);
    m.matches = !m.stored || matches(subject);
    m.afterStart = cell.state != DeliveryState::BeforeStart;
    m.pending = m_tracker.find(seq);
    m.settled = cell.state == DeliveryState::Acked || cell.state == DeliveryState::Terminated
        || cell.state == DeliveryState::Exhausted || cell.state == DeliveryState::Settled;
    std::uint64_t ahead = 0;
    if (m.pending) {
        if (m.pending->state == PendingMessage::State::Queued) {
            ahead = m_redelivery.ahead(m_tracker, seq);
            if (ahead > 0)
                m.earlier = m_redelivery.front(m_tracker);
        }
    } else if (cell.state == DeliveryState::Waiting && m.matches) {
        ahead = m_redelivery.size();
        m.earlier = m_redelivery.front(m_tracker);
        store::MessageView next;
        if (m_cursor.peek(store, next) && next.seq < seq) {
            if (m.earlier.isZero())
                m.earlier = next.seq;
            ahead += m_numPending > store.count(filter(), seq)
                ? m_numPending - store.count(filter(), seq)
                : 1;
        }
    }
    answer.state = cell.state;
    answer.deliveries = cell.deliveries;
    answer.ackFloor = m_tracker.floor.stream;
    if (const PendingMessage* first = m_tracker.firstFrom(StreamSeq()))
        answer.floorWaitsFor = first->seq;
    for (const Condition condition : kConditions) {
        ConditionReport r = report(condition, f, m);
        if (condition == Condition::IsNext)
            r.value = static_cast<std::int64_t>(ahead);
        if (r.freesAt != 0)
            r.freesAt = toWall(r.freesAt);
        const bool applies = m.stored && m.matches && m.afterStart && !m.settled;
        if ((condition > Condition::NotSettled && !applies)
            || (condition == Condition::HasInterest && !f.push)
            || (condition == Condition::HasRequest && f.push))
            r.verdict = Verdict::NotAsked;
        else
            r.verdict = passes(condition, f, m) ? Verdict::Passes : Verdict::Blocks;
        if (r.verdict != Verdict::Blocks)
            r.freesAt = 0;
        answer.conditions.push_back(std::move(r));
    }
}

} // namespace jetglass::consumers
