// SPDX-License-Identifier: GPL-3.0-or-later
// Atomic batches (streams.md 8.6): messages wait in memory until the commit, which is checked as a
// whole and staged as one group of the store.
#include "base/nuid.h"
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/batch_rules.h"
#include "streams/json_text.h"
#include "streams/retention.h"
#include "streams/stream_removing.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <utility>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kBatchTimeout = 10'000'000'000;
constexpr std::uint64_t kOpenInStream = 50;
constexpr std::uint64_t kOpenInServer = 1000;
constexpr std::uint64_t kMostMessages = 1000;
constexpr std::size_t kLongestId = 64;
/// What waits is in memory: this much of all streams together, and no more batch grows.
constexpr std::size_t kMostHeldBytes = std::size_t{512} << 20U;

constexpr std::string_view kCommit = "Nats-Batch-Commit";

Error incomplete()
{
    return Error::api(400, 10176, "atomic publish batch is incomplete");
}
Error tooLarge(std::uint64_t most)
{
    return Error::api(400, 10199, "atomic publish batch is too large: " + std::to_string(most));
}
Error insufficient()
{
    return Error::api(503, 10023, "insufficient resources");
}

std::uint64_t limitOr(std::int64_t configured, std::uint64_t usual)
{
    return configured > 0 ? static_cast<std::uint64_t>(configured) : usual;
}

std::optional<std::uint64_t> place(std::string_view block)
{
    const std::string_view text = headerValue(block, "Nats-Batch-Sequence");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return {};
    return value;
}

} // namespace

/// A message of a batch as it will be stored.
struct Stream::Private::Checked
{
    std::string subject;
    PublishHeaders headers;
    PublishVerdict verdict;
};

std::string Stream::Private::transformed(std::string_view subject) const
{
    if (input)
        if (auto mapped = input->apply(subject))
            return std::move(*mapped);
    return std::string(subject);
}

/// What both kinds of batches ask of each message before they look at the batch.
std::optional<Error> Stream::Private::refusedBeforeBatch(const InBatch& in) const
{
    if (!broken.empty())
        return errors::storeFailed(broken);
    if (config.sealed)
        return errors::streamSealed();
    const PublishFacts facts = factsFor(in.subject);
    if (serverIsFull(facts))
        return insufficient();
    if (accountHasNoRoom(facts, store->sizeOf({in.subject, in.block, in.message.payload, 0})))
        return Error::api(400, 10002, "resource limits exceeded for account");
    const std::size_t size = in.block.size() + in.message.payload.size();
    if (config.maxMsgSize >= 0 && size > static_cast<std::size_t>(config.maxMsgSize))
        return Error::api(400, 10054, "message size exceeds maximum allowed");
    return {};
}

/// No batch of that name is open.
std::optional<Error> Stream::Private::refusedOpening(std::uint64_t seq, bool empty) const
{
    const JetStreamConfig& limits = context.settings;
    if (seq != 1) {
        const std::uint64_t most = limitOr(limits.maxBatchSize, kMostMessages);
        return seq - (empty ? 1U : 0U) > most ? tooLarge(most) : incomplete();
    }
    if (batches.atomicCount() >= limitOr(limits.maxBatchInflightPerStream, kOpenInStream)
        || batches.totals().atomic >= limitOr(limits.maxBatchInflightTotal, kOpenInServer))
        return Error::api(429, 10210, "atomic publish too many inflight");
    return {};
}

void Stream::Private::stageInBatch(const InBatch& in)
{
    const std::string batchId(in.headers.batchId);
    const auto refused = [&](Error error) { refuse(in.subject, in.message, std::move(error)); };
    if (auto error = refusedBeforeBatch(in))
        return refused(std::move(*error));
    if (!config.allowAtomic)
        return refused(Error::api(400, 10174, "atomic publish is disabled"));
    if (batchId.size() > kLongestId)
        return refused(Error::api(400, 10179, "atomic publish batch ID is invalid"));
    const auto seq = place(in.block);
    if (!seq)
        return refused(Error::api(400, 10175, "atomic publish sequence is missing"));
    const std::string_view commit = headerValue(in.block, kCommit);
    const bool empty = commit == "eob";
    if (!batches.atomic(batchId)) {
        if (auto error = refusedOpening(*seq, empty))
            return refused(std::move(*error));
        batches.openAtomic(batchId);
        emitBatch(FlowKind::BatchOpened, batchId, 0);
    }
    if (commit.data() && !empty && commit != "1") {
        emitBatch(FlowKind::BatchAbandoned, batchId, batches.closeAtomic(batchId).size());
        return refused(Error::api(400, 10200, "atomic publish batch commit is invalid"));
    }
    if (needsHigherLevel(in.block)) {
        abandon(batchId, "unsupported");
        return refused(Error::api(412, 10185, "JetStream minimum api level required"));
    }
    const std::uint64_t held = batches.atomic(batchId)->held.size();
    if (held + 1 != *seq || (*seq == 1 && empty)) {
        abandon(batchId, "incomplete");
        return refused(incomplete());
    }
    const std::uint64_t most = limitOr(context.settings.maxBatchSize, kMostMessages);
    if (*seq - (empty ? 1U : 0U) > most) {
        abandon(batchId, "large");
        return refused(tooLarge(most));
    }
    std::string bare;
    std::string_view block = in.block;
    if (!headerValue(block, kRequiredLevel).empty())
        block = bare = withoutHeader(block, kRequiredLevel);
    if (commit.data())
        commitBatch(in, block, empty);
    else
        holdInBatch(in, block, *seq);
}

