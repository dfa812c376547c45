// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/restore_target.h"

#include "consumers/consumer_registry.h"
#include "streams/stream.h"

#include <utility>

namespace jetglass::api {

namespace {

constexpr std::size_t kLongestSubject = 4096;

Error outOfRoom(Storage storage)
{
    return storage == Storage::Memory
        ? Error::api(500, 10028, "insufficient memory resources available")
        : Error::api(500, 10047, "insufficient storage resources available");
}

} // namespace

RestoreTarget::RestoreTarget(
    streams::Context& context, streams::StreamRegistry& registry, StreamConfig config)
    : m_context(context)
    , m_registry(registry)
    , m_config(std::move(config))
{
}

RestoreTarget::~RestoreTarget()
{
    if (begun())
        m_registry.abandonRestore(m_config, std::move(m_unborn));
}

Result<void> RestoreTarget::begin()
{
    auto made = m_registry.beginRestore(m_config);
    if (!made)
        return made.error();
    m_unborn = std::move(*made);
    return {};
}

Result<void> RestoreTarget::checkRoom(std::uint64_t bytes) const
{
    const bool memory = m_config.storage == Storage::Memory;
    const std::uint64_t restored = bytes + (begun() ? m_unborn.store->state().bytes : 0);
    const auto fits = [restored](std::uint64_t used, std::int64_t limit) {
        return limit < 0 || used + restored <= static_cast<std::uint64_t>(limit);
    };
    const AccountLimits& own = m_context.limits;
    const JetStreamConfig& server = m_context.settings;
    if (!fits(memory ? m_context.memoryUsed : m_context.fileUsed,
            memory ? own.maxMemory : own.maxStore)
        || !fits(
            m_context.storedBytes(m_config.storage), memory ? server.maxMemory : server.maxStore))
        return outOfRoom(m_config.storage);
    return {};
}

void RestoreTarget::setFirst(StreamSeq first)
{
    if (!first.isZero())
        m_unborn.store->setFirstSeq(first);
}

Result<void> RestoreTarget::add(StreamSeq seq, const store::NewMessage& message)
{
    // No client could have published it, so nobody could ask for it.
    if (message.subject.empty() || message.subject.size() > kLongestSubject)
        return Error{Errc::Corrupt,
            "failed to store message sequence " + std::to_string(seq.value()) + ": invalid subject",
            0,
            0};
    if (auto room = checkRoom(m_unborn.store->sizeOf(message)); !room)
        return room;
    m_unborn.store->appendAt(seq, message);
    return {};
}

void RestoreTarget::skipTo(StreamSeq last)
{
    const store::StoreState held = m_unborn.store->state();
    if (last <= held.last)
        return;
    const std::int64_t time = held.lastTime != 0 ? held.lastTime : wallTime();
    m_unborn.store->skip(last - held.last, time, Removal::Skipped);
}

void RestoreTarget::remove(StreamSeq seq)
{
    m_unborn.store->remove(seq, Removal::Delete);
}

void RestoreTarget::removeBelow(StreamSeq first)
{
    m_unborn.store->removeBelow(first, Removal::Purge);
}

Result<void> RestoreTarget::commit()
{
    return begun() ? m_unborn.store->commit() : Result<void>();
}

void RestoreTarget::add(BackupConsumer consumer, std::int64_t created)
{
    m_consumers.push_back({std::move(consumer), created});
}

Result<std::vector<store::CatalogConsumer>> RestoreTarget::addConsumers(streams::Stream& stream)
{
    std::vector<store::CatalogConsumer> kept;
    for (Waiting& waiting : m_consumers) {
        BackupConsumer& consumer = waiting.consumer;
        const std::int64_t created = waiting.created > 0 ? waiting.created : wallTime();
        auto made = consumers::restoreConsumer(
            stream, std::move(consumer.config), consumer.name, created, consumer.progress);
        if (!made)
            return Error{Errc::Corrupt,
                "failed to add consumer \"" + consumer.name + "\": " + made.error().text,
                0,
                0};
        if (*made)
            kept.push_back(std::move(**made));
    }
    return kept;
}

void RestoreTarget::finish(Done done)
{
    if (auto committed = commit(); !committed)
        return done(committed.error());
    const std::int64_t created = m_created > 0 ? m_created : wallTime();
    m_registry.finishRestore(
        m_config,
        created,
        std::exchange(m_unborn, {}),
        [this](streams::Stream& stream) { return addConsumers(stream); },
        [done = std::move(done)](Result<streams::Stream*> made) {
            if (made)
                consumers::startRestored(**made);
            done(std::move(made));
        });
}

} // namespace jetglass::api
