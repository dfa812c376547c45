// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "broker/stream_config.h"

#include <string_view>

namespace jetglass::streams {

/// A name for a stream or consumer: not empty, no blank, no . * > / or backslash.
[[nodiscard]] bool isValidAssetName(std::string_view name);
/// The rules of streams.md 6.1 and 6.2 that depend on the configuration alone, the cycle through
/// itself included.
Result<void> checkMirror(const StreamConfig& config);
Result<void> checkSources(const StreamConfig& config);
/// Filters are looked at only when the stream is really made.
Result<void> checkSourceFilters(const StreamConfig& config);

} // namespace jetglass::streams
