// SPDX-License-Identifier: GPL-3.0-or-later
// Consumers out of backups and into them.
#include "base/json.h"
#include "broker/config_rules.h"
#include "consumers/consumer.h"
#include "consumers/consumer_config_json.h"
#include "consumers/consumer_registry.h"
#include "streams/stream.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::consumers {

namespace {

constexpr std::size_t kLongestName = 255;

bool isUsableName(std::string_view name)
{
    return !name.empty() && name.size() <= kLongestName
        && name.find_first_of(" \t\r\n\f.*>/\\") == std::string_view::npos;
}

/// What the tracker relies on, in the words of NATS.
Result<void> checkProgress(const archive::ConsumerProgress& progress)
{
    const auto bad = [](std::string text) { return Error{Errc::Corrupt, std::move(text), 0, 0}; };
    if (progress.floorConsumer > progress.deliveredConsumer)
        return bad("bad ack floor for consumer");
    if (progress.floorStream > progress.deliveredStream)
        return bad("bad ack floor for stream");
    std::uint64_t before = progress.floorStream;
    for (const auto& pending : progress.pending) {
        if (pending.seq <= before || pending.seq > progress.deliveredStream)
            return bad(
                "bad pending entry, sequence [" + std::to_string(pending.seq) + "] out of range");
        before = pending.seq;
    }
    return {};
}

} // namespace

Result<std::optional<store::CatalogConsumer>> restoreConsumer(streams::Stream& stream,
    ConsumerConfig config,
    std::string name,
    std::int64_t created,
    const archive::ConsumerProgress& progress)
{
    if (!isUsableName(name) || stream.consumer(name))
        return Error{Errc::Corrupt, "invalid consumer name", 0, 0};
    const streams::Context& context = stream.context();
    const ConfigLimits limits{context.settings.maxDuplicateWindow,
        context.settings.maxAckPending,
        context.limits.maxAckPending,
        context.settings.maxRequestBatch,
        {}};
    stampRequiredLevel(config);
    if (auto checked = normalizeConsumerConfig(config, stream.config(), false, limits); !checked)
        return checked.error();
    if (auto checked = checkProgress(progress); !checked)
        return checked.error();
    // All consumers of a stream share one keeper, so the first one makes it.
    auto keeper = stream.consumers().empty()
        ? std::make_shared<LogKeeper>(stream)
        : static_cast<Consumer*>(stream.consumers().front())->keeper();
    const Birth birth{keeper->takeNumber(), std::move(name), created};
    auto owned = std::make_unique<Consumer>(stream, birth, std::move(config), std::move(keeper));
    Consumer& consumer = *owned;
    consumer.restore(progress);
    stream.adopt(std::move(owned));
    if (!consumer.isPersistent())
        return std::optional<store::CatalogConsumer>();
    return std::optional(store::CatalogConsumer{consumer.birth().number,
        consumer.name(),
        base::jsonText(consumerConfigToJson(consumer.config(), ConfigAudience::Catalog)),
        consumer.birth().created,
        consumer.snapshot()});
}

void startRestored(streams::Stream& stream)
{
    for (streams::ConsumerPort* port : stream.consumers())
        static_cast<Consumer*>(port)->start();
}

archive::ConsumerProgress progressOf(const Consumer& consumer, StreamSeq last)
{
    const AckTracker& tracker = consumer.tracker();
    const Clock& clock = consumer.stream().context().clock;
    archive::ConsumerProgress progress;
    progress.deliveredConsumer = tracker.delivered.consumer.value();
    progress.deliveredStream = std::min(tracker.delivered.stream, last).value();
    progress.floorConsumer = tracker.floor.consumer.value();
    progress.floorStream = std::min(tracker.floor.stream, last).value();
    tracker.forEach([&](const PendingMessage& pending) {
        if (pending.seq > last)
            return;
        const std::int64_t wall = clock.wallTime() - (clock.now() - pending.sentAt);
        progress.pending.push_back({pending.seq.value(), pending.first.value(), wall});
        if (pending.deliveries > 1)
            progress.redelivered.push_back({pending.seq.value(), pending.deliveries - 1});
    });
    for (const auto& [seq, deliveries] : tracker.givenUpAll())
        if (seq <= last.value())
            progress.redelivered.push_back({seq, deliveries});
    return progress;
}

} // namespace jetglass::consumers
