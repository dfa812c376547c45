// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "daemon/config_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace jetglass::daemon {

/// The blocks of a configuration file that have a file of their own here.
void readAuthorization(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config);
void readAccounts(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config);
void readJetStream(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config);
void readTls(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config);
void readWebSocket(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config);
void readMappings(
    ConfigReader& reader, const ConfigEntry& entry, std::vector<MappingConfig>& mappings);
// Parts that authorization and accounts share.
std::optional<Permissions> readPermissions(ConfigReader& reader, const ConfigEntry& entry);
void readUsers(ConfigReader& reader,
    const ConfigEntry& entry,
    const std::string& account,
    std::vector<UserConfig>& users);
/// Checks that need the whole file: duplicate users, no_auth_user without a user ...
void checkAccounts(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config);
void checkAuthorization(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config);

} // namespace jetglass::daemon
