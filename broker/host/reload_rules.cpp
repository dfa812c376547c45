// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/reload_rules.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace jetglass::host {

namespace {

std::string text(const std::string& value)
{
    return value;
}

std::string text(bool value)
{
    return value ? "true" : "false";
}

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

std::string text(const std::optional<std::string>& value)
{
    return value.value_or("");
}

bool same(const std::optional<Permissions>& a, const std::optional<Permissions>& b)
{
    if (a.has_value() != b.has_value())
        return false;
    if (!a)
        return true;
    if (a->allowResponses.has_value() != b->allowResponses.has_value())
        return false;
    const bool responses = !a->allowResponses
        || (a->allowResponses->max == b->allowResponses->max
            && a->allowResponses->expires == b->allowResponses->expires);
    return responses && a->publishAllow == b->publishAllow && a->publishDeny == b->publishDeny
        && a->subscribeAllow == b->subscribeAllow && a->subscribeDeny == b->subscribeDeny;
}

bool same(const std::vector<UserConfig>& a, const std::vector<UserConfig>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].user != b[i].user || a[i].password != b[i].password || a[i].nkey != b[i].nkey
            || a[i].account != b[i].account || !same(a[i].permissions, b[i].permissions))
            return false;
    }
    return true;
}

bool same(const std::vector<AccountConfig>& a, const std::vector<AccountConfig>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].name != b[i].name || a[i].jetstream != b[i].jetstream)
            return false;
    }
    return true;
}

/// Collects the differences of two configurations.
class Plan
{
public:
    template<class T>
    void fixed(const char* name, const T& old, const T& wanted)
    {
        if (m_refusal.empty() && !(old == wanted))
            m_refusal = fmt::format("config reload not supported for {}: old={}, new={}",
                name,
                text(old),
                text(wanted));
    }
    template<class T>
    void changes(const char* name, const T& old, const T& wanted)
    {
        if (!(old == wanted))
            m_lines.push_back(fmt::format("{} = {}", name, text(wanted)));
    }
    /// For secrets and for what is too long for a line.
    void changesUnseen(const char* name, bool changed)
    {
        if (changed)
            m_lines.emplace_back(name);
    }
    Result<std::vector<std::string>> result() &&
    {
        if (!m_refusal.empty())
            return Error{Errc::Unsupported, m_refusal};
        return std::move(m_lines);
    }

private:
    std::string m_refusal;
    std::vector<std::string> m_lines;
};

void planFixed(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.fixed("Host", old.host, wanted.host);
    plan.fixed("Port", std::int64_t{old.port}, std::int64_t{wanted.port});
    plan.fixed("ServerName", old.serverName, wanted.serverName);
    plan.fixed("HTTPHost", old.httpHost, wanted.httpHost);
    plan.fixed("HTTPPort", std::int64_t{old.httpPort}, std::int64_t{wanted.httpPort});
    plan.fixed("HTTPBasePath", old.httpBasePath, wanted.httpBasePath);
    plan.fixed("MaxPending", old.maxPending, wanted.maxPending);
    plan.fixed("MaxSubs", old.maxSubscriptions, wanted.maxSubscriptions);
    plan.fixed("MaxSubTokens", old.maxSubTokens, wanted.maxSubTokens);
    plan.fixed("LameDuckDuration", old.lameDuckDuration, wanted.lameDuckDuration);
    plan.fixed("LameDuckGracePeriod", old.lameDuckGrace, wanted.lameDuckGrace);
    plan.fixed("NoHeaderSupport", old.noHeaderSupport, wanted.noHeaderSupport);
    plan.fixed("NoSublistCache", old.noSublistCache, wanted.noSublistCache);
    plan.fixed("JetStream", old.jetstream.enabled, wanted.jetstream.enabled);
    plan.fixed("StoreDir", old.jetstream.storeDir, wanted.jetstream.storeDir);
    plan.fixed("JetStreamDomain", old.jetstream.domain, wanted.jetstream.domain);
    plan.fixed("SyncAlways", old.jetstream.syncAlways, wanted.jetstream.syncAlways);
    plan.fixed("Lab", old.lab, wanted.lab);
}

bool same(const TlsConfig& a, const TlsConfig& b)
{
    return a.enabled == b.enabled && a.certFile == b.certFile && a.keyFile == b.keyFile
        && a.caFile == b.caFile && a.verify == b.verify && a.verifyAndMap == b.verifyAndMap
        && a.timeout == b.timeout && a.minVersion == b.minVersion
        && a.cipherSuites == b.cipherSuites && a.curves == b.curves
        && a.pinnedCerts == b.pinnedCerts && a.handshakeFirst == b.handshakeFirst;
}