void Stream::Private::holdInBatch(const InBatch& in, std::string_view block, std::uint64_t seq)
{
    if (batches.totals().heldBytes + block.size() + in.message.payload.size() > kMostHeldBytes) {
        abandon(in.headers.batchId, "large");
        return refuse(in.subject, in.message, insufficient());
    }
    AtomicBatch& batch = *batches.atomic(in.headers.batchId);
    batches.hold(batch,
        {std::string(in.subject),
            std::string(block),
            std::string(in.message.payload),
            in.message.sender->id});
    batch.deadline = batchDeadline();
    batchTimer.armNoLaterThan(batch.deadline);
    Answer answer;
    answer.tells = FlowKind::BatchHeld;
    answer.second = seq;
    answer.id = turn.keep(in.headers.batchId);
    newEntry(PublishVerdict::Kind::Held, in.subject, in.message).answer = keepAnswer(answer);
}

std::optional<Error> Stream::Private::checkHeld(
    std::vector<HeldMessage>& held, std::vector<Checked>& checked)
{
    const PublishFacts facts = factsFor(held.front().subject);
    BatchCheck check(facts);
    checked.reserve(held.size());
    for (HeldMessage& message : held) {
        Checked& one = checked.emplace_back();
        one.subject = transformed(message.subject);
        one.headers = PublishHeaders::find(message.block);
        if (!one.headers.expectedLastMsgId.empty())
            return Error::api(
                400, 10177, "atomic publish unsupported header used: Nats-Expected-Last-Msg-Id");
        one.verdict = check.add(one.subject, message.block, one.headers, message.payload);
        if (one.verdict.kind == PublishVerdict::Kind::Refuse)
            return std::move(one.verdict.error);
    }
    if (accountHasNoRoom(facts, check.bytes()))
        return Error::api(400, 10002, "resource limits exceeded for account");
    return {};
}

/// All of the batch is checked before any of it is staged, so that nothing has to be taken back.
/// What it removes comes behind its last message: a crash leaves either nothing of the batch or all
/// of its messages.
void Stream::Private::commitBatch(const InBatch& in, std::string_view block, bool empty)
{
    const std::string batchId(in.headers.batchId);
    std::vector<HeldMessage> held = batches.closeAtomic(batchId);
    const std::size_t waited = held.size();
    if (!empty)
        held.push_back({std::string(in.subject),
            std::string(block),
            std::string(in.message.payload),
            in.message.sender->id});
    std::vector<Checked> checked;
    if (auto error = checkHeld(held, checked)) {
        emitBatch(FlowKind::BatchAbandoned, batchId, waited);
        Inbound failing = in.message; // in the words of the message that does not fit
        failing.headers = held[checked.size() - 1].block;
        return refuse(in.subject, failing, std::move(*error));
    }
    if (MessageTracer* tracer = in.message.tracer) {
        // The way of the commit is that of the batch: its last message stands for all.
        const std::string& subject = checked.back().subject;
        const bool unwanted = config.retention == Retention::Interest && !hasInterest(subject);
        tracer->reachedStream(config.name, subject, unwanted, {});
        if (tracer->wayOnly())
            return emitBatch(FlowKind::BatchAbandoned, batchId, waited);
    }
    if (empty) {
        // The last real message says that it ends the batch.
        PublishVerdict& last = checked.back().verdict;
        std::string& kept = last.count ? last.count->headers
            : last.block               ? *last.block
                                       : held.back().block;
        kept = withHeader(kept, kCommit, "1");
        checked.back().headers = PublishHeaders::find(held.back().block);
    }
    store->together(held.size());
    const std::size_t first = turn.staged.size();
    stageHeld(held, checked);
    const std::uint64_t last = store->state().last.value();
    const Answer answer = batchAck(batchId, last, held.size());
    Staged* entry = &turn.staged.back();
    if (empty) {
        entry = &newEntry(PublishVerdict::Kind::Note, in.subject, in.message);
        entry->seq = StreamSeq(last);
    } else {
        entry->held = false;
        if (!in.message.reply.empty() && !config.noAck)
            entry->reply = turn.keep(in.message.reply);
    }
    entry->answer = keepAnswer(answer);
    std::vector<StreamSeq> stored;
    for (std::size_t i = 0; i < held.size(); ++i)
        stored.push_back(turn.staged[first + i].seq);
    for (std::size_t i = 0; i < held.size(); ++i)
        stageRemovals(checked[i].verdict, checked[i].subject, checked[i].headers, stored[i]);
}

