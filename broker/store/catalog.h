// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

struct CatalogStream
{
    std::string name;
    std::string config; ///< JSON
    std::int64_t created = 0; ///< wall ns
};

struct CatalogConsumer
{
    std::uint32_t number =
        0; ///< unique in the stream, never used again; names the consumer in consumers.log
    std::string name;
    std::string config; ///< JSON
    std::int64_t created = 0;
    std::string snapshot; ///< of its state; empty = none yet
};

/// How far a file stream had come: what is left to say so when its newest block is lost.
struct CatalogEnd
{
    std::string stream;
    std::uint64_t block = 0; ///< number of the newest block; 0 = not known
    std::uint64_t first = 0; ///< where it begins
    std::uint64_t last = 0; ///< a sequence that was given out, and all before it
};

/// catalog.sqlite of one account: configurations, snapshots of consumer state, clock settings. WAL
/// mode. Writes are queued to the worker and answered on the broker loop: \a done is called when
/// the commit is durable against kill -9. Writes take effect in the order of the calls. Loading is
/// synchronous and meant for the start.
class Catalog
{
public:
    using Done = std::function<void(Result<void>)>;
    virtual ~Catalog() = default;
    virtual Result<std::vector<CatalogStream>> loadStreams() = 0;
    virtual Result<std::vector<CatalogConsumer>> loadConsumers(std::string_view stream) = 0;
    virtual void saveStream(const CatalogStream& stream, Done done) = 0;
    /// A stream with all its consumers in one transaction, in place of what had these names before.
    virtual void saveRestored(
        const CatalogStream& stream, std::vector<CatalogConsumer> consumers, Done done) = 0;
    virtual void removeStream(std::string_view stream, Done done) = 0; ///< and all its consumers
    virtual void saveConsumer(
        std::string_view stream, const CatalogConsumer& consumer, Done done) = 0;
    virtual void removeConsumer(std::string_view stream, std::string_view name, Done done) = 0;
    /// Several at once, one transaction: (consumer name, snapshot).
    virtual void saveSnapshots(std::string_view stream,
        std::vector<std::pair<std::string, std::string>> snapshots,
        Done done) = 0;
    virtual Result<std::optional<std::string>> value(std::string_view key) = 0;
    virtual void setValue(std::string_view key, std::string_view value, Done done) = 0;
    virtual Result<std::vector<CatalogEnd>> loadEnds() { return std::vector<CatalogEnd>(); }
    /// Of a stream that the catalog has; nobody waits for it.
    virtual void saveEnd(const CatalogEnd& /*end*/) { }
    /// Waits until everything queued is done: orderly stop.
    virtual void flush() = 0;
};

} // namespace jetglass::store
