// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/stream_config.h"

#include <QJsonObject>

namespace jetglass::client {

/// The API's JSON of a configuration and back. Fields that are at their zero value are left out
/// where the server leaves them out, so what a form sends reads like what a person would write.
/// Unknown members are ignored.
[[nodiscard]] QJsonObject toJson(const StreamConfig& config);
[[nodiscard]] StreamConfig streamConfigFromJson(const QJsonObject& json);
[[nodiscard]] QJsonObject toJson(const ConsumerConfig& config);
[[nodiscard]] ConsumerConfig consumerConfigFromJson(const QJsonObject& json);

} // namespace jetglass::client
