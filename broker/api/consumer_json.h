// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "consumers/consumer_config_json.h"

#include <nlohmann/json_fwd.hpp>

namespace jetglass::consumers {
class Consumer;
}

namespace jetglass::api {

/// ConsumerInfo in the reference server's order (consumers.md 3). Drops expired pull requests
/// first.
nlohmann::ordered_json consumerInfoToJson(
    consumers::Consumer& consumer, consumers::ConfigAudience audience);

} // namespace jetglass::api
