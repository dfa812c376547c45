// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/dedup_window.h"
#include "streams/removal_ledger.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

namespace jetglass::queries {

ExplainAnswer answer(
    const ExplainQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub)
{
    ExplainAnswer result;
    result.lastEvent = hub.lastNumber();
    streams::Stream* stream = registry.find(question.stream);
    consumers::Consumer* consumer = stream ? findConsumer(*stream, question.consumer) : nullptr;
    if (!consumer)
        return result;
    result.found = true;
    result.time = stream->context().clock.wallTime();
    consumer->explain(question.seq, result);
    if (!question.seq.isZero() && !stream->store().contains(question.seq)) {
        const auto gaps = stream->store().gaps(question.seq, question.seq);
        const bool past = question.seq <= stream->store().state().last;
        result.removal = !gaps.empty() ? gaps.front().cause
            : past                     ? Removal::Unknown
                                       : Removal::None;
    }
    return result;
}

RemovalsAnswer answer(
    const RemovalsQuestion& question, streams::StreamRegistry& registry, flow::FlowHub&)
{
    static constexpr std::size_t kMaxRows = kAnswerBytes / sizeof(RemovalRow);
    RemovalsAnswer result;
    streams::Stream* stream = registry.find(question.stream);
    if (!stream)
        return result;
    result.found = true;
    stream->noteLost();
    result.pastClients = stream->pastClients();
    result.rows = stream->removals().find(
        question.first, question.last, std::min<std::size_t>(question.limit, kMaxRows));
    return result;
}

DedupAnswer answerDedup(StreamId id, streams::StreamRegistry& registry)
{
    const streams::Stream* stream = registry.find(id);
    if (!stream)
        return {};
    DedupAnswer result = stream->dedup().answer();
    result.found = true;
    return result;
}

PullsAnswer answerPulls(StreamId id, ConsumerId consumerId, streams::StreamRegistry& registry)
{
    PullsAnswer result;
    streams::Stream* stream = registry.find(id);
    consumers::Consumer* consumer = stream ? findConsumer(*stream, consumerId) : nullptr;
    if (!consumer)
        return result;
    result.found = true;
    result.rows = consumer->pulls();
    return result;
}

} // namespace jetglass::queries
