// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_file.h"

#include "daemon/config_digest.h"
#include "daemon/config_parser.h"
#include "daemon/config_sections.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace jetglass::daemon {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLargePayload = std::int64_t{8} * 1024 * 1024;

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
    void writeTimeout(const ConfigEntry& entry);
    void featureFlags(const ConfigEntry& entry);
    void checkHttps();
    void storeDirectory(const ConfigEntry& entry);
    void serverName(const ConfigEntry& entry);
    void metadata(const ConfigEntry& entry);
    void finish(const ConfigValue& root);

    ConfigReader& m_reader;
    BrokerConfig& m_config;
    int m_httpsPort = 0;
    std::int64_t m_unused = 0; ///< of clusters, and of how the reference is made
    std::optional<Position> m_https;
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
    handlers["https"] = [this](const ConfigEntry& entry) {
        std::string host;
        m_https = entry.position;
        if (m_reader.readHostPort(entry, host, m_httpsPort) && !host.empty())
            m_config.httpHost = host;
    };
    handlers["https_port"] = [this](const ConfigEntry& entry) {
        m_https = entry.position;
        m_reader.read(entry, m_httpsPort);
    };
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
    handlers["trace_headers"] = [this, &log](const ConfigEntry& entry) {
        m_reader.read(entry, log.traceHeaders);
        log.trace = log.trace || log.traceHeaders;
    };
    handlers["max_traced_msg_len"] = m_reader.into(log.maxTracedMsgLen);
    handlers["pid_file"] = handlers["pidfile"] = m_reader.into(m_config.pidFile);
    handlers["ports_file_dir"] = m_reader.into(m_config.portsFileDir);
}

void Loader::addLimits(Handlers& handlers)
{
    const auto small = [this](std::int64_t& into) {
        return [this, &into](const ConfigEntry& entry) {
            m_reader.read(entry, into);
            if (into > std::numeric_limits<std::int32_t>::max())
                m_reader.error(entry.position, entry.key + " value is too big");
        };
    };
    handlers["max_control_line"] = small(m_config.maxControlLine);
    handlers["max_payload"] = small(m_config.maxPayload);
    handlers["max_pending"] = m_reader.into(m_config.maxPending);
    handlers["max_connections"] = handlers["max_conn"] = [this](const ConfigEntry& entry) {
        m_reader.read(entry, m_config.maxConnections);
        if (m_config.maxConnections == 0)
            m_config.maxConnections = -1; // nobody; 0 would be the default elsewhere
    };
    handlers["max_subscriptions"] = handlers["max_subs"] = m_reader.into(m_config.maxSubscriptions);
    handlers["max_sub_tokens"] =
        handlers["max_subscription_tokens"] = [this](const ConfigEntry& entry) {
            constexpr std::int64_t kMost = 255;
            m_reader.read(entry, m_config.maxSubTokens);
            if (entry.value.isInteger() && m_config.maxSubTokens > kMost)
                m_reader.error(entry.position, entry.key + " value is too big");
            else if (entry.value.isInteger() && m_config.maxSubTokens <= 0)
                m_reader.error(entry.position, entry.key + " value can not be negative");
        };
    handlers["ping_interval"] = m_reader.durationInto(m_config.pingInterval);
    handlers["ping_max"] = m_reader.into(m_config.pingMax);
    handlers["write_deadline"] = m_reader.durationInto(m_config.writeDeadline);
    handlers["write_timeout"] = [this](const ConfigEntry& entry) { writeTimeout(entry); };
    handlers["lame_duck_duration"] = m_reader.durationTextInto(m_config.lameDuckDuration);
    handlers["lame_duck_grace_period"] = m_reader.durationTextInto(m_config.lameDuckGrace);
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
    handlers["no_system_account"] = handlers["no_system"] = handlers["no_sys_acc"] =
        m_reader.into(m_config.noSystemAccount);
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
             "root_operators",
             "root_operator",
             "resolver",
             "resolvers",
             "account_resolver",
             "accounts_resolver",
             "resolver_tls",
             "resolver_preload",
             "resolver_pinned_accounts",
             "default_sentinel",
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
    for (const char* key : {"syslog", "remote_syslog", "prof_port", "ocsp", "proxies"})
        handlers[key] = m_reader.ignored();
    // Every connection would be taken for its proxy's.
    handlers["proxy_protocol"] = [this](const ConfigEntry& entry) {
        bool on = false;
        m_reader.read(entry, on);
        if (on)
            m_reader.error(entry.position, "\"proxy_protocol\" is not supported");
    };
    for (const char* key : {"connect_error_reports", "reconnect_error_reports", "prof_block_rate"})
        handlers[key] = m_reader.into(m_unused);
    handlers["feature_flags"] = [this](const ConfigEntry& entry) { featureFlags(entry); };
    handlers["default_js_domain"] = [this](const ConfigEntry& entry) { m_reader.expectMap(entry); };
    handlers.try_emplace("ocsp_cache", nullptr);
}

