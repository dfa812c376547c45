// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_file.h"

#include "base/base64.h"
#include "daemon/config_parser.h"
#include "daemon/config_sections.h"

#include <cstdio>
#include <utility>

namespace jetglass::daemon {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLargePayload = std::int64_t{8} * 1024 * 1024;

std::string digestOf(std::string_view text)
{
    std::string hex = "sha256:";
    for (const char c : base::sha256(text)) {
        char digits[3];
        std::snprintf(
            digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        hex += digits;
    }
    return hex;
}

/// Reads one file's top level into a BrokerConfig.
class Loader
{
public:
    Loader(ConfigReader& reader, BrokerConfig& config)
        : m_reader(reader)
        , m_config(config)
    {
    }

    void load(const ConfigValue& root)
    {
        ConfigReader::Handlers handlers;
        addListeners(handlers);
        addLogging(handlers);
        addLimits(handlers);
        addBlocks(handlers);
        addAccepted(handlers);
        m_reader.each(root, handlers);
        finish(root);
    }

private:
    using Handlers = ConfigReader::Handlers;
    void addListeners(Handlers& handlers);
    void addLogging(Handlers& handlers);
    void addLimits(Handlers& handlers);
    void addBlocks(Handlers& handlers);
    void addAccepted(Handlers& handlers);
    void storeDirectory(const ConfigEntry& entry);
    void serverName(const ConfigEntry& entry);
    void metadata(const ConfigEntry& entry);
    void finish(const ConfigValue& root);

    ConfigReader& m_reader;
    BrokerConfig& m_config;
};

void Loader::addListeners(Handlers& handlers)
{
    handlers["listen"] = [this](const ConfigEntry& entry) {
        std::string host;
        if (m_reader.readHostPort(entry, host, m_config.port) && !host.empty())
            m_config.host = host;
    };
    handlers["host"] = handlers["net"] = m_reader.into(m_config.host);
    handlers["port"] = m_reader.into(m_config.port);
    handlers["server_name"] = [this](const ConfigEntry& entry) { serverName(entry); };
    handlers["client_advertise"] = m_reader.into(m_config.clientAdvertise);
    handlers["http"] = [this](const ConfigEntry& entry) {
        std::string host;
        if (m_reader.readHostPort(entry, host, m_config.httpPort) && !host.empty())
            m_config.httpHost = host;
    };
    handlers["http_port"] = handlers["monitor_port"] = m_reader.into(m_config.httpPort);
    handlers["http_base_path"] = m_reader.into(m_config.httpBasePath);
    handlers["https"] = handlers["https_port"] = m_reader.ignored();
}

void Loader::addLogging(Handlers& handlers)
{
    LogConfig& log = m_config.log;
    handlers["debug"] = m_reader.into(log.debug);
    handlers["trace"] = m_reader.into(log.trace);
    handlers["trace_verbose"] = [this, &log](const ConfigEntry& entry) {
        m_reader.read(entry, log.traceVerbose);
        log.trace = log.trace || log.traceVerbose;
    };
    handlers["logtime"] = m_reader.into(log.time);
    handlers["logtime_utc"] = m_reader.into(log.utc);
    handlers["log_file"] = handlers["logfile"] = m_reader.into(log.file);
    handlers["logfile_size_limit"] = handlers["log_size_limit"] = m_reader.into(log.fileSizeLimit);
    handlers["logfile_max_num"] = handlers["log_max_num"] = m_reader.into(log.fileMaxNum);
    handlers["trace_headers"] = m_reader.into(log.traceHeaders);
    handlers["max_traced_msg_len"] = m_reader.into(log.maxTracedMsgLen);
    handlers["pid_file"] = handlers["pidfile"] = m_reader.into(m_config.pidFile);
    handlers["ports_file_dir"] = m_reader.into(m_config.portsFileDir);
}

void Loader::addLimits(Handlers& handlers)
{
    handlers["max_control_line"] = m_reader.into(m_config.maxControlLine);
    handlers["max_payload"] = m_reader.into(m_config.maxPayload);
    handlers["max_pending"] = m_reader.into(m_config.maxPending);
    handlers["max_connections"] = handlers["max_conn"] = m_reader.into(m_config.maxConnections);
    handlers["max_subscriptions"] = handlers["max_subs"] = m_reader.into(m_config.maxSubscriptions);
    handlers["max_sub_tokens"] = handlers["max_subscription_tokens"] =
        m_reader.into(m_config.maxSubTokens);
    handlers["ping_interval"] = m_reader.durationInto(m_config.pingInterval);
    handlers["ping_max"] = m_reader.into(m_config.pingMax);
    handlers["write_deadline"] = m_reader.durationInto(m_config.writeDeadline);
    handlers["lame_duck_duration"] = m_reader.durationInto(m_config.lameDuckDuration);
    handlers["lame_duck_grace_period"] = m_reader.durationInto(m_config.lameDuckGrace);
    handlers["no_header_support"] = m_reader.into(m_config.noHeaderSupport);
    handlers["max_closed_clients"] = m_reader.into(m_config.maxClosedClients);
    handlers["no_fast_producer_stall"] = m_reader.into(m_config.noFastProducerStall);
    handlers["disable_sublist_cache"] = handlers["no_sublist_cache"] =
        m_reader.into(m_config.noSublistCache);
}

void Loader::addBlocks(Handlers& handlers)
{
    handlers["authorization"] = [this](const ConfigEntry& entry) {
        readAuthorization(m_reader, entry, m_config);
    };
    handlers["accounts"] = [this](const ConfigEntry& entry) {
        readAccounts(m_reader, entry, m_config);
    };
    handlers["no_auth_user"] = m_reader.into(m_config.auth.noAuthUser);
    handlers["system_account"] = handlers["system"] = m_reader.into(m_config.auth.systemAccount);
    handlers["no_system_account"] = m_reader.into(m_config.noSystemAccount);
    handlers["jetstream"] = [this](const ConfigEntry& entry) {
        readJetStream(m_reader, entry, m_config.jetstream);
    };
    handlers["store_dir"] =
        handlers["storedir"] = [this](const ConfigEntry& entry) { storeDirectory(entry); };
    handlers["tls"] = [this](const ConfigEntry& entry) { readTls(m_reader, entry, m_config.tls); };
    handlers["allow_non_tls"] = m_reader.into(m_config.tls.allowPlain);
    handlers["websocket"] = handlers["ws"] = [this](const ConfigEntry& entry) {
        readWebSocket(m_reader, entry, m_config.websocket);
    };
    handlers["mappings"] = handlers["maps"] = [this](const ConfigEntry& entry) {
        readMappings(m_reader, entry, m_config.mappings);
    };
    handlers["server_tags"] = [this](const ConfigEntry& entry) {
        m_config.tags = m_reader.readStrings(entry);
    };
    handlers["server_metadata"] = [this](const ConfigEntry& entry) { metadata(entry); };
    for (const char* key : {"operator",
             "operators",
             "roots",
             "root",
             "resolver",
             "resolvers",
             "resolver_preload",
             "trusted_keys",
             "trusted"}) {
        handlers[key] = [this](const ConfigEntry& entry) {
            m_reader.error(entry.position, '"' + entry.key + "\": operator mode is not supported");
        };
    }
}

void Loader::addAccepted(Handlers& handlers)
{
    for (const char* key : {"cluster", "leafnodes", "leaf", "gateway", "mqtt"})
        handlers[key] = m_reader.ignored();
    for (const char* key : {"syslog",
             "remote_syslog",
             "prof_port",
             "ocsp",
             "default_sentinel",
             "proxies",
             "auth_callout"})
        handlers[key] = m_reader.ignored();
    for (const char* key : {"connect_error_reports",
             "reconnect_error_reports",
             "default_js_domain",
             "feature_flags",
             "max_outstanding_catchup",
             "prof_block_rate",
             "lame_duck_advertise",
             "ocsp_cache"})
        handlers.try_emplace(key, nullptr);
}

void Loader::storeDirectory(const ConfigEntry& entry)
{
    std::string directory;
    m_reader.read(entry, directory);
    if (!m_config.jetstream.storeDir.empty() && m_config.jetstream.storeDir != directory)
        m_reader.error(entry.position, "Duplicate 'store_dir' configuration");
    m_config.jetstream.storeDir = directory;
}

void Loader::serverName(const ConfigEntry& entry)
{
    m_reader.read(entry, m_config.serverName);
    if (m_config.serverName.find_first_of(" \t\r\n") != std::string::npos)
        m_reader.error(entry.value.position, "server name cannot contain spaces");
}

void Loader::metadata(const ConfigEntry& entry)
{
    if (!m_reader.expectMap(entry))
        return;
    for (const ConfigEntry& item : entry.value.entries)
        m_reader.read(item, m_config.metadata[item.key]);
}

void Loader::finish(const ConfigValue& root)
{
    const auto placeOf = [&root](std::string_view key) {
        const ConfigEntry* entry = root.find(key);
        return entry != nullptr ? entry->position : root.position;
    };
    constexpr int kMaxPort = 65535;
    if (m_config.port < -1 || m_config.port > kMaxPort)
        m_reader.error(
            placeOf("port"), "port " + std::to_string(m_config.port) + " is out of range");
    if (m_config.httpPort < -1 || m_config.httpPort > kMaxPort)
        m_reader.error(
            placeOf("http_port"), "port " + std::to_string(m_config.httpPort) + " is out of range");
    if (m_config.maxPayload > m_config.maxPending)
        m_reader.error(placeOf("max_payload"),
            "max_payload (" + std::to_string(m_config.maxPayload)
                + ") cannot be higher than max_pending (" + std::to_string(m_config.maxPending)
                + ')');
    else if (m_config.maxPayload > kLargePayload)
        m_reader.warn(placeOf("max_payload"),
            "Maximum payloads over 8.00 MB are generally discouraged and could lead to poor "
            "performance");
    if (m_config.lameDuckDuration < 30 * kSecond)
        m_reader.error(
            placeOf("lame_duck_duration"), "invalid lame_duck_duration, minimum is 30 seconds");
    if (m_config.lameDuckGrace < 0 || m_config.lameDuckGrace >= m_config.lameDuckDuration)
        m_reader.error(placeOf("lame_duck_grace_period"),
            "lame_duck_grace_period must be positive and shorter than lame_duck_duration");
    checkAuthorization(m_reader, root, m_config);
    checkAccounts(m_reader, root, m_config);
}

} // namespace

LoadedConfig loadConfigText(std::string_view text, const std::string& file)
{
    LoadedConfig loaded;
    loaded.config.configFile = file;
    loaded.config.configDigest = digestOf(text);
    const auto root = parseConfigText(text, file);
    if (!root) {
        loaded.errors.push_back(root.error().text);
        return loaded;
    }
    ConfigReader reader;
    if (root->entries.empty())
        reader.warn(root->position, "config has no values or is empty");
    Loader(reader, loaded.config).load(*root);
    loaded.errors = reader.errors();
    loaded.warnings = reader.warnings();
    return loaded;
}

LoadedConfig loadConfigFile(const std::string& file)
{
    const auto text = readFile(file);
    if (text)
        return loadConfigText(*text, file);
    LoadedConfig loaded;
    loaded.errors.push_back(text.error().text);
    return loaded;
}

} // namespace jetglass::daemon
