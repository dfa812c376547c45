// SPDX-License-Identifier: GPL-3.0-or-later
// What takes longer than a slice of the loop (contracts.md 1), and what waits behind it.
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/retention.h"
#include "streams/stream_removing.h"

#include <algorithm>
#include <utility>

namespace jetglass::streams {
namespace {

const subjects::SubjectFilter kWhole;
constexpr std::size_t kToldAtOnce = 256;
/// What a waiting publish costs besides its bytes.
constexpr std::size_t kParkedCost = 256;

} // namespace

bool Stream::busy() const
{
    return m->line.busy();
}

bool Stream::holdsAll() const
{
    return m->line.holdsAll();
}

bool Stream::owesRemovals() const
{
    const Private::Round& turn = m->turn;
    return !turn.told.empty()
        || std::any_of(turn.gone.begin(), turn.gone.end(), [](const Private::Gone& entry) {
               return entry.single;
           });
}

bool Stream::defer(std::function<void()> call)
{
    if (!m->line.running())
        return false;
    m->afterLine = std::move(call);
    m->line.stop();
    return true;
}

std::vector<std::function<void()>> Stream::leave()
{
    if (m->upstreams)
        m->upstreams->leave();
    m->leaving = true;
    return m->line.drop();
}

void Stream::saveFirst(std::function<void(Saved)> save, Saved then, WorkLine::Holds holds)
{
    struct Saving
    {
        bool begun = false;
        bool inside = false;
        std::optional<Result<void>> result;
    };
    auto saving = std::make_shared<Saving>();
    const auto step = [this, saving, save = std::move(save), then = std::move(then)](
                          const base::Slice&) {
        if (!std::exchange(saving->begun, true)) {
            saving->inside = true;
            save([this, saving, life = std::weak_ptr<char>(m->life)](const Result<void>& result) {
                saving->result = result;
                if (!saving->inside && !life.expired())
                    work(m->context.turn.slice());
            });
            saving->inside = false;
        }
        if (!saving->result)
            return WorkLine::Progress::Waits;
        then(*saving->result);
        return WorkLine::Progress::Done;
    };
    startWork(step, holds);
}

void Stream::inOrder(std::function<void()> call)
{
    if (!m->line.busy())
        return call();
    auto step = [call](const base::Slice&) {
        call();
        return WorkLine::Progress::Done;
    };
    m->line.add(std::move(step), WorkLine::Holds::Requests, 0, std::move(call));
}

void Stream::startWork(WorkLine::Step step, WorkLine::Holds holds)
{
    if (m->line.running())
        return m->line.addNext(std::move(step), holds);
    const bool first = !m->line.busy();
    m->line.add(std::move(step), holds);
    if (first)
        work(m->context.turn.slice());
}

void Stream::work(const base::Slice& slice)
{
    const bool held = m->line.holdsAll();
    const bool more = m->line.run(slice);
    if (const auto last = std::exchange(m->afterLine, nullptr))
        return last();
    if (more || (!slice.over() && !m->chores.empty()))
        m->goOn();
    if (held && !m->line.holdsAll()) {
        for (const StreamSeq seq : std::exchange(m->settledMeanwhile, {}))
            m->removeSettled(seq);
        if (m->upstreams)
            m->upstreams->goOn();
        for (ConsumerPort* consumer : m->consumers)
            consumer->onStreamChanged();
    }
    m->runChores(slice);
}

void Stream::Private::goOn()
{
    context.turn.enlistWork(self);
}

/// Cleaning up that nothing has to wait for.
void Stream::Private::runChores(const base::Slice& slice)
{
    if (chores.empty() || line.busy())
        return;
    do {
        if (chores.front()())
            chores.pop_front();
    } while (!chores.empty() && !slice.over());
    if (!chores.empty())
        goOn();
}

/// Keeps a publish until its turn comes. The real server answers the same when its queue is full.
void Stream::Private::park(const Inbound& message)
{
    if (line.full()) {
        if (message.reply.empty() || config.noAck)
            return;
        Round refused;
        refused.errors.push_back(Error::api(429, 10167, "too many requests"));
        Staged entry;
        entry.kind = PublishVerdict::Kind::Refuse;
        entry.client = message.sender->id;
        entry.reply = refused.keep(message.reply);
        sendAck(refused, entry);
        return;
    }
    const std::size_t bytes = kParkedCost + message.subject.size() + message.reply.size()
        + message.headers.size() + message.payload.size();
    line.add(
        [this,
            subject = std::string(message.subject),
            reply = std::string(message.reply),
            headers = std::string(message.headers),
            payload = std::string(message.payload),
            client = message.sender->id](const base::Slice&) {
            Sender sender;
            sender.id = client;
            sender.account = context.account;
            publish({subject, reply, headers, payload, &sender});
            return Progress::Done;
        },
        WorkLine::Holds::All,
        bytes,
        [&bus = context.bus,
            front = ackStart,
            reply = std::string(config.noAck ? "" : message.reply)] {
            // As a publish that comes when nobody listens any more, in words.
            if (!reply.empty())
                bus.publish({reply, {}, {}, refusal(errors::streamNotFound(), front)});
        });
}

void Stream::Private::startRemoving(Removing removing)
{
    auto kept = std::make_shared<Removing>(std::move(removing));
    self.startWork([this, kept](const base::Slice& slice) { return remove(*kept, slice); });
}

/// The limits of the whole stream, after a change or when it is opened.
void Stream::Private::startLimits()
{
    Removal cause = Removal::None;
    if (limiting || (!line.busy() && belowLimits(cause) <= store->state().first))
        return;
    limiting = true;
    startRemoving({.byLimits = true, .tells = true});
}

void Stream::Private::startExpiry()
{
    const auto cutoff = ageCutoff(config, context.clock.wallTime());
    if (!cutoff || expiring)
        return;
    const auto oldest = oldestAging();
    if (!oldest || oldest->second > *cutoff)
        return;
    expiring = true;
    if (!ttls.anyNever() && config.subjectDeleteMarkerTtl == 0)
        return startRemoving({.byAge = true, .tells = true, .cause = Removal::MaxAge});
    self.startWork([this, at = oldest->first](
                       const base::Slice& slice) mutable { return expireSingly(at, slice); });
}

/// Messages that never expire may stand before it. What was found is remembered while it is stored:
/// each turn asks.
std::optional<std::pair<StreamSeq, std::int64_t>> Stream::Private::oldestAging()
{
    const store::StoreState state = store->state();
    if (state.messages == 0)
        return std::nullopt;
    if (!ttls.anyNever())
        return std::pair(state.first, state.firstTime);
    if (aging && !aging->second && aging->first >= state.last)
        return std::nullopt; // all that is stored stays
    if (aging && aging->second && store->contains(aging->first))
        return std::pair(aging->first, *aging->second);
    const StreamSeq from = aging ? std::max(aging->first, state.first) : state.first;
    aging = {state.last, std::nullopt};
    store->visit(kWhole, from, [this](const store::IndexedMessage& message) {
        if (ttls.never(message.seq))
            return true;
        aging = {message.seq, message.time};
        return false;
    });
    if (!aging->second)
        return std::nullopt;
    return std::pair(aging->first, *aging->second);
}

/// Some of the old ones stay, or leave a marker: they are looked at one by one.
WorkLine::Progress Stream::Private::expireSingly(StreamSeq& at, const base::Slice& slice)
{
    const auto cutoff = ageCutoff(config, context.clock.wallTime());
    do {
        StreamSeq seq;
        if (cutoff)
            store->visit(kWhole, at, [&](const store::IndexedMessage& message) {
                if (message.time > *cutoff)
                    return false;
                seq = message.seq;
                return ttls.never(message.seq);
            });
        if (seq.isZero()) {
            expiring = false;
            armTimer();
            return Progress::Done;
        }
        at = seq + 1;
        if (!ttls.never(seq))
            expireOne(seq, Removal::MaxAge);
    } while (!slice.over());
    return Progress::More;
}

/// Nothing is read when no subject holds too many.
void Stream::Private::startSubjectLimit()
{
    self.startWork(
        [this, position = std::uint64_t{0}, over = false](const base::Slice& slice) mutable {
            const auto look = [this, &over](std::string_view, std::uint64_t count) {
                over = over || excessOfSubject(config, count) > 0;
            };
            if (!over && !store->walkSubjects(position, kWhole, slice, look))
                return Progress::More;
            if (over && config.maxMsgsPerSubject > 0)
                startRemoving({.perSubject = static_cast<std::uint64_t>(config.maxMsgsPerSubject),
                    .cause = Removal::MaxPerSubject});
            return Progress::Done;
        });
}

/// As many as consumers are told of one by one; their subjects come from the index.
void Stream::Private::removeTelling(store::RemovalTask& task, const base::Slice& slice)
{
    do {
        std::size_t count = 0;
        store::RemovalTask part;
        part.below = task.below;
        part.cause = task.cause;
        if (!consumers.empty())
            store->visit(kWhole, store->state().first, [&](const store::IndexedMessage& message) {
                if (message.seq >= task.below || count == kToldAtOnce)
                    return false;
                ++count;
                part.below = message.seq + 1;
                if (message.seq < turn.first)
                    turn.told.push_back({message.seq, task.cause, turn.keep(message.subject)});
                return true;
            });
        if (count < kToldAtOnce)
            part.below = task.below;
        store->advance(part, {});
        if (part.removed.count > 0) {
            task.first = task.first.isZero() ? part.first : task.first;
            task.last = part.last;
        }
        task.removed.count += part.removed.count;
        task.removed.bytes += part.removed.bytes;
        if (count < kToldAtOnce)
            task.phase = store::RemovalTask::Phase::Finished;
    } while (!task.finished() && !slice.over());
}

WorkLine::Progress Stream::Private::remove(Removing& r, const base::Slice& slice)
{
    if (!r.begun) {
        r.begun = true;
        r.before = store->state();
        if (!r.filter.empty())
            r.task.filter = subjects::SubjectFilter({r.filter});
        r.task.below = r.below;
        r.task.keep = r.keep;
        r.task.perSubject = r.perSubject;
        r.task.forward = r.forward;
        if (r.byLimits)
            r.task.below = belowLimits(r.cause);
        else if (r.byAge)
            if (const auto cutoff = ageCutoff(config, context.clock.wallTime()))
                r.task.below = store->seqAtTime(*cutoff + 1);
        r.task.cause = r.cause;
        const bool nothing = r.before.last.isZero() && !r.forward;
        const bool limits = r.byLimits || r.byAge;
        if (nothing || (limits && r.task.below <= r.before.first))
            r.task.phase = store::RemovalTask::Phase::Finished;
        const std::uint64_t staying =
            limits ? r.before.last + 1U - std::min(r.before.last + 1U, r.task.below) : 0;
        r.tells = limits && !consumers.empty() && r.before.messages <= kToldSingly + staying;
    } else {
        // What the part before has staged is written before this one begins.
        self.settle();
        if (failures != r.failures)
            return finish(r, nullptr);
        r.written = r.task;
    }
    r.failures = failures;
    ++r.parts;
    beginTurn();
    if (!broken.empty()) {
        const Error refused = errors::storeFailed(broken);
        return finish(r, &refused);
    }
    if (r.task.finished())
        return finish(r, nullptr);
    if (r.tells)
        removeTelling(r.task, slice);
    else
        store->advance(r.task, slice);
    if (!r.task.finished())
        return Progress::More;
    if (r.parts > 1) {
        self.settle();
        if (failures == r.failures)
            r.written = r.task;
    }
    return finish(r, nullptr);
}

WorkLine::Progress Stream::Private::finish(Removing& r, const Error* error)
{
    limiting = limiting && !r.byLimits;
    expiring = expiring && !r.byAge;
    const bool failed = failures != r.failures;
    if (failed || error)
        r.task = r.written;
    beginTurn();
    const store::RemovalTask& task = r.task;
    const bool moved = r.forward && store->state().first != r.before.first;
    const bool found = task.removed.count > 0 || moved;
    if (found || (r.cause == Removal::Purge && !failed && !error)) {
        const bool whole = r.filter.empty() && r.perSubject == 0;
        const StreamSeq behind =
            task.below.isZero() ? r.before.last + 1 : std::min(task.below, r.before.last + 1);
        Gone entry;
        entry.purge = !r.tells || !found;
        entry.nothing = !found;
        entry.byFilter = !whole;
        if (!whole)
            entry.subject = turn.keep(r.filter.empty() ? ">" : r.filter);
        entry.row = {r.before.first,
            whole ? std::max({task.last, r.before.first, r.keep > 0 ? task.last : behind - 1})
                  : behind - 1,
            task.removed.count,
            task.removed.bytes,
            r.cause,
            r.by,
            context.clock.wallTime()};
        turn.gone.push_back(entry);
    }
    if (r.byAge)
        armTimer();
    if (!r.done)
        return Progress::Done;
    if (failed)
        r.done(errors::storeFailed("the removal could not be written"));
    else if (error)
        r.done(*error);
    else
        turn.waiting.push_back({std::move(r.done), task.removed.count});
    // Whoever has waited for it hears before what waits behind it is done.
    if (r.parts > 1)
        self.settle();
    return Progress::Done;
}

} // namespace jetglass::streams
