// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "broker/stream_config.h"

#include <functional>
#include <string_view>

namespace jetglass::streams {

/// A name for a stream or consumer: not empty, no blank, no . * > / or backslash.
[[nodiscard]] bool isValidAssetName(std::string_view name);
/// The configuration of another stream of the account; null if there is none.
using FindConfig = std::function<const StreamConfig*(std::string_view name)>;
/// The rules of streams.md 6.1, 6.2, 6.3 and 6.6, in that order. A mirror takes over whether its
/// origin allows direct reads.
Result<void> checkUpstreams(StreamConfig& config, bool pedantic, const FindConfig& find);
/// Filters are looked at only when the stream is really made.
Result<void> checkSourceFilters(const StreamConfig& config);

} // namespace jetglass::streams