void Loader::writeTimeout(const ConfigEntry& entry)
{
    std::string text;
    m_reader.read(entry, text);
    if (text == "default")
        m_config.writeTimeout = WriteTimeout::Default;
    else if (text == "close")
        m_config.writeTimeout = WriteTimeout::Close;
    else if (text == "retry")
        m_config.writeTimeout = WriteTimeout::Retry;
    else if (entry.value.isString())
        m_reader.error(entry.position, "write_timeout must be 'default', 'close' or 'retry'");
}

/// None of them changes what one server does, but for the form of ack subjects.
void Loader::featureFlags(const ConfigEntry& entry)
{
    if (!m_reader.expectMap(entry))
        return;
    for (const ConfigEntry& flag : entry.value.entries) {
        bool on = false;
        m_reader.read(flag, on);
        if (on && flag.key == "js_ack_fc_v2")
            m_reader.warn(
                flag.position, "feature flag \"js_ack_fc_v2\" is not supported and ignored");
    }
}

void Loader::storeDirectory(const ConfigEntry& entry)
{
    if (!m_config.jetstream.storeDir.empty())
        m_reader.error(entry.position, "Duplicate 'store_dir' configuration");
    m_reader.read(entry, m_config.jetstream.storeDir);
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

void Loader::checkHttps()
{
    if (!m_https || m_httpsPort == 0)
        return;
    if (m_config.httpPort != 0)
        m_reader.error(*m_https,
            "can't specify both HTTP (" + std::to_string(m_config.httpPort) + ") and HTTPs ("
                + std::to_string(m_httpsPort) + ") ports");
    if (!m_config.tls.enabled)
        m_reader.error(*m_https, "TLS cert and key required for HTTPS");
    m_config.httpPort = m_httpsPort;
    m_config.https = true;
}

void Loader::finish(const ConfigValue& root)
{
    checkHttps();
    // Whoever encrypts first may take so much longer to say who it is.
    const ConfigEntry* block = root.find("authorization");
    const bool given = block != nullptr && block->value.find("timeout") != nullptr;
    if (m_config.auth.timeout == 0 || !given)
        m_config.auth.timeout =
            m_config.tls.enabled ? m_config.tls.timeout + kSecond : AuthConfig().timeout;
    if (m_config.tls.enabled && m_config.tls.verifyAndMap)
        m_config.auth.certificateTypes.emplace_back("STANDARD");
    if (m_config.websocket.enabled && m_config.websocket.tls.verifyAndMap)
        m_config.auth.certificateTypes.emplace_back("WEBSOCKET");
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
    const std::string& system = m_config.auth.systemAccount;
    const bool known = system == AuthConfig().systemAccount || system == "$G"
        || std::any_of(m_config.accounts.begin(),
            m_config.accounts.end(),
            [&system](const AccountConfig& one) { return one.name == system; });
    if (!known)
        m_reader.error(
            placeOf(root.find("system_account") != nullptr ? "system_account" : "system"),
            "error resolving system account: account missing");
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
    const auto root = parseConfigText(text, file);
    if (!root) {
        loaded.errors.push_back(root.error().text);
        return loaded;
    }
    loaded.config.configDigest = digestOf(*root);
    ConfigReader reader;
    if (root->entries.empty())
        reader.warn(root->position, "config has no values or is empty");
    Loader(reader, loaded.config).load(*root);
    loaded.errors = reader.errors();
    loaded.warnings = reader.warnings();
    loaded.misused = reader.misused();
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
