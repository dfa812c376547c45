// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_store.h"
#include "streams/stream.h"

#include <nlohmann/json_fwd.hpp>

namespace jetglass::api {

/// Which of the optional parts of a StreamInfo an answer has (streams.md 5.1 and 1.3 to 1.6).
struct StreamInfoParts
{
    bool liveMetadata = true; ///< _nats.ver and _nats.level
    bool domain = true;
    bool cluster = false;
};

[[nodiscard]] nlohmann::ordered_json streamInfoToJson(
    const streams::Stream& stream, StreamInfoParts parts);
[[nodiscard]] nlohmann::ordered_json stateToJson(const streams::Stream& stream);
/// "message" of MSG.GET.
[[nodiscard]] nlohmann::ordered_json messageToJson(const store::MessageView& message, bool headers);
/// Time of a first or last message: the zero time if there is none.
[[nodiscard]] std::string timeText(std::int64_t wallTime);

} // namespace jetglass::api
