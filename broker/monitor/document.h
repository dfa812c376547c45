// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "monitor/query.h"
#include "monitor/source.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace jetglass::monitor {

/// One answer of the monitoring pages.
struct Document
{
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// Answers a path without base path ("/varz"); unknown ones with 404 (core.md 7). JSON is indented.
Document answer(const std::string& path, Query query, const Source& source);

// The documents as JSON, for $SYS requests too. A query that does not parse leaves its error in \a
// query.
nlohmann::ordered_json varz(const Source& source);
nlohmann::ordered_json statsz(const Source& source);
nlohmann::ordered_json connz(const Source& source, Query& query);
nlohmann::ordered_json subsz(const Source& source, Query& query);
nlohmann::ordered_json jsz(const Source& source, Query& query);
nlohmann::ordered_json accountz(const Source& source, Query& query);
nlohmann::ordered_json accstatz(const Source& source, Query& query);
/// \a status gets the HTTP status.
nlohmann::ordered_json healthz(const Source& source, Query& query, int& status);

/// The members config and stats of JetStream, shared by varz and jsz.
nlohmann::ordered_json jetstreamConfig(const Source& source);
nlohmann::ordered_json jetstreamStats(const Source& source);
nlohmann::ordered_json jetstreamLimits(const JetStreamConfig& settings);
/// One account's entry of jsz; null if it has no JetStream, with the reason in \a query.
nlohmann::ordered_json jetstreamAccount(
    const Source& source, const std::string& account, Query& query);
/// Queues by name: of the server's own threads and of each stream and consumer.
nlohmann::ordered_json ipqueuesz(const Source& source, Query& query);
/// Switches of the server that clients and tools look at.
nlohmann::ordered_json featureFlags();
/// A span of time as the pages show it: "3d4h5m6s".
std::string uptimeText(std::int64_t ns);

} // namespace jetglass::monitor
