// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/api_error.h"
#include "streams/schedule_rules.h"
#include "streams/stream_removing.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::streams {

void Stream::Private::beginTurn()
{
    if (turn.open)
        return;
    turn.open = true;
    turn.first = store->state().last + 1;
    turn.lastMsgIdBefore = lastMsgId;
    enlist();
}

Stream::Private::Text Stream::Private::Round::keep(std::string_view piece)
{
    const Text kept{
        static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(piece.size())};
    text += piece;
    return kept;
}

void Stream::Private::Round::clear()
{
    staged.clear();
    errors.clear();
    answers.clear();
    fastBatches.clear();
    gone.clear();
    told.clear();
    waiting.clear();
    text.clear();
    ids = 0;
    indexedTtl = false;
    open = false;
}

bool Stream::Private::hasInterest(std::string_view subject) const
{
    const auto matches = [subject](const auto* reader) { return reader->matches(subject); };
    return std::any_of(consumers.begin(), consumers.end(), matches)
        || std::any_of(followers.begin(), followers.end(), [&](const Follower* follower) {
               return follower->isHidden() && matches(follower);
           });
}

void Stream::Private::publish(const Inbound& message)
{
    std::string_view block = message.headers;
    if (block.empty()) {
        stage(message.subject, block, {}, message);
        return;
    }
    PublishHeaders headers = PublishHeaders::find(block);
    if (!headers.hasStatus && !headers.requestInfo.data() && !message.tracer) {
        stage(message.subject, block, headers, message);
        return;
    }
    std::string cleaned = headers.hasStatus ? withoutStatus(block) : std::string(block);
    // Whoever reads it from the stream is not to be followed in turn.
    if (message.tracer && !message.tracer->wayOnly())
        cleaned = withHeaderSet(cleaned, "Nats-Trace-Dest", "trace disabled");
    if (headers.requestInfo.data())
        cleaned = withoutHeader(cleaned, "Nats-Request-Info");
    stage(message.subject,
        cleaned,
        cleaned.empty() ? PublishHeaders{} : PublishHeaders::find(cleaned),
        message);
}

void Stream::Private::stage(std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    const Inbound& message)
{
    beginTurn();
    const bool fast = message.reply.ends_with(kFastBatchSuffix);
    if (fast || !headers.batchId.empty()) {
        if (message.tracer)
            message.tracer->waitsInBatch(); // until it is decided about
        const InBatch in{subject, block, headers, message};
        return fast ? stageFast(in) : stageInBatch(in);
    }
    std::optional<std::string> mapped;
    if (input) {
        mapped = input->apply(subject);
        if (mapped)
            subject = *mapped;
    }
    if (!broken.empty())
        return refuse(subject, message, errors::storeFailed(broken));
    PublishVerdict verdict =
        checkPublish(factsFor(subject), subject, block, headers, message.payload);
    if (message.tracer && toldTracer(message, subject, verdict))
        return;
    if (verdict.kind == PublishVerdict::Kind::Refuse)
        return refuse(subject, message, std::move(verdict.error));
    Staged& entry = newEntry(verdict.kind, subject, message);
    if (verdict.kind == PublishVerdict::Kind::Duplicate) {
        entry.seq = verdict.original;
        return;
    }
    stageStored(subject, block, headers, message.payload, verdict, entry);
    stageRemovals(verdict, subject, headers, entry.seq);
}

Stream::Private::Staged& Stream::Private::newEntry(
    PublishVerdict::Kind kind, std::string_view subject, const Inbound& message)
{
    Staged& entry = turn.staged.emplace_back();
    entry.kind = kind;
    entry.client = message.sender->id;
    if (!message.reply.empty() && !config.noAck)
        entry.reply = turn.keep(message.reply);
    if (context.hub.active())
        entry.subjectHash = subjects::hash(subject);
    if (context.hub.textWanted() || context.gates.active())
        entry.subject = turn.keep(subject);
    return entry;
}

