// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "streams/retention.h"
#include "streams/stream_state.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

/// Above this many messages consumers are told of a bulk removal instead of each message.
constexpr std::uint64_t kToldSingly = 10'000;
constexpr std::int64_t kTimerStep = 50'000'000;
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
    const bool toldSingly =
        !consumers.empty() && cause != Removal::WorkQueueAck && cause != Removal::InterestGone;
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

/// Everything below \a below goes by a limit: consumers that have it pending treat each as
/// terminated.
void Stream::Private::removeOldest(StreamSeq below, Removal cause)
{
    const store::StoreState state = store->state();
    if (below <= state.first)
        return;
    if (consumers.empty() || state.messages > kToldSingly + (state.last + 1 - below)) {
        removeRange(below, cause, ClientId{});
        return;
    }
    beginTurn();
    store::MessageView message;
    StreamSeq at = state.first;
    const std::int64_t now = context.clock.wallTime();
    while (store->loadNext(kAll, at, message) && message.seq < below) {
        Gone entry;
        entry.single = message.seq < turn.first;
        entry.subject = turn.keep(message.subject);
        entry.row = {message.seq,
            message.seq,
            1,
            store->sizeOf({message.subject, message.headers, message.payload, message.time}),
            cause,
            ClientId{},
            now};
        turn.gone.push_back(entry);
        at = message.seq + 1;
    }
    store->removeBelow(below, cause);
}

void Stream::Private::enforceLimits()
{
    const store::StoreState state = store->state();
    if (std::uint64_t excess = excessMessages(config, state.messages); excess > 0) {
        beginTurn();
        StreamSeq at = state.first;
        for (; excess > 0; --excess) {
            const StreamSeq next = store->findNext(kAll, at);
            if (next.isZero())
                break;
            at = next + 1;
        }
        removeOldest(at, Removal::MaxMsgs);
    }
    if (std::uint64_t excess = excessBytes(config, store->state().bytes); excess > 0) {
        beginTurn();
        store::MessageView message;
        StreamSeq at = store->state().first;
        while (excess > 0 && store->loadNext(kAll, at, message)) {
            const std::uint64_t size =
                store->sizeOf({message.subject, message.headers, message.payload, message.time});
            excess -= std::min(excess, size);
            at = message.seq + 1;
        }
        removeOldest(at, Removal::MaxBytes);
    }
}

std::uint64_t Stream::Private::removeRange(StreamSeq below, Removal cause, ClientId by)
{
    beginTurn();
    const store::StoreState state = store->state();
    const store::Removed removed = store->removeBelow(below, cause);
    if (removed.count == 0 && store->state().first == state.first)
        return 0;
    Gone entry;
    entry.purge = true;
    const StreamSeq last = std::min(below, state.last + 1) - 1;
    entry.row = {state.first,
        std::max(last, state.first),
        removed.count,
        removed.bytes,
        cause,
        by,
        context.clock.wallTime()};
    turn.gone.push_back(entry);
    return removed.count;
}

std::uint64_t Stream::Private::removeMatching(
    const std::string& filter, StreamSeq below, std::uint64_t keepCount, Removal cause, ClientId by)
{
    beginTurn();
    const store::StoreState state = store->state();
    const store::Removed removed =
        store->removeMatching(subjects::SubjectFilter({filter}), below, keepCount, cause);
    if (removed.count == 0)
        return 0;
    Gone entry;
    entry.purge = true;
    entry.byFilter = true;
    entry.subject = turn.keep(filter);
    const StreamSeq last = below.isZero() ? state.last : std::min(below - 1, state.last);
    entry.row = {
        state.first, last, removed.count, removed.bytes, cause, by, context.clock.wallTime()};
    turn.gone.push_back(entry);
    return removed.count;
}

/// The first sequence of the newest \a keepCount messages.
StreamSeq Stream::Private::sequenceKeeping(std::uint64_t keepCount) const
{
    const store::StoreState state = store->state();
    std::uint64_t low = state.first.value();
    std::uint64_t high = state.last.value();
    while (low < high) {
        const std::uint64_t middle = low + (high - low + 1) / 2;
        if (store->count(kAll, StreamSeq(middle)) >= keepCount)
            low = middle;
        else
            high = middle - 1;
    }
    return StreamSeq(low);
}

