// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "streams/retention.h"
#include "streams/stream_removing.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kTimerStep = 50'000'000;
constexpr std::int64_t kRetryAfter = 1'000'000'000;
constexpr std::size_t kTtlSlice = 2'000;

const subjects::SubjectFilter kAll;

} // namespace

void Stream::Private::note(const Gone& entry)
{
    beginTurn();
    if (!turn.gone.empty() && entry.row.count == 1 && !entry.single && !entry.byFilter) {
        // Acks of a work queue come in order: one range instead of a row each.
        Gone& last = turn.gone.back();
        if (!last.single && !last.byFilter && last.purge == entry.purge
            && last.row.cause == entry.row.cause && last.row.client == entry.row.client
            && last.row.last + 1 == entry.row.first) {
            last.row.last = entry.row.last;
            ++last.row.count;
            last.row.bytes += entry.row.bytes;
            return;
        }
    }
    turn.gone.push_back(entry);
}

bool Stream::Private::removeOne(StreamSeq seq, Removal cause, ClientId by, bool erase)
{
    beginTurn();
    Gone entry;
    // Those who settled it know; others may wait for an ack of what they do not need any more.
    const bool settled = cause == Removal::WorkQueueAck || cause == Removal::InterestGone;
    const bool toldSingly = settled ? std::any_of(consumers.begin(),
                                consumers.end(),
                                [seq](const ConsumerPort* one) { return one->holds(seq); })
                                    : !consumers.empty();
    if (toldSingly) {
        store::MessageView message;
        if (store->load(seq, message)) {
            entry.subject = turn.keep(message.subject);
            entry.single = seq < turn.first;
        }
    }
    const std::uint64_t before = store->state().bytes;
    if (!store->remove(seq, cause, erase))
        return false;
    entry.row = {seq,
        seq,
        1,
        before - std::min(before, store->state().bytes),
        cause,
        by,
        context.clock.wallTime()};
    note(entry);
    return true;
}

void Stream::Private::removeExcessOf(std::string_view subject)
{
    const auto totals = store->subject(subject);
    if (!totals)
        return;
    for (std::uint64_t left = excessOfSubject(config, totals->count); left > 0; --left) {
        const StreamSeq oldest = store->firstOf(subject);
        if (oldest.isZero() || !removeOne(oldest, Removal::MaxPerSubject, ClientId{}))
            return;
    }
}

/// Where the limits of the whole stream cut; the stream's first sequence if nothing is over them.
StreamSeq Stream::Private::belowLimits(Removal& cause) const
{
    const store::StoreState state = store->state();
    StreamSeq below = state.first;
    if (const std::uint64_t excess = excessMessages(config, state.messages); excess > 0) {
        below = store->firstOfNewest(state.messages - excess);
        cause = Removal::MaxMsgs;
    }
    if (const std::uint64_t excess = excessBytes(config, state.bytes); excess > 0) {
        const StreamSeq behind = store->firstBehind(excess);
        if (behind > below) {
            below = behind;
            cause = Removal::MaxBytes;
        }
    }
    return below;
}

/// What a turn has stored pushes out about as much; more than that is long work.
void Stream::Private::enforceLimits()
{
    if (limiting)
        return;
    Removal cause = Removal::None;
    const StreamSeq below = belowLimits(cause);
    const store::StoreState state = store->state();
    if (below <= state.first)
        return;
    if (below - state.first > turn.staged.size() + kToldSingly)
        return startLimits();
    beginTurn();
    store::RemovalTask task;
    task.below = below;
    task.cause = cause;
    removeTelling(task, {});
    if (task.removed.count == 0)
        return;
    Gone entry;
    entry.row = {task.first,
        task.last,
        task.removed.count,
        task.removed.bytes,
        cause,
        ClientId{},
        context.clock.wallTime()};
    turn.gone.push_back(entry);
}

void Stream::Private::noteCopying()
{
    copying = std::any_of(consumers.begin(), consumers.end(), [](const ConsumerPort* one) {
        return one->config().direct || one->config().sourcing;
    });
}

void Stream::Private::removeIfUnneeded(StreamSeq seq, std::string_view subject, Removal cause)
{
    for (const ConsumerPort* consumer : consumers)
        if (consumer->needs(seq, subject))
            return;
    for (const Follower* follower : followers)
        if (follower->isHidden() && follower->matches(subject) && !follower->hasRead(seq))
            return;
    removeOne(seq, cause, ClientId{});
}

void Stream::onSettled(StreamSeq seq)
{
    if (m->config.retention == Retention::Limits || !m->store->contains(seq))
        return;
    if (m->line.holdsAll()) {
        // A consumer that is about to come or to change may want it, one that goes no longer does.
        m->settledMeanwhile.push_back(seq);
        return;
    }
    const bool queue = m->config.retention == Retention::WorkQueue;
    if (m->consumers.size() == 1 && (queue || followerCount() == 0)) // nobody else can need it
        m->removeOne(seq, queue ? Removal::WorkQueueAck : Removal::InterestGone, ClientId{});
    else
        m->removeSettled(seq);
}

/// Whoever has settled it may be gone.
void Stream::Private::removeSettled(StreamSeq seq)
{
    if (!store->contains(seq))
        return;
    const bool queue = config.retention == Retention::WorkQueue;
    if (queue && !copying) {
        // The consumers of a queue share nothing unless one of them copies. Its subject need not be
        // read from the store.
        removeOne(seq, Removal::WorkQueueAck, ClientId{});
        return;
    }
    store::MessageView message;
    if (store->load(seq, message)) {
        const std::string subject(message.subject);
        removeIfUnneeded(seq, subject, queue ? Removal::WorkQueueAck : Removal::InterestGone);
    }
}