void Stream::Private::refuse(std::string_view subject, const Inbound& message, Error error)
{
    if (message.tracer)
        tellRefused(subject, message, error);
    Staged& entry = newEntry(PublishVerdict::Kind::Refuse, subject, message);
    entry.error = static_cast<std::uint32_t>(turn.errors.size());
    turn.errors.push_back(std::move(error));
}

PublishFacts Stream::Private::factsFor(std::string_view subject) const
{
    const bool file = config.storage == Storage::File;
    PublishFacts facts{config,
        *store,
        dedup,
        lastMsgId,
        true,
        file ? context.fileUsed : context.memoryUsed,
        file ? context.limits.maxStore : context.limits.maxMemory,
        context.storedBytes(config.storage),
        file ? context.settings.maxStore : context.settings.maxMemory};
    facts.maxPayload = context.maxPayload;
    facts.now = context.clock.wallTime();
    if (config.retention == Retention::Interest)
        facts.interest = hasInterest(subject);
    return facts;
}

void Stream::Private::stageStored(std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    std::string_view payload,
    PublishVerdict& verdict,
    Staged& entry)
{
    const std::int64_t now = entry.time != 0 ? entry.time : context.clock.wallTime();
    std::string rewritten;
    if (verdict.block)
        block = *verdict.block;
    if (verdict.count) {
        block = verdict.count->headers;
        payload = verdict.count->payload;
        if (entry.reply.size > 0)
            entry.value = turn.keep(verdict.count->value);
    }
    if (verdict.ttlRaised) {
        rewritten = withHeader(withoutHeader(block, "Nats-TTL"),
            "Nats-TTL",
            std::to_string(verdict.ttl / 1'000'000'000));
        block = rewritten;
    }
    if (copies && verdict.kind == PublishVerdict::Kind::Store) {
        if (!verdict.subject)
            verdict.subject = store->subject(subject).value_or(store::SubjectTotals{});
        entry.previous = verdict.subject->count > 0 ? verdict.subject->last.value() : 0;
    }
    if (verdict.kind == PublishVerdict::Kind::Skip) {
        const std::uint64_t last = store->state().last.value();
        store->skip(entry.at.isZero() ? 1 : entry.at.value() - last, now, Removal::NoInterest);
        entry.seq = store->state().last;
    } else {
        const store::NewMessage message{subject, block, payload, now};
        if (entry.at.isZero())
            entry.seq = store->append(message);
        else
            store->appendAt(entry.seq = entry.at, message);
        if (context.hub.active())
            entry.size = store->sizeOf(message);
        if (verdict.ttl != 0 && config.allowMsgTtl)
            indexTtl(entry.seq, now, verdict.ttl);
        if (verdict.subjectFull)
            removeExcessOf(subject);
    }
    if (!headers.msgId.empty() && dedup.on()) {
        dedup.add(headers.msgId, entry.seq, now);
        ++turn.ids;
    }
    lastMsgId = headers.msgId;
}

/// What a stored message takes out of the stream: what it rolls up, and a schedule that it ends.
void Stream::Private::stageRemovals(const PublishVerdict& verdict,
    std::string_view subject,
    const PublishHeaders& headers,
    StreamSeq seq)
{
    if (verdict.rollup != PublishVerdict::Rollup::None)
        stageRollup(verdict.rollup, subject, seq);
    if (headers.scheduleNext == kSchedulePurge && !headers.scheduler.empty() && config.allowRollup
        && !config.denyPurge)
        startRemoving(
            {.filter = std::string(headers.scheduler), .below = seq, .cause = Removal::Rollup});
}

void Stream::Private::stageRollup(
    PublishVerdict::Rollup rollup, std::string_view subject, StreamSeq below)
{
    if (rollup == PublishVerdict::Rollup::All)
        startRemoving({.below = below, .cause = Removal::Rollup});
    else
        startRemoving({.filter = std::string(subject), .below = below, .cause = Removal::Rollup});
}

void Stream::Private::indexTtl(StreamSeq seq, std::int64_t time, std::int64_t ttl)
{
    turn.indexedTtl = true;
    if (ttl == kTtlNever)
        ttls.addNever(seq);
    else
        ttls.add(seq, time + ttl);
}

} // namespace jetglass::streams
