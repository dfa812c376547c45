// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "broker/stream_config.h"
#include "streams/context.h"
#include "streams/stream_registry.h"

namespace jetglass::api {

/// What is left for a stream of what its account and the server may use (streams.md 1.3). A stream
/// of the same name does not count. First the number of streams, 10027, and their max_consumers,
/// 10026: they come before all rules of the configuration.
Result<void> checkCounts(const streams::Context& context,
    const streams::StreamRegistry& registry,
    const StreamConfig& config);
/// Then the sum of their max_bytes, 10028 and 10047: at once in a storage that the request names,
/// and again when the configuration is good and no stream of the name exists.
Result<void> checkNewBytes(const streams::Context& context,
    const streams::StreamRegistry& registry,
    const StreamConfig& config);
/// Likewise for a change; of max_bytes only what it adds is asked for.
Result<void> checkChangedStream(const streams::Context& context,
    const streams::StreamRegistry& registry,
    const StreamConfig& before,
    const StreamConfig& config);

} // namespace jetglass::api
