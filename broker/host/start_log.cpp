// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/start_log.h"

#include "accounts/password.h"
#include "host/address_text.h"
#include "streams/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace jetglass::host {

namespace {

bool hasPlainPassword(const AuthConfig& auth)
{
    const auto plain = [](const std::string& secret) {
        return !secret.empty() && !accounts::isBcrypt(secret);
    };
    return plain(auth.token) || plain(auth.password)
        || std::any_of(auth.users.begin(), auth.users.end(), [&](const UserConfig& u) {
               return plain(u.password);
           });
}

} // namespace

std::string sizeText(std::int64_t bytes)
{
    constexpr std::array<const char*, 6> kUnits = {"B", "KB", "MB", "GB", "TB", "PB"};
    constexpr double kStep = 1024;
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= kStep && unit + 1 < kUnits.size()) {
        value /= kStep;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

void logStarting(base::Log& log, const BrokerConfig& config, const server::ServerIdentity& identity)
{
    log.info("Starting nats-server");
    log.info(fmt::format("  Version:  {}", streams::kNatsVersion));
    log.info("  Git:      [not set]");
    log.info("  Jetglass: " JETGLASS_VERSION);
    log.info(fmt::format("  Name:     {}", identity.name));
    log.info(fmt::format("  ID:       {}", identity.id));
    if (!config.configFile.empty())
        log.info(fmt::format(
            "Using configuration file: {} ({})", config.configFile, config.configDigest));
    logNotes(log, config);
}

void logJetStream(base::Log& log, const JetStreamConfig& settings, const std::string& directory)
{
    log.info("Starting JetStream");
    log.info("---------------- JETSTREAM ----------------");
    log.info(fmt::format("  Strict:          {}", settings.strict));
    log.info(fmt::format("  Max Memory:      {}", sizeText(settings.maxMemory)));
    log.info(fmt::format("  Max Storage:     {}", sizeText(settings.maxStore)));
    log.info(fmt::format("  Store Directory: \"{}\"", directory));
    if (!settings.domain.empty())
        log.info(fmt::format("  Domain:          {}", settings.domain));
    log.info(fmt::format("  API Level:       {}", streams::kApiLevel));
    log.info("-------------------------------------------");
}

void logNotes(base::Log& log, const BrokerConfig& config)
{
    for (const std::string& note : config.notes)
        log.warn(note);
    if (hasPlainPassword(config.auth))
        log.warn("Plaintext passwords detected, use nkeys or bcrypt");
    if (!isLoopback(config.host) && !config.auth.required())
        log.warn(fmt::format(
            "Everybody who can reach {} may connect: no credentials are configured", config.host));
    log.info("Not built yet: clustering, leaf nodes, MQTT, operator mode");
}

} // namespace jetglass::host
