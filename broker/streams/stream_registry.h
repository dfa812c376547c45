// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/catalog.h"
#include "store/consumer_log.h"
#include "store/message_store.h"
#include "streams/context.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {

class Stream;

/// The streams of one account: names, subject overlap, creation, change, deletion, recovery at
/// start.
class StreamRegistry
{
public:
    explicit StreamRegistry(Context& context);
    ~StreamRegistry();

    /// Opens every stream of the catalog. A stream that cannot be opened is reported and left out,
    /// its files stay.
    Result<void> recover();
    /// Likewise one whose consumers cannot be opened: without them it would forget what they need.
    void leaveOut(Stream& stream, const Error& error);
    void shutdown(); ///< onShutdown of all consumers, final commit

    using Created = std::function<void(Result<Stream*>)>;
    using Done = std::function<void(Result<void>)>;
    /// Answers when the catalog has it. \a config is normalized already.
    void create(const StreamConfig& config, Created done);
    /// Takes the name for a stream that is being restored and opens empty stores for it, of which
    /// the next start knows nothing. False answers: 10130, 10065, or what the store says.
    struct Unborn
    {
        std::unique_ptr<store::MessageStore> store;
        std::unique_ptr<store::ConsumerLog> log;
    };
    Result<Unborn> beginRestore(const StreamConfig& config);
    /// The stream lives from now on, with the messages of its store; \a addConsumers may give it
    /// consumers and tells what the catalog is to keep of them. Answers when the catalog has it
    /// all.
    using AddConsumers = std::function<Result<std::vector<store::CatalogConsumer>>(Stream&)>;
    void finishRestore(const StreamConfig& config,
        std::int64_t created,
        Unborn unborn,
        const AddConsumers& addConsumers,
        Created done);
    /// Gives the name free and removes what was stored.
    void abandonRestore(const StreamConfig& config, Unborn unborn);
    void update(Stream& stream, StreamConfig config, Done done);
    void remove(Stream& stream, Done done);

    /// Called after a stream was made, changed or opened, and before it goes (\a gone).
    void setWatcher(std::function<void(Stream& stream, bool gone)> watcher);
    /// Another stream than \a except has a subject that collides with one of these.
    [[nodiscard]] bool overlaps(
        const std::vector<std::string>& patterns, std::string_view except) const;

    [[nodiscard]] Stream* find(std::string_view name) const;
    [[nodiscard]] Stream* find(StreamId id) const;
    [[nodiscard]] std::vector<Stream*> sorted() const;
    /// Bytes in use by storage kind.
    [[nodiscard]] std::uint64_t memoryBytes() const;
    [[nodiscard]] std::uint64_t fileBytes() const;
    /// Sum of the max_bytes of streams, without those of \a except.
    [[nodiscard]] std::int64_t reservedBytes(Storage storage, std::string_view except = {}) const;

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::streams
