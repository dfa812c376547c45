// SPDX-License-Identifier: GPL-3.0-or-later
// Message schedules (streams.md 8.4): what is stored as a schedule, and what is published when one
// fires. The index follows what is committed, so nothing of it has to be taken back.
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/schedule_rules.h"
#include "streams/stream_removing.h"
#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::streams {
namespace {

/// What is due already fires so much later, as in the reference server.
constexpr std::int64_t kFiringDelay = 250'000'000;
constexpr std::size_t kFiringSlice = 256;

} // namespace

void Stream::Private::emitSchedule(FlowKind kind,
    StreamSeq seq,
    std::string_view subject,
    std::int64_t deadline,
    std::uint64_t second)
{
    if (!context.hub.active())
        return;
    FlowEvent out = event(kind);
    out.seq = seq;
    out.second = second;
    out.deadline = deadline;
    out.subjectHash = subjects::hash(subject);
    FlowText words;
    words.subject = subject;
    context.hub.emit(out, words);
}

void Stream::Private::endSchedule(std::string_view subject)
{
    const StreamSeq seq = schedules.remove(subject);
    if (!seq.isZero())
        emitSchedule(FlowKind::ScheduleEnded, seq, subject, 0);
}

/// After a commit: what was stored sets, moves or ends schedules.
void Stream::Private::noteSchedules()
{
    if (!config.allowMsgSchedules)
        return;
    for (std::size_t i = 0; i < done.staged.size(); ++i)
        if (done.staged[i].kind == PublishVerdict::Kind::Store)
            noteSchedule(done.staged[i]);
    armScheduleTimer();
}

void Stream::Private::noteSchedule(const Staged& entry)
{
    store::MessageView message;
    if (!store->load(entry.seq, message))
        return;
    const std::string subject(message.subject);
    const std::string block(message.headers);
    const std::int64_t now = context.clock.wallTime();
    const std::string_view scheduler = headerValue(block, "Nats-Scheduler");
    if (const auto schedule = readSchedule(block, message.time, now)) {
        schedules.set(subject, entry.seq, schedule->firing.at, now + kFiringDelay);
        emitSchedule(FlowKind::ScheduleSet, entry.seq, subject, schedule->firing.at);
    } else if (scheduler.empty()) {
        endSchedule(subject);
    }
    const std::string_view next = headerValue(block, "Nats-Schedule-Next");
    if (next.empty() || scheduler.empty())
        return;
    const auto time = next == kSchedulePurge ? std::nullopt : base::parseRfc3339(next);
    if (entry.product)
        emitSchedule(FlowKind::ScheduleFired,
            schedules.find(scheduler),
            scheduler,
            time.value_or(0),
            entry.seq.value());
    if (next == kSchedulePurge)
        endSchedule(scheduler);
    else if (time)
        schedules.move(scheduler, *time, now + kFiringDelay);
}

/// Fires what is due, and waits for the next.
void Stream::Private::armScheduleTimer()
{
    const auto next = schedules.next();
    if (!next)
        return scheduleTimer.disarm();
    const std::int64_t wait = *next - context.clock.wallTime();
    if (wait > 0)
        return scheduleTimer.arm(context.clock.now() + wait);
    scheduleTimer.disarm();
    if (following)
        return scheduleTimer.arm(context.clock.now());
    if (std::exchange(firingWaits, true))
        return;
    self.startWork([this](const base::Slice&) {
        firingWaits = false;
        fireSchedules();
        return Progress::Done;
    });
}

void Stream::Private::fireSchedules()
{
    for (const Schedules::Due& due : schedules.takeDue(context.clock.wallTime(), kFiringSlice))
        fire(due);
    armScheduleTimer();
}

void Stream::Private::fire(const Schedules::Due& due)
{
    const std::int64_t now = context.clock.wallTime();
    store::MessageView message;
    std::string block;
    std::string payload;
    if (store->load(due.seq, message)) {
        block = message.headers;
        payload = message.payload;
    }
    const auto schedule = readSchedule(block, due.at, now);
    if (!schedule)
        return endSchedule(due.subject); // it has been purged or deleted
    std::string content = block;
    const auto totals = schedule->source.empty() ? std::nullopt : store->subject(schedule->source);
    if (totals && totals->count > 0 && store->load(totals->last, message)) {
        content = message.headers;
        payload = message.payload;
    }
    const std::int64_t next = schedule->firing.repeats ? schedule->firing.at : 0;
    stageProduct(due,
        schedule->target,
        productHeaders(content, due.subject, *schedule, next),
        payload,
        next);
}

