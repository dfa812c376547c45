// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/result.h"
#include "broker/stream_config.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace jetglass {

/// What the rules need to know of the server. Defaults are those of an unlimited stand-alone
/// server.
struct ConfigLimits
{
    std::int64_t maxDuplicateWindow = 0; ///< ns, 0 = no limit
    std::int64_t maxAckPending = 0; ///< the server's; 0 = no limit
    std::int64_t accountMaxAckPending = 0; ///< <= 0 = no limit
    std::int64_t maxRequestBatch = 0; ///< 0 = no limit
    /// The configuration of an existing stream, null if there is none: mirrors and sources are
    /// checked against their origins. Empty = no stream is known.
    std::function<const StreamConfig*(std::string_view name)> findStream = {};
    bool maxBytesRequired = false; ///< streams must have a max_bytes
    std::int64_t memoryMaxStreamBytes = -1; ///< of one stream; <= 0 = no limit
    std::int64_t storeMaxStreamBytes = -1;
};

/// Fills in defaults and checks a stream's configuration, in the real server's order
/// (streams.md 2.2), as far as it depends on the configuration alone. On an error \a config may be
/// partly normalized. The same call serves the API and a form that is being typed into.
Result<void> normalizeStreamConfig(
    StreamConfig& config, bool pedantic, const ConfigLimits& limits = {});

/// The rules for changing \a from into \a to (streams.md 2.3); both normalized. May adjust \a to
/// (sealing).
Result<void> checkStreamUpdate(const StreamConfig& from, StreamConfig& to);

/// Fills in defaults (consumers.md 2.2), then checks (2.3) against the consumer's stream.
Result<void> normalizeConsumerConfig(ConsumerConfig& config,
    const StreamConfig& stream,
    bool pedantic,
    const ConfigLimits& limits = {});

/// The rules for changing a consumer (consumers.md 1.5).
Result<void> checkConsumerUpdate(const ConsumerConfig& from, const ConsumerConfig& to);

} // namespace jetglass