void Stream::Private::removeIfUnneeded(StreamSeq seq, std::string_view subject, Removal cause)
{
    for (const ConsumerPort* consumer : consumers)
        if (consumer->needs(seq, subject))
            return;
    removeOne(seq, cause, ClientId{});
}

void Stream::onSettled(StreamSeq seq)
{
    if (m->config.retention == Retention::Limits || !m->store->contains(seq))
        return;
    const bool queue = m->config.retention == Retention::WorkQueue;
    const Removal cause = queue ? Removal::WorkQueueAck : Removal::InterestGone;
    if (queue || m->consumers.size() == 1) {
        // Nobody else can need it; the one that settled it is asked without its subject being read
        // from the store.
        m->removeOne(seq, cause, ClientId{});
        return;
    }
    store::MessageView message;
    if (m->store->load(seq, message)) {
        const std::string subject(message.subject);
        m->removeIfUnneeded(seq, subject, cause);
    }
}

void Stream::recheckInterest(StreamSeq first, StreamSeq last)
{
    if (m->config.retention != Retention::Interest)
        return;
    m->addChore([this, at = std::max(first, StreamSeq(1)), last]() mutable {
        constexpr int kSlice = 200;
        store::MessageView message;
        for (int i = 0; i < kSlice; ++i) {
            if (!m->store->loadNext(kAll, at, message) || message.seq > last)
                return true;
            at = message.seq + 1;
            const std::string subject(message.subject);
            m->removeIfUnneeded(message.seq, subject, Removal::InterestGone);
        }
        return false;
    });
}

void Stream::Private::expireByAge(std::int64_t wallTime)
{
    const auto cutoff = ageCutoff(config, wallTime);
    if (!cutoff || store->state().messages == 0)
        return;
    if (!ttls.anyNever() && config.subjectDeleteMarkerTtl == 0) {
        const StreamSeq keepFrom = store->seqAtTime(*cutoff + 1);
        if (keepFrom > store->state().first)
            removeOldest(keepFrom, Removal::MaxAge);
        return;
    }
    store::MessageView message;
    StreamSeq at = store->state().first;
    while (store->loadNext(kAll, at, message) && message.time <= *cutoff) {
        at = message.seq + 1;
        if (!ttls.never(message.seq))
            expireOne(message.seq, Removal::MaxAge);
    }
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
    expireByTtl(now);
    expireByAge(now);
    dedup.expire(now);
    armTimer();
}

/// One timer serves age, TTL and the window of ids; it does not fire more often than every 50 ms.
void Stream::Private::armTimer()
{
    std::int64_t next = base::TimerQueue::kNever;
    const store::StoreState state = store->state();
    if (config.maxAge > 0 && state.messages > 0)
        next = std::min(next, state.firstTime + config.maxAge);
    if (const auto ttl = ttls.next())
        next = std::min(next, *ttl);
    if (const std::int64_t expiry = dedup.nextExpiry(); expiry != 0)
        next = std::min(next, expiry);
    if (next == base::TimerQueue::kNever)
        return timer.disarm();
    timer.arm(context.clock.now() + std::max(next - context.clock.wallTime(), kTimerStep));
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
        StreamSeq at = state.first;
        while (store->loadNext(kAll, at, message)) {
            at = message.seq + 1;
            if (const auto ttl = parseTtl(headerValue(message.headers, "Nats-TTL")))
                indexTtl(message.seq, message.time, *ttl);
        }
    }
    if (dedup.on()) {
        StreamSeq at = store->seqAtTime(now - config.duplicateWindow + 1);
        while (store->loadNext(kAll, at, message)) {
            at = message.seq + 1;
            if (const std::string_view msgId = headerValue(message.headers, "Nats-Msg-Id");
                !msgId.empty())
                dedup.add(msgId, message.seq, message.time);
        }
    }
    if (store->load(state.last, message))
        lastMsgId = headerValue(message.headers, "Nats-Msg-Id");
    expireByTtl(now);
    expireByAge(now);
}

} // namespace jetglass::streams
