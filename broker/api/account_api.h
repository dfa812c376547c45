// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "streams/stream_registry.h"

namespace jetglass::api {

/// $JS.API.INFO: what the account uses and may use (streams.md 1.2).
void addAccountApi(ApiRouter& router, streams::Context& context, streams::StreamRegistry& registry);

} // namespace jetglass::api
