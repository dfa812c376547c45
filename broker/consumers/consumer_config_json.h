// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"

#include <nlohmann/json_fwd.hpp>

namespace jetglass::streams {
class JsonFields;
}

namespace jetglass::consumers {

/// Declares all members of a ConsumerConfig.
void declareConsumerConfig(streams::JsonFields& fields, ConsumerConfig& config);

/// What a configuration is written for: the catalog, LIST entries, or CREATE, INFO and RESET, which
/// add the metadata keys of the server.
enum class ConfigAudience
{
    Catalog,
    List,
    Info
};

/// The members in the reference server's order, empty ones left out as it does.
nlohmann::ordered_json consumerConfigToJson(const ConsumerConfig& config, ConfigAudience audience);

/// Removes _nats.ver and _nats.level and writes _nats.req.level (consumers.md 2.6).
void stampRequiredLevel(ConsumerConfig& config);

} // namespace jetglass::consumers
