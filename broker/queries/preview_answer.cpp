// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/config_rules.h"
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/retention.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>

namespace jetglass::queries {

namespace {

constexpr std::size_t kSample = 10;
constexpr std::size_t kSamplePayload = 256;
/// So many messages are added up one by one; beyond that the rest counts with the average size.
constexpr std::uint64_t kWalk = 4096;

/// What goes: every message that matches and lies below a sequence.
struct Cut
{
    subjects::SubjectFilter filter;
    StreamSeq below;
};

/// Lowest sequence from which on at most \a keep matching messages are left.
StreamSeq sequenceKeeping(
    store::MessageStore& store, const subjects::SubjectFilter& filter, std::uint64_t keep)
{
    const store::StoreState state = store.state();
    StreamSeq low = state.first;
    StreamSeq high = state.last + 1;
    while (low < high) {
        const StreamSeq middle = low + (high - low) / 2;
        if (store.count(filter, middle) <= keep)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// Lowest sequence below which at least \a bytes lie.
StreamSeq sequenceFreeing(store::MessageStore& store, std::uint64_t bytes)
{
    std::uint64_t sum = 0;
    for (const store::BlockSummary& block : store.blocks()) {
        if (sum + block.bytes < bytes) {
            sum += block.bytes;
            continue;
        }
        store::MessageView view;
        StreamSeq at = block.first;
        while (sum < bytes && store.loadNext({}, at, view)) {
            sum += store.sizeOf({view.subject, view.headers, view.payload, view.time});
            at = view.seq + 1;
        }
        return at;
    }
    return store.state().last + 1;
}

std::uint64_t bytesOf(store::MessageStore& store, const Cut& cut, std::uint64_t count)
{
    const store::StoreState state = store.state();
    if (cut.filter.matchesAll() && cut.below > state.last)
        return state.bytes;
    std::uint64_t bytes = 0;
    std::uint64_t counted = 0;
    StreamSeq at = state.first;
    if (cut.filter.matchesAll()) {
        for (const store::BlockSummary& block : store.blocks())
            if (block.last < cut.below) {
                bytes += block.bytes;
                counted += block.messages;
                at = block.last + 1;
            }
    }
    std::uint64_t walked = 0;
    std::uint64_t walkedBytes = 0;
    store::MessageView view;
    while (walked < kWalk && store.loadNext(cut.filter, at, view) && view.seq < cut.below) {
        walkedBytes += store.sizeOf({view.subject, view.headers, view.payload, view.time});
        ++walked;
        at = view.seq + 1;
    }
    bytes += walkedBytes;
    counted += walked;
    if (counted < count && walked > 0)
        bytes += (count - counted) * (walkedBytes / walked);
    return bytes;
}

void fillSample(store::MessageStore& store, const Cut& cut, PreviewAnswer& result)
{
    store::MessageView view;
    StreamSeq at = store.state().first;
    while (result.sample.size() < kSample && store.loadNext(cut.filter, at, view)
        && view.seq < cut.below) {
        MessageRow row;
        row.seq = view.seq;
        row.time = view.time;
        row.subject = view.subject;
        row.headers = view.headers;
        row.payload = view.payload.substr(0, kSamplePayload);
        row.payloadSize = view.payload.size();
        result.sample.push_back(std::move(row));
        at = view.seq + 1;
    }
}

std::uint64_t losesPending(
    store::MessageStore& store, const consumers::Consumer& consumer, const Cut& cut)
{
    const StreamSeq next = consumer.nextSeq();
    if (next >= cut.below)
        return 0;
    if (cut.filter.matchesAll())
        return store.count(consumer.filter(), next) - store.count(consumer.filter(), cut.below);
    if (consumer.filter().matchesAll())
        return store.count(cut.filter, next) - store.count(cut.filter, cut.below);
    std::uint64_t count = 0;
    std::uint64_t walked = 0;
    store::MessageView view;
    for (StreamSeq at = next;
         walked < kWalk && store.loadNext(cut.filter, at, view) && view.seq < cut.below;
         at = view.seq + 1, ++walked)
        count += consumer.matches(view.subject) ? 1U : 0U;
    return count;
}

void fillConsumers(streams::Stream& stream, const Cut& cut, PreviewAnswer& result)
{
    store::MessageStore& store = stream.store();
    for (const consumers::Consumer* consumer : selectConsumers(stream, {})) {
        PreviewConsumer row;
        row.consumer = consumer->id();
        row.name = consumer->name();
        row.losesPending = losesPending(store, *consumer, cut);
        consumer->tracker().forEach([&](const consumers::PendingMessage& pending) {
            store::MessageView view;
            if (pending.seq < cut.below
                && (cut.filter.matchesAll()
                    || (store.load(pending.seq, view) && cut.filter.matches(view.subject))))
                ++row.losesAckPending;
        });
        result.consumers.push_back(std::move(row));
    }
}

void fill(streams::Stream& stream, const Cut& cut, PreviewAnswer& result)
{
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    result.count = store.count(cut.filter, state.first) - store.count(cut.filter, cut.below);
    result.stays = state.messages - result.count;
    if (result.count > 0) {
        result.bytes = bytesOf(store, cut, result.count);
        result.first = store.findNext(cut.filter, state.first);
        store::MessageView view;
        if (store.loadLast(cut.filter, cut.below - 1, view))
            result.last = view.seq;
        fillSample(store, cut, result);
    }
    fillConsumers(stream, cut, result);
}

Cut cutOf(store::MessageStore& store, const PreviewQuestion::Purge& purge)
{
    Cut cut{filterOf(purge.filter), store.state().last + 1};
    if (purge.seq != 0)
        cut.below = std::min(cut.below, StreamSeq(purge.seq));
    else if (purge.keep != 0)
        cut.below = std::min(cut.below, sequenceKeeping(store, cut.filter, purge.keep));
    return cut;
}

/// The oldest that a new configuration's limits of the whole stream take.
Cut cutOf(streams::Stream& stream, const StreamConfig& config)
{
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    Cut cut{{}, state.first};
    if (const auto excess = streams::excessMessages(config, state.messages); excess > 0)
        cut.below = std::max(cut.below, sequenceKeeping(store, {}, state.messages - excess));
    if (const auto excess = streams::excessBytes(config, state.bytes); excess > 0)
        cut.below = std::max(cut.below, sequenceFreeing(store, excess));
    if (const auto cutoff = streams::ageCutoff(config, stream.context().clock.wallTime()))
        cut.below = std::max(cut.below, store.seqAtTime(*cutoff + 1));
    return cut;
}

void previewConfig(streams::Stream& stream, StreamConfig config, PreviewAnswer& result)
{
    auto checked = normalizeStreamConfig(config, false);
    if (checked)
        checked = checkStreamUpdate(stream.config(), config);
    if (!checked) {
        result.error = checked.error().text;
        result.stays = stream.store().state().messages;
        return;
    }
    fill(stream, cutOf(stream, config), result);
    if (config.maxMsgsPerSubject <= 0)
        return;
    // What the limit per subject takes on top, where no other limit has taken it already.
    std::uint64_t excess = 0;
    stream.store().forEachSubject({}, [&](std::string_view, const store::SubjectTotals& totals) {
        excess += streams::excessOfSubject(config, totals.count);
        return true;
    });
    if (excess > result.count) {
        const store::StoreState state = stream.store().state();
        result.bytes +=
            (excess - result.count) * (state.bytes / std::max<std::uint64_t>(1, state.messages));
        result.count = excess;
        result.stays = state.messages - excess;
    }
}

} // namespace

PreviewAnswer answer(
    const PreviewQuestion& question, streams::StreamRegistry& registry, flow::FlowHub&)
{
    PreviewAnswer result;
    streams::Stream* stream = registry.find(question.stream);
    if (!stream)
        return result;
    result.found = true;
    if (question.config) {
        previewConfig(*stream, *question.config, result);
        return result;
    }
    if (question.purge && (stream->config().denyPurge || stream->config().sealed)) {
        result.error = stream->config().sealed ? "invalid operation on sealed stream"
                                               : "stream purge not permitted";
        result.stays = stream->store().state().messages;
        return result;
    }
    const PreviewQuestion::Purge everything;
    fill(*stream, cutOf(stream->store(), question.purge.value_or(everything)), result);
    return result;
}

} // namespace jetglass::queries
