// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

namespace jetglass::queries {

namespace {

StreamCounts countsOf(store::MessageStore& store)
{
    const store::StoreState state = store.state();
    StreamCounts counts;
    counts.messages = state.messages;
    counts.bytes = state.bytes;
    counts.first = state.first;
    counts.last = state.last;
    counts.firstTime = state.firstTime;
    counts.lastTime = state.lastTime;
    counts.subjects = state.subjects;
    counts.deleted = store.deletedCount();
    return counts;
}

/// What goes first by the stream's limits: by age at a time, by count or size with the next
/// publish.
void nextRemoval(StreamOverview& row)
{
    const StreamConfig& config = row.config;
    if (row.counts.messages == 0)
        return;
    const bool full =
        config.maxMsgs > 0 && row.counts.messages >= static_cast<std::uint64_t>(config.maxMsgs);
    const bool heavy =
        config.maxBytes > 0 && row.counts.bytes >= static_cast<std::uint64_t>(config.maxBytes);
    if (config.discard == Discard::Old && (full || heavy)) {
        row.nextRemoval = full ? Removal::MaxMsgs : Removal::MaxBytes;
        row.nextRemovalSeq = row.counts.first;
    } else if (config.maxAge > 0) {
        row.nextRemoval = Removal::MaxAge;
        row.nextRemovalSeq = row.counts.first;
        row.nextRemovalAt = row.counts.firstTime + config.maxAge;
    }
}

} // namespace

std::vector<StreamOverview> overview(streams::StreamRegistry& registry)
{
    std::vector<StreamOverview> rows;
    for (streams::Stream* stream : registry.sorted()) {
        StreamOverview row;
        row.id = stream->id();
        row.name = stream->name();
        row.created = stream->created();
        row.config = stream->config();
        row.counts = countsOf(stream->store());
        nextRemoval(row);
        for (consumers::Consumer* consumer : selectConsumers(*stream, {}))
            row.consumers.push_back({consumer->id(),
                consumer->name(),
                consumer->birth().created,
                consumer->config(),
                consumer->counts()});
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace jetglass::queries
