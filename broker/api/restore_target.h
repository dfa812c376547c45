// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/backup_state.h"
#include "broker/stream_config.h"
#include "streams/stream_registry.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace jetglass::api {

/// A stream in the making: takes messages and consumers out of a backup, and is there as a whole in
/// the end or not at all. Broker thread only.
class RestoreTarget
{
public:
    RestoreTarget(
        streams::Context& context, streams::StreamRegistry& registry, StreamConfig config);
    ~RestoreTarget();
    RestoreTarget(const RestoreTarget&) = delete;
    RestoreTarget& operator=(const RestoreTarget&) = delete;

    [[nodiscard]] const StreamConfig& config() const { return m_config; }
    [[nodiscard]] std::int64_t wallTime() const { return m_context.clock.wallTime(); }
    [[nodiscard]] std::int64_t maxPayload() const { return m_context.maxPayload; }
    [[nodiscard]] const std::string& account() const { return m_context.account; }

    /// Takes the name and makes empty stores. Errors as of a new stream.
    Result<void> begin();
    [[nodiscard]] bool begun() const { return m_unborn.store != nullptr; }
    /// Room for so many bytes more than what is stored. Errors 10028 and 10047.
    [[nodiscard]] Result<void> checkRoom(std::uint64_t bytes) const;

    /// The empty stream begins here.
    void setFirst(StreamSeq first);
    /// Sequences must rise; what lies between is deleted.
    Result<void> add(StreamSeq seq, const store::NewMessage& message);
    /// The sequences up to \a last are used, nothing is stored there.
    void skipTo(StreamSeq last);
    void remove(StreamSeq seq);
    void removeBelow(StreamSeq first);
    [[nodiscard]] store::StoreState state() const { return m_unborn.store->state(); }
    /// Writes what has been staged since the last time.
    Result<void> commit();

    void add(BackupConsumer consumer, std::int64_t created);
    void setCreated(std::int64_t created) { m_created = created; }

    using Done = std::function<void(Result<streams::Stream*>)>;
    void finish(Done done);

private:
    struct Waiting
    {
        BackupConsumer consumer;
        std::int64_t created = 0;
    };
    Result<std::vector<store::CatalogConsumer>> addConsumers(streams::Stream& stream);

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
    StreamConfig m_config;
    streams::StreamRegistry::Unborn m_unborn;
    std::vector<Waiting> m_consumers;
    std::int64_t m_created = 0; ///< wall ns, 0 = now
};

} // namespace jetglass::api
