// SPDX-License-Identifier: GPL-3.0-or-later
// Fast batches (streams.md 8.7): messages are stored one by one; the publisher is told of its
// progress in acks of their own, and in a pub ack at the end.
#include "streams/api_error.h"
#include "streams/batch_rules.h"
#include "streams/retention.h"
#include "streams/stream_removing.h"
#include "subjects/subject.h"

#include <utility>

namespace jetglass::streams {
namespace {

constexpr std::uint64_t kFastInStream = 1000;
constexpr std::uint64_t kFastInServer = 50'000;
constexpr std::size_t kLongestFastId = 64;
constexpr int kDuplicateInBatch = 10201;

std::uint64_t fastLimit(std::int64_t configured, std::uint64_t usual)
{
    return configured > 0 ? static_cast<std::uint64_t>(configured) : usual;
}

} // namespace

void Stream::Private::stageFast(const InBatch& in)
{
    const auto refused = [&](Error error) { refuse(in.subject, in.message, std::move(error)); };
    const auto step = FastBatchStep::parse(in.message.reply);
    if (auto error = refusedBeforeBatch(in))
        return refused(std::move(*error));
    if (!config.allowBatched)
        return refused(Error::api(400, 10205, "batch publish is disabled"));
    if (!step)
        return refused(Error::api(400, 10206, "batch publish pattern is invalid"));
    if (step->id.size() > kLongestFastId)
        return refused(Error::api(400, 10207, "batch publish ID is invalid"));
    FastBatch* batch = batches.fast(step->id);
    if (!batch) {
        const JetStreamConfig& limits = context.settings;
        if (step->seq != 1 || step->ping)
            return refused(Error::api(400, 10208, "batch publish ID unknown"));
        if (batches.fastCount() >= fastLimit(limits.maxBatchInflightPerStream, kFastInStream)
            || batches.totals().fast >= fastLimit(limits.maxBatchInflightTotal, kFastInServer))
            return refused(Error::api(429, 10211, "batch publish too many inflight"));
        batch = &batches.openFast(*step);
        emitBatch(FlowKind::BatchOpened, step->id, 1);
    }
    std::string bare;
    InBatch kept = in;
    if (!headerValue(in.block, kRequiredLevel).empty()) {
        if (needsHigherLevel(in.block)) {
            batches.closeFast(step->id);
            return refused(Error::api(412, 10185, "JetStream minimum api level required"));
        }
        kept.block = bare = withoutHeader(in.block, kRequiredLevel);
    }
    batch->deadline = batchDeadline();
    batchTimer.armNoLaterThan(batch->deadline);
    turn.fastBatches.emplace_back(step->id);
    if (step->ping)
        return pingFast(kept, *step, *batch);
    if (++batch->last != step->seq) {
        const std::uint64_t expected = batch->last;
        const bool forward = step->seq > expected;
        Answer gap;
        gap.text = turn.keep(flowGapText(expected, step->seq));
        noteAnswer(kept, gap);
        emitBatch(FlowKind::BatchGap,
            step->id,
            expected,
            forward ? static_cast<std::uint32_t>(step->seq - expected) : 0);
        if (!batch->gapOk || !forward) {
            --batch->last;
            return endFast(kept, *step, *batch);
        }
        batch->last = step->seq;
    }
    if (step->empty) {
        --batch->last;
        return endFast(kept, *step, *batch);
    }
    if (step->seq == 1 && !config.noAck && !step->commit)
        noteFlow(kept, *step, *batch);
    storeFast(kept, *step, *batch);
}

void Stream::Private::storeFast(const InBatch& in, const FastBatchStep& step, FastBatch& batch)
{
    const std::string subject = transformed(in.subject);
    const PublishHeaders headers = PublishHeaders::find(in.block);
    const PublishFacts facts = factsFor(subject);
    BatchCheck check(facts);
    PublishVerdict verdict = check.add(subject, in.block, headers, in.message.payload);
    if (verdict.kind == PublishVerdict::Kind::Refuse)
        return verdict.error.apiErrCode == kDuplicateInBatch
            ? repeatedFast(in, step, batch, verdict.original)
            : refusedFast(in, step, batch, verdict.error);
    if (!headers.expectedLastMsgId.empty() && headers.expectedLastMsgId != lastMsgId) {
        refuse(subject, in.message, Error::api(400, 10070, "wrong last msg ID: " + lastMsgId));
        if (step.commit)
            batches.closeFast(step.id);
        return;
    }
    if (!facts.interest)
        verdict.kind = PublishVerdict::Kind::Skip;
    if (config.maxMsgsPerSubject > 0) {
        verdict.subject = store->subject(subject).value_or(store::SubjectTotals{});
        verdict.subjectFull = subjectIsFull(config, verdict.subject->count);
    }
    if (in.message.tracer && toldTracer(in.message, subject, verdict))
        return;
    Staged& entry = newEntry(verdict.kind, subject, in.message);
    entry.reply = {};
    stageStored(subject, in.block, headers, in.message.payload, verdict, entry);
    batch.streamSeq = entry.seq.value();
    const bool due = !step.commit && batch.ackDue(batches.fastCount());
    if (step.commit || due) {
        entry.reply = turn.keep(in.message.reply);
        entry.answer = keepAnswer(
            step.commit ? batchAck(step.id, batch.streamSeq, batch.last) : flowAnswer(step, batch));
    }
    const StreamSeq seq = entry.seq;
    if (step.commit)
        batches.closeFast(step.id);
    stageRemovals(verdict, subject, headers, seq);
}

/// A message id that is known already: nothing is stored, and the batch goes on.
void Stream::Private::repeatedFast(
    const InBatch& in, const FastBatchStep& step, FastBatch& batch, StreamSeq original)
{
    if (in.message.tracer)
        in.message.tracer->reachedStream(config.name, {}, false, "msgid is duplicate");
    Staged& entry = newEntry(PublishVerdict::Kind::Duplicate, in.subject, in.message);
    entry.seq = original;
    entry.reply = {};
    if (batch.ackDue(batches.fastCount()))
        noteFlow(in, step, batch);
    if (!step.commit)
        return;
    if (batch.gapOk || batch.last != 1)
        return endFast(in, step, batch);
    Answer last = batchAck(step.id, original.value(), step.seq);
    std::string text(turn.read(last.text));
    text.insert(text.find(",\"batch\""), ",\"duplicate\": true");
    last.text = turn.keep(text);
    noteAnswer(in, last).seq = original;
    batches.closeFast(step.id);
}

void Stream::Private::refusedFast(
    const InBatch& in, const FastBatchStep& step, FastBatch& batch, const Error& error)
{
    refuse(in.subject, in.message, error);
    Staged& entry = turn.staged.back();
    entry.reply = turn.keep(in.message.reply);
    if (!batch.gapOk && batch.last == 1) {
        // As a normal publish is answered.
        batches.closeFast(step.id);
        return;
    }
    Answer answer;
    answer.text = turn.keep(flowErrorText(step.seq, error));
    entry.answer = keepAnswer(answer);
    if (step.gapOk && !step.commit)
        return;
    --batch.last;
    endFast(in, step, batch);
}

/// The publisher asks how far it is: it hears its last ack again, or of what did not come.
void Stream::Private::pingFast(const InBatch& in, const FastBatchStep& step, FastBatch& batch)
{
    if (step.seq > batch.last) {
        Answer gap;
        gap.text = turn.keep(flowGapText(batch.last + 1, step.seq + 1));
        noteAnswer(in, gap);
        emitBatch(FlowKind::BatchGap,
            step.id,
            batch.last + 1,
            static_cast<std::uint32_t>(step.seq - batch.last));
        if (!batch.gapOk)
            return endFast(in, step, batch);
        batch.last = step.seq;
        static_cast<void>(batch.ackDue(batches.fastCount()));
    }
    noteFlow(in, step, batch);
}

void Stream::Private::endFast(const InBatch& in, const FastBatchStep& step, const FastBatch& batch)
{
    const StreamSeq last(batch.streamSeq);
    noteAnswer(in, batchAck(step.id, batch.streamSeq, batch.last)).seq = last;
    batches.closeFast(step.id);
}

Stream::Private::Answer Stream::Private::flowAnswer(
    const FastBatchStep& step, const FastBatch& batch)
{
    Answer answer;
    answer.text = turn.keep(flowAckText(batch));
    answer.tells = FlowKind::BatchFlowSent;
    answer.second = batch.told;
    answer.deliveries = batch.every;
    answer.id = turn.keep(step.id);
    return answer;
}

void Stream::Private::noteFlow(const InBatch& in, const FastBatchStep& step, const FastBatch& batch)
{
    noteAnswer(in, flowAnswer(step, batch));
}

/// Something to say that is not the outcome of a stored message; also where streams answer nothing
/// else (no_ack).
Stream::Private::Staged& Stream::Private::noteAnswer(const InBatch& in, const Answer& answer)
{
    Staged& entry = newEntry(PublishVerdict::Kind::Note, in.subject, in.message);
    entry.reply = turn.keep(in.message.reply);
    entry.answer = keepAnswer(answer);
    return entry;
}

} // namespace jetglass::streams
