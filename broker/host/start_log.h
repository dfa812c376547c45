// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/log.h"
#include "broker/config.h"
#include "server/engine.h"

#include <cstdint>
#include <string>

namespace jetglass::host {

/// The lines of a start (core.md 6.1), whose texts launchers and test suites look for.
void logStarting(
    base::Log& log, const BrokerConfig& config, const server::ServerIdentity& identity);
void logJetStream(base::Log& log, const JetStreamConfig& settings, const std::string& directory);
/// Warnings of the configuration, what is not built yet, and doors that stand open.
void logNotes(base::Log& log, const BrokerConfig& config);

/// "17.66 GB"
std::string sizeText(std::int64_t bytes);

} // namespace jetglass::host
