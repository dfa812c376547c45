// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/document.h"
#include "monitor/process_usage.h"
#include "streams/context.h"

#include <nlohmann/json.hpp>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

/// Whole seconds without a fraction, as the reference writes them.
Json secondsOf(std::int64_t nanoseconds)
{
    if (nanoseconds % 1'000'000'000 == 0)
        return nanoseconds / 1'000'000'000;
    return static_cast<double>(nanoseconds) / 1e9;
}

Json webSocketOf(const WebSocketConfig& config)
{
    Json json = Json::object();
    if (!config.enabled)
        return json;
    json["host"] = config.host;
    json["port"] = config.port;
    json["no_tls"] = config.noTls;
    json["same_origin"] = config.sameOrigin;
    if (!config.allowedOrigins.empty())
        json["allowed_origins"] = config.allowedOrigins;
    json["compression"] = config.compression;
    json["handshake_timeout"] = config.handshakeTimeout;
    if (!config.noAuthUser.empty())
        json["no_auth_user"] = config.noAuthUser;
    return json;
}

void addSettings(Json& json, const BrokerConfig& config, const ServerFacts& server)
{
    json["host"] = server.host;
    json["port"] = server.port;
    json["max_connections"] = config.maxConnections;
    if (config.maxSubscriptions > 0)
        json["max_subscriptions"] = config.maxSubscriptions;
    json["ping_interval"] = config.pingInterval;
    json["ping_max"] = config.pingMax;
    json["http_host"] = server.httpHost;
    json["http_port"] = config.https ? 0 : server.httpPort;
    json["http_base_path"] = config.httpBasePath;
    json["https_port"] = config.https ? server.httpPort : 0;
    if (config.auth.required())
        json["auth_required"] = true;
    json["auth_timeout"] = secondsOf(config.auth.timeout);
    json["max_control_line"] = config.maxControlLine;
    json["max_payload"] = config.maxPayload;
    json["max_pending"] = config.maxPending;
    if (config.tls.enabled && !config.tls.allowPlain)
        json["tls_required"] = true;
    if (config.tls.verify)
        json["tls_verify"] = true;
    for (const char* absent : {"cluster", "gateway", "leaf", "mqtt"})
        json[absent] = Json::object();
    json["websocket"] = webSocketOf(config.websocket);
}

void addCounters(Json& json, const ServerFacts& server)
{
    json["connections"] = server.connections;
    json["total_connections"] = server.totalConnections;
    json["routes"] = 0;
    json["remotes"] = 0;
    json["leafnodes"] = 0;
    json["in_msgs"] = server.in.messages;
    json["in_bytes"] = server.in.bytes;
    json["in_client_msgs"] = server.in.messages;
    json["in_client_bytes"] = server.in.bytes;
    json["out_msgs"] = server.out.messages;
    json["out_bytes"] = server.out.bytes;
    json["out_client_msgs"] = server.out.messages;
    json["out_client_bytes"] = server.out.bytes;
    json["slow_consumers"] = server.slowConsumers;
    json["stale_connections"] = server.staleConnections;
    json["stalled_clients"] = server.stalledClients;
    json["subscriptions"] = server.subscriptions;
}

Json byKind(std::uint64_t clients)
{
    return {{"clients", clients}, {"routes", 0}, {"gateways", 0}, {"leafs", 0}};
}

Json jetstreamOf(const Source& source)
{
    const JetStreamConfig* settings = source.jetstreamSettings();
    if (settings == nullptr)
        return Json::object();
    return {{"config", jetstreamConfig(source)},
        {"stats", jetstreamStats(source)},
        {"limits", jetstreamLimits(*settings)}};
}

} // namespace

nlohmann::ordered_json varz(const Source& source)
{
    const BrokerConfig& config = source.config();
    const ServerFacts server = source.server();
    const ProcessUsage usage = processUsage();
    Json json;
    json["server_id"] = server.id;
    json["server_name"] = server.name;
    json["version"] = streams::kNatsVersion;
    json["jetglass"] = JETGLASS_VERSION;
    json["proto"] = 1;
    json["go"] = "";
    addSettings(json, config, server);
    json["jetstream"] = jetstreamOf(source);
    json["tls_timeout"] = secondsOf(config.tls.timeout);
    json["write_deadline"] = config.writeDeadline;
    if (config.writeTimeout != WriteTimeout::Default)
        json["write_timeout"] = config.writeTimeout == WriteTimeout::Close ? "close" : "retry";
    json["start"] = base::rfc3339(server.start);
    json["now"] = base::rfc3339(server.now);
    json["uptime"] = uptimeText(server.now - server.start);
    json["mem"] = usage.memory;
    json["cores"] = usage.cores;
    json["gomaxprocs"] = usage.cores;
    json["cpu"] = usage.cpu;
    addCounters(json, server);
    Json requests = Json::object();
    for (const auto& [path, count] : server.httpRequests)
        requests[path] = count;
    json["http_req_stats"] = requests;
    json["config_load_time"] = base::rfc3339(server.configLoaded);
    json["config_digest"] = config.configDigest;
    if (!config.tags.empty())
        json["tags"] = config.tags;
    for (const auto& [key, value] : config.metadata)
        json["metadata"][key] = value;
    // No disk operation waits for another one's end to be let through.
    json["disk_io_wait_stats"] = {
        {"waiters", 0}, {"waits", 0}, {"wait_time", 0}, {"max_wait_time", 0}};
    json["feature_flags"] = featureFlags();
    json["system_account"] = config.auth.systemAccount;
    json["slow_consumer_stats"] = byKind(server.slowConsumers);
    json["stale_connection_stats"] = byKind(server.staleConnections);
    return json;
}

} // namespace jetglass::monitor