/// Stored as what it is: the rules for clients' headers were asked of the schedule.
void Stream::Private::stageProduct(const Schedules::Due& due,
    std::string_view target,
    std::string_view block,
    std::string_view payload,
    std::int64_t next)
{
    beginTurn();
    Sender sender;
    const Inbound message{target, {}, block, payload, &sender};
    const std::string subject = transformed(target);
    const PublishHeaders headers = PublishHeaders::find(block);
    PublishFacts facts = factsFor(subject);
    facts.from = PublishFacts::From::Source;
    PublishVerdict verdict;
    if (broken.empty()) {
        verdict = checkPublish(facts, subject, block, headers, payload);
    } else {
        verdict.kind = PublishVerdict::Kind::Refuse;
        verdict.error = errors::storeFailed(broken);
    }
    if (verdict.kind == PublishVerdict::Kind::Refuse) {
        context.log.error("stream '" + config.name + "': schedule on '" + due.subject
            + "' could not publish: " + verdict.error.text);
        refuse(subject, message, std::move(verdict.error));
        if (next != 0)
            schedules.move(due.subject, next, context.clock.wallTime() + kFiringDelay);
        else
            endSchedule(due.subject);
        return;
    }
    Staged& entry = newEntry(verdict.kind, subject, message);
    entry.product = true;
    stageStored(subject, block, headers, payload, verdict, entry);
    const bool skipped = verdict.kind == PublishVerdict::Kind::Skip;
    stageRemovals(verdict, subject, headers, entry.seq);
    if (!skipped)
        return;
    // Nobody is interested, so there is no message from which the index could learn.
    if (next != 0)
        schedules.move(due.subject, next, context.clock.wallTime() + kFiringDelay);
    else
        endSchedule(due.subject);
}

/// What the stream holds at start: the newest message of a subject decides, but for products, which
/// end no schedule.
void Stream::Private::recoverSchedules()
{
    schedules.clear();
    std::vector<std::pair<std::string, StreamSeq>> subjects;
    store->forEachSubject({}, [&](std::string_view subject, const store::SubjectTotals& totals) {
        if (totals.count > 0)
            subjects.emplace_back(subject, totals.last);
        return true;
    });
    for (const auto& [subject, last] : subjects)
        recoverSchedule(subject, last);
    armScheduleTimer();
}

void Stream::Private::recoverSchedule(std::string_view subject, StreamSeq last)
{
    store::MessageView message;
    bool found = store->load(last, message);
    const subjects::SubjectFilter filter({std::string(subject)});
    while (found && headerValue(message.headers, "Nats-Schedule").empty()
        && !headerValue(message.headers, "Nats-Scheduler").empty() && message.seq.value() > 1)
        found = store->loadLast(filter, message.seq - 1, message);
    if (!found || message.headers.empty())
        return;
    const std::string block(message.headers);
    const StreamSeq seq = message.seq;
    const std::int64_t time = message.time;
    const std::int64_t now = context.clock.wallTime();
    const auto schedule = readSchedule(block, time, now);
    if (!schedule)
        return;
    std::int64_t at = schedule->firing.at;
    if (schedule->firing.repeats) {
        // Its newest product says when it comes next. What nothing came after has not fired yet,
        // and is late if its time has passed meanwhile; of others what was missed is left out.
        const auto totals = store->subject(schedule->target);
        if (totals && totals->count > 0 && totals->last > seq && store->load(totals->last, message)
            && headerValue(message.headers, "Nats-Scheduler") == subject) {
            const auto next =
                base::parseRfc3339(headerValue(message.headers, "Nats-Schedule-Next"));
            at = next.value_or(at);
        } else if (seq == store->state().last) {
            if (const auto first = readSchedule(block, time, time))
                at = first->firing.at;
        }
    }
    schedules.set(subject, seq, at, now + kFiringDelay);
    emitSchedule(FlowKind::ScheduleSet, seq, subject, at);
}

} // namespace jetglass::streams