void Stream::recheckInterest(StreamSeq first, StreamSeq last, Recheck which)
{
    if (m->config.retention != Retention::Interest || m->leaving)
        return;
    m->addChore([this, which, at = std::max(first, StreamSeq(1)), last]() mutable {
        constexpr std::size_t kSlice = 200;
        std::vector<std::pair<StreamSeq, std::string>> some;
        m->store->visit(kAll, at, [&some, last](const store::IndexedMessage& message) {
            if (message.seq > last)
                return false;
            some.emplace_back(message.seq, message.subject);
            return some.size() < kSlice;
        });
        for (const auto& [seq, subject] : some)
            if (which == Recheck::All
                || std::any_of(m->consumers.begin(),
                    m->consumers.end(),
                    [&text = subject](const ConsumerPort* one) { return one->matches(text); }))
                m->removeIfUnneeded(seq, subject, Removal::InterestGone);
        if (some.size() < kSlice)
            return true;
        at = some.back().first + 1;
        return false;
    });
}

void Stream::Private::expireByTtl(std::int64_t wallTime)
{
    for (const StreamSeq seq : ttls.takeDue(wallTime, kTtlSlice))
        expireOne(seq, Removal::Ttl);
}

/// Removes one message whose time is over; the last one of its subject leaves a marker if the
/// stream wants that.
void Stream::Private::expireOne(StreamSeq seq, Removal cause)
{
    store::MessageView message;
    if (!store->load(seq, message))
        return;
    if (config.subjectDeleteMarkerTtl > 0
        && headerValue(message.headers, "Nats-Marker-Reason").empty()
        && headerValue(message.headers, "KV-Operation") != "PURGE") {
        const std::string subject(message.subject);
        const auto totals = store->subject(subject);
        if (totals && totals->last == seq && totals->count == 1) {
            removeOne(seq, cause, ClientId{});
            storeMarker(subject);
            return;
        }
    }
    removeOne(seq, cause, ClientId{});
}

void Stream::Private::storeMarker(const std::string& subject)
{
    beginTurn();
    std::string block = withHeader({}, "Nats-Marker-Reason", "MaxAge");
    block = withHeader(block, "Nats-TTL", base::goDuration(config.subjectDeleteMarkerTtl));
    block = withHeader(block, "Nats-Rollup", "sub");
    const std::int64_t now = context.clock.wallTime();
    Staged& entry = turn.staged.emplace_back();
    entry.kind = PublishVerdict::Kind::Store;
    if (context.hub.active())
        entry.subjectHash = subjects::hash(subject);
    entry.seq = store->append({subject, block, {}, now});
    indexTtl(entry.seq, now, config.subjectDeleteMarkerTtl);
}

void Stream::Private::onTimer()
{
    const std::int64_t now = context.clock.wallTime();
    notBefore = context.clock.now() + kTimerStep;
    // What is under way may not lose messages under its feet.
    if (!line.busy())
        expireByTtl(now);
    startExpiry();
    retryRemovals();
    dedup.expire(now);
    armTimer();
}

/// One timer serves age, TTL and the window of ids; it does not fire more often than every 50 ms.
/// Those count from its last round: each turn comes by here, and a busy stream must not put off
/// what is due.
void Stream::Private::armTimer()
{
    std::int64_t next = base::TimerQueue::kNever;
    if (config.maxAge > 0)
        if (const auto oldest = oldestAging())
            next = std::min(next, oldest->second + config.maxAge);
    if (const auto ttl = ttls.next())
        next = std::min(next, *ttl);
    if (const std::int64_t expiry = dedup.nextExpiry(); expiry != 0)
        next = std::min(next, expiry);
    if (!unremoved.empty())
        next = std::min(next, context.clock.wallTime() + kRetryAfter);
    if (next == base::TimerQueue::kNever)
        return timer.disarm();
    const std::int64_t due = context.clock.now() + (next - context.clock.wallTime());
    timer.arm(std::max(due, notBefore));
}

/// What is not kept on disk: the ids inside the window, the last id, and the deadlines of single
/// messages.
void Stream::Private::recoverIndexes()
{
    const store::StoreState state = store->state();
    if (state.messages == 0)
        return;
    const std::int64_t now = context.clock.wallTime();
    store::MessageView message;
    if (config.allowMsgTtl) {
        StreamSeq at = store->skipPlain(state.first);
        while (store->loadNext(kAll, at, message)) {
            at = store->skipPlain(message.seq + 1);
            if (const auto ttl = parseTtl(headerValue(message.headers, "Nats-TTL")))
                indexTtl(message.seq, message.time, *ttl);
        }
    }
    if (dedup.on()) {
        StreamSeq at = store->skipPlain(store->seqAtTime(now - config.duplicateWindow + 1));
        while (store->loadNext(kAll, at, message)) {
            at = store->skipPlain(message.seq + 1);
            if (const std::string_view msgId = headerValue(message.headers, "Nats-Msg-Id");
                !msgId.empty())
                dedup.add(msgId, message.seq, message.time);
        }
    }
    if (store->load(state.last, message))
        lastMsgId = headerValue(message.headers, "Nats-Msg-Id");
    expireByTtl(now);
    startExpiry();
    if (config.maxMsgsPerSubject > 0)
        startSubjectLimit();
    startLimits();
}

} // namespace jetglass::streams
