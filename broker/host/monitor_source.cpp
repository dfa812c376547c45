// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/monitor_source.h"

#include "api/api_router.h"
#include "api/jetstream.h"
#include "server/account.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace jetglass::host {

namespace {

std::int64_t realWallTime()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now().time_since_epoch())
        .count();
}

monitor::Traffic trafficOf(const server::Traffic& traffic)
{
    return {traffic.messages, traffic.bytes};
}

monitor::ConnectionFacts factsOf(const server::ConnectionRecord& record)
{
    monitor::ConnectionFacts facts;
    facts.id = record.id;
    facts.type = record.type;
    facts.host = record.host;
    facts.port = record.port;
    facts.account = record.account;
    facts.user = record.user;
    facts.nkey = record.nkey;
    facts.name = record.name;
    facts.lang = record.lang;
    facts.version = record.version;
    facts.tlsVersion = record.tlsVersion;
    facts.tlsCipher = record.tlsCipher;
    facts.tlsFirst = record.tlsFirst;
    facts.start = record.start;
    facts.lastActivity = record.lastActivity;
    facts.stop = record.stop;
    if (record.stop != 0)
        facts.reason = server::reasonText(record.reason);
    facts.rtt = record.rtt;
    facts.pendingBytes = record.pendingBytes;
    facts.in = trafficOf(record.in);
    facts.out = trafficOf(record.out);
    facts.subscriptions = record.subscriptions;
    return facts;
}

std::vector<monitor::ConnectionFacts> factsOf(const std::vector<server::ConnectionRecord>& records)
{
    std::vector<monitor::ConnectionFacts> facts;
    facts.reserve(records.size());
    for (const server::ConnectionRecord& record : records)
        facts.push_back(factsOf(record));
    return facts;
}

monitor::SubscriptionFacts factsOf(const server::SubscriptionRecord& record)
{
    return {record.account,
        record.subject,
        record.queue,
        record.sid,
        record.delivered,
        record.max,
        record.client};
}

} // namespace

MonitorSource::MonitorSource(BrokerCore& core, std::int64_t configLoaded, Http http)
    : m_core(core)
    , m_configLoaded(configLoaded)
    , m_http(std::move(http))
{
}

MonitorSource::MonitorSource(BrokerCore& core)
    : MonitorSource(core, core.configLoaded(), {})
{
}

const BrokerConfig& MonitorSource::config() const
{
    return m_core.config();
}

monitor::ServerFacts MonitorSource::server() const
{
    const server::Engine& engine = m_core.engine();
    const server::EngineCounts counts = engine.counts();
    monitor::ServerFacts facts;
    facts.id = engine.identity().id;
    facts.name = engine.identity().name;
    facts.host = m_core.host();
    facts.port = m_core.port();
    facts.httpHost = m_http.host;
    facts.httpPort = m_http.port;
    facts.httpRequests = m_http.requests;
    facts.start = engine.startTime();
    facts.now = realWallTime();
    facts.configLoaded = m_configLoaded;
    facts.connections = counts.connections;
    facts.totalConnections = counts.totalConnections;
    // The broker's own are told of like everybody's.
    for (const server::Account* account : engine.accounts())
        facts.subscriptions += account->matcherCounts().subscriptions;
    facts.in = trafficOf(counts.in);
    facts.out = trafficOf(counts.out);
    facts.slowConsumers = counts.slowConsumers;
    facts.staleConnections = counts.staleConnections;
    facts.stalledClients = counts.stalledClients;
    facts.lameDuck = engine.inLameDuck();
    return facts;
}

std::vector<monitor::ConnectionFacts> MonitorSource::openConnections() const
{
    return factsOf(m_core.engine().openConnections());
}

std::vector<monitor::ConnectionFacts> MonitorSource::closedConnections() const
{
    return factsOf(m_core.engine().closedConnections());
}

std::vector<monitor::SubscriptionFacts> MonitorSource::subscriptionsOf(ClientId client) const
{
    std::vector<monitor::SubscriptionFacts> facts;
    for (const server::SubscriptionRecord& record : m_core.engine().subscriptionsOf(client))
        facts.push_back(factsOf(record));
    return facts;
}

std::vector<monitor::AccountFacts> MonitorSource::accounts() const
{
    std::vector<monitor::AccountFacts> all;
    for (const server::Account* account : m_core.engine().accounts()) {
        const server::MatcherCounts counts = account->matcherCounts();
        monitor::AccountFacts facts;
        facts.name = account->name();
        facts.clients = account->clientCount();
        facts.subscriptions = counts.subscriptions;
        facts.cached = counts.cached;
        facts.inserts = counts.inserts;
        facts.removes = counts.removes;
        facts.matches = counts.matches;
        facts.cacheHits = counts.cacheHits;
        facts.maxFanout = counts.maxFanout;
        facts.totalFanout = counts.totalFanout;
        facts.leftIn = trafficOf(account->leftIn());
        facts.leftOut = trafficOf(account->leftOut());
        facts.jetstream = m_core.jetstream().account(account->name()) != nullptr;
        all.push_back(std::move(facts));
    }
    std::sort(
        all.begin(), all.end(), [](const monitor::AccountFacts& a, const monitor::AccountFacts& b) {
            return a.name < b.name;
        });
    return all;
}

void MonitorSource::forEachSubscription(std::string_view account,
    const std::function<void(const monitor::SubscriptionFacts&)>& visit) const
{
    for (const server::Account* one : m_core.engine().accounts()) {
        if (one->name() == account)
            one->forEachSubscription(
                [&](const server::SubscriptionRecord& record) { visit(factsOf(record)); });
    }
}

const JetStreamConfig* MonitorSource::jetstreamSettings() const
{
    return m_core.jetstream().running() ? &m_core.jetstream().settings() : nullptr;
}

std::vector<monitor::JetStreamFacts> MonitorSource::jetstream() const
{
    std::vector<monitor::JetStreamFacts> all;
    for (const std::string& name : m_core.jetstream().accountNames()) {
        api::JetStream* jetstream = m_core.jetstream().account(name);
        if (jetstream != nullptr)
            all.push_back({name,
                &jetstream->registry(),
                jetstream->api().total(),
                jetstream->api().errors(),
                m_core.jetstream().limitsOf(name)});
    }
    return all;
}

} // namespace jetglass::host