void planListeners(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.fixed("AllowNonTLS", old.tls.allowPlain, wanted.tls.allowPlain);
    plan.fixed("Websocket", old.websocket.enabled, wanted.websocket.enabled);
    plan.fixed("Websocket.Host", old.websocket.host, wanted.websocket.host);
    plan.fixed(
        "Websocket.Port", std::int64_t{old.websocket.port}, std::int64_t{wanted.websocket.port});
    plan.fixed("Websocket.NoTLS", old.websocket.noTls, wanted.websocket.noTls);
    plan.fixed("Websocket.Compression", old.websocket.compression, wanted.websocket.compression);
    plan.changesUnseen("tls", !same(old.tls, wanted.tls));
    plan.changesUnseen("websocket tls", !same(old.websocket.tls, wanted.websocket.tls));
    plan.changes("websocket no_auth_user", old.websocket.noAuthUser, wanted.websocket.noAuthUser);
}

void planLogging(Plan& plan, const LogConfig& old, const LogConfig& wanted)
{
    plan.changes("debug", old.debug, wanted.debug);
    plan.changes("trace", old.trace, wanted.trace);
    plan.changes("trace_verbose", old.traceVerbose, wanted.traceVerbose);
    plan.changes("logtime", old.time, wanted.time);
    plan.changes("logtime_utc", old.utc, wanted.utc);
    plan.changes("log_file", old.file, wanted.file);
    plan.changes("logfile_size_limit", old.fileSizeLimit, wanted.fileSizeLimit);
    plan.changes("trace_headers", old.traceHeaders, wanted.traceHeaders);
    plan.changes("logfile_max_num", old.fileMaxNum, wanted.fileMaxNum);
    plan.changes("max_traced_msg_len", old.maxTracedMsgLen, wanted.maxTracedMsgLen);
}

void planAuthorization(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.changesUnseen("authorization username", old.auth.user != wanted.auth.user);
    plan.changesUnseen("authorization password", old.auth.password != wanted.auth.password);
    plan.changesUnseen("authorization token", old.auth.token != wanted.auth.token);
    plan.changesUnseen("authorization users",
        !same(old.auth.users, wanted.auth.users)
            || !same(old.auth.defaultPermissions, wanted.auth.defaultPermissions));
    plan.changes("authorization timeout", old.auth.timeout, wanted.auth.timeout);
    plan.changes("no_auth_user", old.auth.noAuthUser, wanted.auth.noAuthUser);
    plan.changes("system_account", old.auth.systemAccount, wanted.auth.systemAccount);
    plan.changesUnseen("accounts", !same(old.accounts, wanted.accounts));
}

} // namespace

Result<std::vector<std::string>> planReload(const BrokerConfig& old, const BrokerConfig& wanted)
{
    Plan plan;
    planFixed(plan, old, wanted);
    planListeners(plan, old, wanted);
    planLogging(plan, old.log, wanted.log);
    planAuthorization(plan, old, wanted);
    plan.changes("max_connections", old.maxConnections, wanted.maxConnections);
    plan.changes("max_payload", old.maxPayload, wanted.maxPayload);
    plan.changes("max_control_line", old.maxControlLine, wanted.maxControlLine);
    plan.changes("ping_interval", old.pingInterval, wanted.pingInterval);
    plan.changes("ping_max", std::int64_t{old.pingMax}, std::int64_t{wanted.pingMax});
    plan.changes("write_deadline", old.writeDeadline, wanted.writeDeadline);
    plan.changes("client_advertise", old.clientAdvertise, wanted.clientAdvertise);
    plan.changes("pid_file", old.pidFile, wanted.pidFile);
    plan.changes("ports_file_dir", old.portsFileDir, wanted.portsFileDir);
    plan.changes("max_closed_clients", old.maxClosedClients, wanted.maxClosedClients);
    plan.changes("no_fast_producer_stall", old.noFastProducerStall, wanted.noFastProducerStall);
    plan.changesUnseen("server_tags", old.tags != wanted.tags);
    plan.changesUnseen("server_metadata", old.metadata != wanted.metadata);
    plan.changes("max_memory_store", old.jetstream.maxMemory, wanted.jetstream.maxMemory);
    plan.changes("max_file_store", old.jetstream.maxStore, wanted.jetstream.maxStore);
    return std::move(plan).result();
}

} // namespace jetglass::host
