// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/stream_config.h"

#include <nlohmann/json_fwd.hpp>

namespace jetglass::streams {

class JsonFields;

/// Declares all members of a StreamConfig. config.metadata may afterwards hold _nats.* keys of the
/// sender.
void declareStreamConfig(JsonFields& fields, StreamConfig& config);

/// The members in the reference server's order, empty ones left out as it does. With \a live also
/// the metadata keys that are added to answers only (_nats.ver, _nats.level).
nlohmann::ordered_json streamConfigToJson(const StreamConfig& config, bool live);

/// Removes _nats.ver and _nats.level and writes _nats.req.level (streams.md 2.4).
void stampRequiredLevel(StreamConfig& config);

} // namespace jetglass::streams
