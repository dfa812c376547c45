// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"
#include "streams/context.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace jetglass::api {

/// Publishes $JS.EVENT.ADVISORY... with type, id, timestamp and the members, if somebody wants it
/// (streams.md 10). \a type without "io.nats.jetstream.advisory.v1.".
void publishAdvisory(streams::Context& context,
    std::string_view subject,
    std::string_view type,
    const nlohmann::ordered_json& members);
/// STREAM.CREATED, UPDATED, DELETED. \a event as in the subject, \a action as in the body.
void publishStreamAction(streams::Context& context,
    std::string_view stream,
    std::string_view event,
    std::string_view action);
/// The "client" member of advisories.
[[nodiscard]] nlohmann::ordered_json clientInfo(
    const streams::Context& context, const streams::Sender& sender);

} // namespace jetglass::api
