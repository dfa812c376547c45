// SPDX-License-Identifier: GPL-3.0-or-later
// What a reload changes is told, and what it cannot change refused, in the reference server's order
// and words.
#include "host/reload_rules.h"

#include "base/time_text.h"
#include "host/address_text.h"
#include "host/start_log.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string seconds(std::int64_t ns)
{
    return fmt::format("{:g}", static_cast<double>(ns) / 1e9);
}

const char* word(WriteTimeout policy)
{
    return policy == WriteTimeout::Retry ? "retry" : policy == WriteTimeout::Close ? "close" : "";
}

std::vector<std::string> nkeysOf(const AuthConfig& auth)
{
    std::vector<std::string> keys;
    for (const UserConfig& user : auth.users)
        if (!user.nkey.empty())
            keys.push_back(user.nkey);
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// Collects the differences of two configurations.
class Plan
{
public:
    template<class T>
    void fixed(const char* name, const T& old, const T& wanted)
    {
        if (!(old == wanted))
            refuse(fmt::format("{}: old={}, new={}", name, text(old), text(wanted)));
    }
    void fixedTime(const char* name, std::int64_t old, std::int64_t wanted)
    {
        fixed(name, base::goDuration(old), base::goDuration(wanted));
    }
    void refuse(const std::string& what)
    {
        if (m_refusal.empty())
            m_refusal = "config reload not supported for " + what;
    }
    template<class T>
    void changes(const char* name, const T& old, const T& wanted)
    {
        if (!(old == wanted))
            tell(fmt::format("{} = {}", name, text(wanted)));
    }
    void changesTime(const char* name, std::int64_t old, std::int64_t wanted)
    {
        changes(name, base::goDuration(old), base::goDuration(wanted));
    }
    void tell(const std::string& what) { m_lines.push_back("Reloaded: " + what); }
    void tellIf(bool changed, const std::string& what)
    {
        if (changed)
            tell(what);
    }
    void tellWhole(std::string line) { m_lines.push_back(std::move(line)); }
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

void planIdentity(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.fixed("ServerName", old.serverName, wanted.serverName);
    plan.fixed("Host", shownHost(old.host), shownHost(wanted.host));
    plan.fixed("Port", std::int64_t{old.port}, std::int64_t{wanted.port});
    if (old.clientAdvertise != wanted.clientAdvertise)
        plan.tellWhole("Reload: client_advertise = " + wanted.clientAdvertise);
    plan.changes("trace", old.log.trace, wanted.log.trace);
    plan.changes("debug", old.log.debug, wanted.log.debug);
    plan.changes("trace_verbose", old.log.traceVerbose, wanted.log.traceVerbose);
    plan.changes("trace_headers", old.log.traceHeaders, wanted.log.traceHeaders);
    plan.fixed("NoSublistCache", old.noSublistCache, wanted.noSublistCache);
    plan.fixed("NoHeaderSupport", old.noHeaderSupport, wanted.noHeaderSupport);
    plan.changes("logtime", old.log.time, wanted.log.time);
    plan.changes("logtime_utc", old.log.utc, wanted.log.utc);
    plan.changes("max_connections", old.maxConnections, wanted.maxConnections);
    plan.fixed("MaxSubs", old.maxSubscriptions, wanted.maxSubscriptions);
    plan.fixed("MaxSubTokens", old.maxSubTokens, wanted.maxSubTokens);
}

/// Going without a no_auth_user is only possible together with the user.
void planNoAuthUser(Plan& plan, const AuthConfig& old, const AuthConfig& wanted)
{
    if (old.noAuthUser == wanted.noAuthUser)
        return;
    const bool stays =
        std::any_of(wanted.users.begin(), wanted.users.end(), [&old](const UserConfig& user) {
            return user.nkey.empty() && user.user == old.noAuthUser;
        });
    if (old.noAuthUser.empty() || !wanted.noAuthUser.empty() || stays)
        plan.fixed("NoAuthUser", old.noAuthUser, wanted.noAuthUser);
}

void planAuthorization(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.tellIf(nkeysOf(old.auth) != nkeysOf(wanted.auth), "authorization nkey users");
    plan.tell("authorization users"); // these and the accounts are always made anew
    plan.tell("accounts");
    planNoAuthUser(plan, old.auth, wanted.auth);
    const auto named = [](const BrokerConfig& config) {
        const std::string& name = config.auth.systemAccount;
        return name == AuthConfig().systemAccount ? std::string() : name;
    };
    plan.fixed("SystemAccount", named(old), named(wanted));
    plan.fixed("NoSystemAccount", old.noSystemAccount, wanted.noSystemAccount);
    plan.tellIf(old.auth.user != wanted.auth.user, "authorization username");
    plan.tellIf(old.auth.password != wanted.auth.password, "authorization password");
    plan.tellIf(old.auth.token != wanted.auth.token, "authorization token");
    plan.changesTime("ping_interval", old.pingInterval, wanted.pingInterval);
    plan.changes("ping_max", std::int64_t{old.pingMax}, std::int64_t{wanted.pingMax});
    const auto httpHost = [](const BrokerConfig& config) {
        return shownHost(config.httpHost.value_or(config.host));
    };
    plan.fixed("HTTPHost", httpHost(old), httpHost(wanted));
    plan.fixed("HTTPPort", std::int64_t{old.httpPort}, std::int64_t{wanted.httpPort});
    plan.fixed("HTTPBasePath", old.httpBasePath, wanted.httpBasePath);
    plan.fixed("HTTPSPort", old.https, wanted.https);
    plan.changes("authorization timeout", seconds(old.auth.timeout), seconds(wanted.auth.timeout));
    plan.changes("max_control_line", old.maxControlLine, wanted.maxControlLine);
    plan.changes("max_payload", old.maxPayload, wanted.maxPayload);
    plan.fixed("MaxPending", old.maxPending, wanted.maxPending);
    plan.tellIf(old.noFastProducerStall != wanted.noFastProducerStall,
        std::string("fast producers will ") + (wanted.noFastProducerStall ? "not " : "")
            + "be stalled");
}

/// Limits that were given may only grow; they may go with JetStream.
void planStoreLimit(
    Plan& plan, const char* name, std::int64_t old, std::int64_t wanted, bool disables)
{
    if (old == wanted || (disables && old >= 0 && wanted < 0))
        return;
    if (old < 0)
        plan.refuse("jetstream dynamic max memory and store");
    else if (wanted < 0)
        plan.refuse("jetstream max memory and max store");
    else if (wanted < old)
        plan.refuse("decreasing jetstream max memory and store");
    else
        plan.changes(name, sizeText(old), sizeText(wanted));
}

bool sameLimits(const JetStreamConfig& a, const JetStreamConfig& b)
{
    return a.maxDuplicateWindow == b.maxDuplicateWindow && a.maxAckPending == b.maxAckPending
        && a.maxRequestBatch == b.maxRequestBatch && a.defaultMaxConsumers == b.defaultMaxConsumers
        && a.maxBatchInflightPerStream == b.maxBatchInflightPerStream
        && a.maxBatchInflightTotal == b.maxBatchInflightTotal && a.maxBatchSize == b.maxBatchSize
        && a.maxBatchTimeout == b.maxBatchTimeout;
}

void planJetStream(Plan& plan, const JetStreamConfig& old, const JetStreamConfig& wanted)
{
    const bool disables = old.enabled && !wanted.enabled;
    plan.tellIf(old.enabled != wanted.enabled, "JetStream");
    plan.fixed("NoJetStreamStrict", !old.strict, !wanted.strict);
    if (old.enabled) { // else nothing of it is settled yet
        planStoreLimit(plan, "JetStream max_mem_store", old.maxMemory, wanted.maxMemory, disables);
        planStoreLimit(plan, "JetStream max_file_store", old.maxStore, wanted.maxStore, disables);
    }
    plan.fixed("JetStreamDomain", old.domain, wanted.domain);
    plan.tellIf(!sameLimits(old, wanted), "JetStream limits");
    if (old.enabled && old.storeDir != wanted.storeDir && !(disables && wanted.storeDir.empty()))
        plan.refuse(
            wanted.storeDir.empty() ? "jetstream storage dir" : "jetstream storage directory");
    plan.fixedTime("SyncInterval", old.syncInterval, wanted.syncInterval);
    plan.fixed("SyncAlways", old.syncAlways, wanted.syncAlways);
}

bool sameButTls(const WebSocketConfig& a, const WebSocketConfig& b)
{
    return a.enabled == b.enabled && a.host == b.host && a.port == b.port && a.noTls == b.noTls
        && a.sameOrigin == b.sameOrigin && a.allowedOrigins == b.allowedOrigins
        && a.compression == b.compression && a.handshakeTimeout == b.handshakeTimeout
        && a.pingInterval == b.pingInterval && a.noAuthUser == b.noAuthUser && a.user == b.user
        && a.password == b.password && a.token == b.token && a.authTimeout == b.authTimeout
        && a.userCookie == b.userCookie && a.passwordCookie == b.passwordCookie
        && a.tokenCookie == b.tokenCookie && a.headers == b.headers;
}

void planFiles(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    if (!sameButTls(old.websocket, wanted.websocket)
        || old.websocket.tls.enabled != wanted.websocket.tls.enabled)
        plan.refuse("Websocket");
    plan.fixed(
        "Websocket.TLSMap", old.websocket.tls.verifyAndMap, wanted.websocket.tls.verifyAndMap);
    plan.changes("pid_file", old.pidFile, wanted.pidFile);
    plan.changes("ports_file_dir", old.portsFileDir, wanted.portsFileDir);
    plan.changes("log_file", old.log.file, wanted.log.file);
    plan.fixed("LogSizeLimit", old.log.fileSizeLimit, wanted.log.fileSizeLimit);
    plan.fixed("LogMaxFiles", old.log.fileMaxNum, wanted.log.fileMaxNum);
}

bool sameCertificates(const TlsConfig& a, const TlsConfig& b)
{
    return a.enabled == b.enabled && a.certFile == b.certFile && a.keyFile == b.keyFile
        && a.certificates == b.certificates && a.caFile == b.caFile && a.verify == b.verify
        && a.minVersion == b.minVersion && a.cipherSuites == b.cipherSuites && a.curves == b.curves;
}

void planTls(Plan& plan, const TlsConfig& old, const TlsConfig& wanted)
{
    plan.changes("tls timeout", seconds(old.timeout), seconds(wanted.timeout));
    plan.fixed("TLSMap", old.verifyAndMap, wanted.verifyAndMap);
    plan.tellIf(!sameCertificates(old, wanted),
        std::string("tls = ") + (wanted.enabled ? "enabled" : "disabled"));
    plan.tellIf(old.pinnedCerts != wanted.pinnedCerts,
        fmt::format("{} pinned_certs", wanted.pinnedCerts.size()));
    plan.fixed("TLSRateLimit", old.connectionRate, wanted.connectionRate);
    const bool first = wanted.handshakeFirst.has_value();
    plan.tellIf(
        old.handshakeFirst.has_value() != first, "Client TLS handshake first: " + text(first));
    const std::string delay = base::goDuration(wanted.handshakeFirst.value_or(0));
    plan.tellIf(old.handshakeFirst.value_or(0) != wanted.handshakeFirst.value_or(0),
        "Client TLS handshake first fallback delay: " + delay);
    plan.fixed("AllowNonTLS", old.allowPlain, wanted.allowPlain);
}

void planRest(Plan& plan, const BrokerConfig& old, const BrokerConfig& wanted)
{
    plan.changesTime("write_deadline", old.writeDeadline, wanted.writeDeadline);
    plan.fixed("WriteTimeout",
        std::string(word(old.writeTimeout)),
        std::string(word(wanted.writeTimeout)));
    plan.fixed("MaxClosedClients", old.maxClosedClients, wanted.maxClosedClients);
    plan.fixedTime("LameDuckDuration", old.lameDuckDuration, wanted.lameDuckDuration);
    plan.fixedTime("LameDuckGracePeriod", old.lameDuckGrace, wanted.lameDuckGrace);
    plan.changes("max_traced_msg_len", old.log.maxTracedMsgLen, wanted.log.maxTracedMsgLen);
    plan.tellIf(old.tags != wanted.tags, "tags");
    plan.tellIf(old.metadata != wanted.metadata, "metadata");
    plan.fixed("Lab", old.lab, wanted.lab);
}

} // namespace

Result<std::vector<std::string>> planReload(const BrokerConfig& old, const BrokerConfig& wanted)
{
    Plan plan;
    planIdentity(plan, old, wanted);
    planAuthorization(plan, old, wanted);
    planJetStream(plan, old.jetstream, wanted.jetstream);
    planFiles(plan, old, wanted);
    planTls(plan, old.tls, wanted.tls);
    planRest(plan, old, wanted);
    return std::move(plan).result();
}

} // namespace jetglass::host
