// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "daemon/config_reader.h"

namespace jetglass::daemon {

/// The blocks of a configuration file that have a file of their own here.
void readAuthorization(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config);
void readAccounts(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config);
void readJetStream(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config);
/// Warns, and refuses what would be unsafe to ignore (client certificates as the only check).
void readTls(ConfigReader& reader, const ConfigEntry& entry);
/// Checks that need the whole file: duplicate users, no_auth_user without a user ...
void checkAuthorization(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config);

} // namespace jetglass::daemon