void Stream::Private::stageHeld(std::vector<HeldMessage>& held, std::vector<Checked>& checked)
{
    for (std::size_t i = 0; i < held.size(); ++i) {
        Checked& one = checked[i];
        if (config.retention == Retention::Interest && !hasInterest(one.subject))
            one.verdict.kind = PublishVerdict::Kind::Skip;
        if (config.maxMsgsPerSubject > 0) {
            one.verdict.subject = store->subject(one.subject).value_or(store::SubjectTotals{});
            one.verdict.subjectFull = subjectIsFull(config, one.verdict.subject->count);
        }
        Staged& entry = turn.staged.emplace_back();
        entry.kind = one.verdict.kind;
        entry.client = held[i].client;
        entry.held = true;
        if (context.hub.active())
            entry.subjectHash = subjects::hash(one.subject);
        if (context.hub.textWanted() || context.gates.active())
            entry.subject = turn.keep(one.subject);
        stageStored(one.subject, held[i].block, one.headers, held[i].payload, one.verdict, entry);
    }
}

std::uint32_t Stream::Private::keepAnswer(const Answer& answer)
{
    turn.answers.push_back(answer);
    return static_cast<std::uint32_t>(turn.answers.size());
}

Stream::Private::Answer Stream::Private::batchAck(
    std::string_view batchId, std::uint64_t seq, std::uint64_t count)
{
    Answer answer;
    answer.text = turn.keep(ackStart + "\"seq\":" + std::to_string(seq)
        + ",\"batch\":" + quoteJson(batchId) + ",\"count\":" + std::to_string(count) + "}");
    answer.tells = FlowKind::BatchCommitted;
    answer.second = count;
    answer.id = turn.keep(batchId);
    return answer;
}

void Stream::Private::emitBatch(
    FlowKind kind, std::string_view batchId, std::uint64_t second, std::uint32_t deliveries)
{
    if (!context.hub.active())
        return;
    FlowEvent out = event(kind);
    out.second = second;
    out.deliveries = deliveries;
    FlowText words;
    words.detail = batchId;
    context.hub.emit(out, words);
}

void Stream::Private::abandon(std::string_view batchId, std::string_view reason)
{
    const std::string kept(batchId);
    emitBatch(FlowKind::BatchAbandoned, kept, batches.closeAtomic(kept).size());
    adviseAbandoned(kept, reason);
}

void Stream::Private::adviseAbandoned(std::string_view batchId, std::string_view reason)
{
    const std::string subject = "$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED." + config.name;
    const auto make = [&](bool forSystem) {
        nlohmann::ordered_json body = {
            {"type", "io.nats.jetstream.advisory.v1.stream_batch_abandoned"},
            {"id", base::nuid()},
            {"timestamp", base::rfc3339(context.clock.wallTime())}};
        if (forSystem)
            body["account"] = context.account;
        body["stream"] = config.name;
        if (!context.settings.domain.empty())
            body["domain"] = context.settings.domain;
        body["batch"] = batchId;
        body["reason"] = reason;
        return encodeJson(body);
    };
    if (context.wanted(subject)) {
        const std::string body = make(false);
        context.bus.publish({subject, {}, {}, body});
    }
    if (context.tellSystem)
        context.tellSystem(subject, [&make] { return make(true); });
}

std::int64_t Stream::Private::batchDeadline()
{
    const std::int64_t configured = context.settings.maxBatchTimeout;
    return context.clock.now() + (configured > 0 ? configured : kBatchTimeout);
}

void Stream::Private::onBatchTimer()
{
    for (const std::string& batchId : batches.takeExpired(context.clock.now()))
        abandon(batchId, "timeout");
    if (const std::int64_t next = batches.nextDeadline(); next != base::TimerQueue::kNever)
        batchTimer.arm(next);
}

void Stream::Private::dropBatches()
{
    if (!config.allowAtomic)
        for (const std::string& batchId : batches.atomicIds())
            emitBatch(FlowKind::BatchAbandoned, batchId, batches.closeAtomic(batchId).size());
    if (!config.allowBatched)
        for (const std::string& batchId : batches.fastIds()) {
            batches.closeFast(batchId);
            emitBatch(FlowKind::BatchAbandoned, batchId, 0);
        }
}

} // namespace jetglass::streams
