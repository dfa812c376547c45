// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/account_room.h"

#include <algorithm>
#include <cstdint>

namespace jetglass::api {

namespace {

using namespace streams;

Result<void> checkMaxConsumers(const Context& context, const StreamConfig& config)
{
    const std::int64_t most = context.limits.maxConsumers;
    if (config.maxConsumers > 0 && most > 0 && config.maxConsumers > most)
        return Error::api(400, 10026, "maximum consumers limit reached");
    return {};
}

/// \a reserved bytes of the account are taken already.
Result<void> checkBytes(
    const Context& context, Storage storage, std::int64_t reserved, std::int64_t wanted)
{
    const bool memory = storage == Storage::Memory;
    const std::int64_t ofAccount = memory ? context.limits.maxMemory : context.limits.maxStore;
    const std::int64_t ofServer = memory ? context.settings.maxMemory : context.settings.maxStore;
    const std::int64_t elsewhere =
        context.reservedElsewhere ? context.reservedElsewhere(storage) : 0;
    const auto exceeds = [wanted](std::int64_t taken, std::int64_t limit) {
        return limit >= 0 && (taken > limit || wanted > limit - taken);
    };
    if (!exceeds(reserved, ofAccount) && !exceeds(reserved + elsewhere, ofServer))
        return {};
    return memory ? Error::api(500, 10028, "insufficient memory resources available")
                  : Error::api(500, 10047, "insufficient storage resources available");
}

} // namespace

Result<void> checkCounts(
    const Context& context, const StreamRegistry& registry, const StreamConfig& config)
{
    const auto streams = registry.sorted();
    const auto others =
        static_cast<std::int64_t>(streams.size()) - (registry.find(config.name) ? 1 : 0);
    if (context.limits.maxStreams > 0 && others >= context.limits.maxStreams)
        return Error::api(400, 10027, "maximum number of streams reached");
    return checkMaxConsumers(context, config);
}

Result<void> checkNewBytes(
    const Context& context, const StreamRegistry& registry, const StreamConfig& config)
{
    // Unlimited is taken for a single byte: it must not be made where everything is reserved.
    return checkBytes(context,
        config.storage,
        registry.reservedBytes(config.storage, config.name),
        config.maxBytes < 0 ? 1 : config.maxBytes);
}

Result<void> checkChangedStream(const Context& context,
    const StreamRegistry& registry,
    const StreamConfig& before,
    const StreamConfig& config)
{
    if (auto done = checkMaxConsumers(context, config); !done)
        return done;
    return checkBytes(context,
        config.storage,
        registry.reservedBytes(config.storage, config.name) + before.maxBytes,
        std::max<std::int64_t>(config.maxBytes - before.maxBytes, 0));
}

} // namespace jetglass::api
