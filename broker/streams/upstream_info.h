// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "broker/stream_config.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>

namespace jetglass::streams {

/// How a stream stands with one of the streams that it copies from (streams.md 6.7).
struct UpstreamInfo
{
    StreamSource source;
    std::uint64_t seq = 0; ///< last sequence copied, of sources only
    std::uint64_t lag = 0; ///< messages still to copy
    std::int64_t active = -1; ///< ns since the origin was heard of; -1 = never
    std::optional<Error> error; ///< of the last attempt to reach it
};

/// An entry of "sources", or "mirror".
[[nodiscard]] nlohmann::ordered_json upstreamToJson(const UpstreamInfo& info);

} // namespace jetglass::streams
