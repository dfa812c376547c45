// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "archive/consumer_file.h"
#include "broker/consumer_config.h"
#include "broker/result.h"
#include "store/catalog.h"
#include "streams/context.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {
class Stream;
}

namespace jetglass::consumers {

class Consumer;

enum class Action
{
    CreateOrUpdate,
    Create,
    Update
};

struct Outcome
{
    Consumer* consumer = nullptr;
    bool created = false; ///< false: existed, unchanged or updated
};
using Done = std::function<void(Result<Outcome>)>;

/// Creates or changes a consumer as consumers.md 1.3 (from step 12) and 1.4 say; answers when the
/// catalog has it.
void createConsumer(
    streams::Stream& stream, ConsumerConfig config, Action action, bool pedantic, Done done);
/// Deletes as by request or inactivity.
void deleteConsumer(
    streams::Stream& stream, std::string_view name, std::function<void(Result<void>)> done);
/// Pauses until a time, or resumes; answers when the catalog has it.
void pauseConsumer(Consumer& consumer,
    std::optional<std::string> until,
    std::function<void(Result<Consumer*>)> done);
/// Calls back when what its log says so far outlives what the settings promise, also a loss of
/// power; nothing is delivered until then.
void whenDurable(Consumer& consumer, std::function<void(Result<void>)> done);
/// The answer to a change of a consumer that could not be saved.
[[nodiscard]] Error storeError(const Error& error);
/// A consumer as a backup holds it, stopped: it begins with startRestored(), when the catalog has
/// what this gives (nothing of one that is kept in memory). Errors are those of a new consumer.
Result<std::optional<store::CatalogConsumer>> restoreConsumer(streams::Stream& stream,
    ConsumerConfig config,
    std::string name,
    std::int64_t created,
    const archive::ConsumerProgress& progress);
void startRestored(streams::Stream& stream);
/// How far a consumer has come, for a backup; nothing beyond \a last.
[[nodiscard]] archive::ConsumerProgress progressOf(const Consumer& consumer, StreamSeq last);
/// At start: every consumer of the stream from catalog and consumers.log.
Result<void> recoverConsumers(streams::Stream& stream);

/// A consumer of the stream, null if there is none of that name.
[[nodiscard]] Consumer* findConsumer(streams::Stream& stream, std::string_view name);

} // namespace jetglass::consumers
