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

/// What goes first: by age or its own TTL at a time, by count or size with the next publish.
void nextRemoval(const streams::Stream& stream, StreamOverview& row)
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
    } else if (const auto aged = stream.nextByAge()) {
        row.nextRemoval = Removal::MaxAge;
        row.nextRemovalSeq = aged->first;
        row.nextRemovalAt = aged->second;
    }
    const auto ttl = stream.nextTtl();
    const bool sooner = row.nextRemoval == Removal::None
        || (row.nextRemoval == Removal::MaxAge && ttl && ttl->second < row.nextRemovalAt);
    if (ttl && sooner) {
        row.nextRemoval = Removal::Ttl;
        row.nextRemovalSeq = ttl->first;
        row.nextRemovalAt = ttl->second;
    }
}

std::vector<UpstreamStatus> upstreamsOf(const streams::Stream& stream)
{
    std::vector<UpstreamStatus> out;
    const std::int64_t now = stream.context().clock.wallTime();
    for (const streams::UpstreamInfo& info : stream.upstreams())
        out.push_back({info.source.name,
            info.lag,
            info.active < 0 ? 0 : now - info.active,
            info.error ? info.error->text : std::string()});
    return out;
}

std::optional<PinnedClient> pinnedOf(const consumers::Consumer& consumer)
{
    const consumers::PriorityGroup& priority = consumer.priority();
    if (!priority.isPinned())
        return std::nullopt;
    return PinnedClient{priority.group(), priority.pinnedClient(), priority.pinnedAt()};
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
        nextRemoval(*stream, row);
        row.upstreams = upstreamsOf(*stream);
        row.schedules = stream->schedules();
        for (consumers::Consumer* consumer : selectConsumers(*stream, {}))
            row.consumers.push_back({consumer->id(),
                consumer->name(),
                consumer->birth().created,
                consumer->config(),
                consumer->counts(),
                pinnedOf(*consumer)});
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace jetglass::queries
