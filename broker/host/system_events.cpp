// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/system_events.h"

#include "base/json.h"
#include "base/nuid.h"
#include "base/time_text.h"
#include "host/broker_core.h"
#include "host/monitor_source.h"
#include "monitor/document.h"
#include "server/account.h"
#include "server/client.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace jetglass::host {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFirstInterval = 1'000'000'000;
constexpr std::int64_t kLastInterval = 10'000'000'000;
constexpr std::string_view kTypePrefix = "io.nats.server.advisory.v1.";

Json clientJson(const server::ConnectionRecord& record)
{
    Json json = {{"start", base::rfc3339(record.start)},
        {"host", record.host},
        {"id", static_cast<std::uint32_t>(record.id)},
        {"acc", record.account}};
    for (const auto& [key, value] : {std::pair("user", &record.user),
             std::pair("name", &record.name),
             std::pair("lang", &record.lang),
             std::pair("ver", &record.version)}) {
        if (!value->empty())
            json[key] = *value;
    }
    if (record.rtt != 0)
        json["rtt"] = record.rtt;
    if (record.stop != 0)
        json["stop"] = base::rfc3339(record.stop);
    json["kind"] = "Client";
    json["client_type"] = record.type;
    return json;
}

Json countsOf(const server::Traffic& traffic)
{
    return {{"msgs", traffic.messages}, {"bytes", traffic.bytes}};
}

void addEnd(Json& event, const server::ConnectionRecord& record)
{
    event["client"] = clientJson(record);
    event["sent"] = countsOf(record.out);
    event["received"] = countsOf(record.in);
    event["reason"] = server::reasonText(record.reason);
}

} // namespace

SystemEvents::SystemEvents(BrokerCore& core, ServerCard& card)
    : m_core(core)
    , m_card(card)
    , m_statistics(core.loop().realTimers(), [this] { onStatistics(); })
    , m_interval(kFirstInterval)
{
    if (core.engine().systemAccount().clientCount() > 0)
        startStatistics();
}

void SystemEvents::startStatistics()
{
    m_interval = kFirstInterval;
    m_statistics.arm(m_core.loop().realTimers().clock().now() + m_interval);
}

void SystemEvents::publish(const std::string& subject, const std::function<Json()>& make)
{
    server::Account& system = m_core.engine().systemAccount();
    if (!system.hasInterest(subject)) {
        m_card.skip();
        return;
    }
    const std::string body = base::jsonText(make());
    system.publish({subject, {}, {}, body});
}

Json SystemEvents::begin(const char* type)
{
    return {{"type", std::string(kTypePrefix) + type},
        {"id", base::nuid()},
        {"timestamp", base::rfc3339(m_core.engine().realWall())},
        {"server", m_card.next()}};
}

void SystemEvents::clientConnected(const server::Client& client)
{
    const server::ConnectionRecord record = client.record();
    publish("$SYS.ACCOUNT." + record.account + ".CONNECT", [&] {
        Json event = begin("client_connect");
        event["client"] = clientJson(record);
        return event;
    });
    publishConnections(record.account);
    if (client.account() == &m_core.engine().systemAccount() && !m_statistics.armed())
        startStatistics();
}

void SystemEvents::clientGone(const server::ConnectionRecord& record)
{
    publish("$SYS.ACCOUNT." + record.account + ".DISCONNECT", [&] {
        Json event = begin("client_disconnect");
        addEnd(event, record);
        return event;
    });
    publishConnections(record.account);
}

void SystemEvents::clientRefused(const server::Client& client)
{
    server::ConnectionRecord record = client.record();
    record.stop = m_core.engine().realWall();
    record.reason = server::CloseReason::AuthenticationFailure;
    record.user = client.options().user;
    const auto make = [&] {
        Json event = begin("client_disconnect");
        addEnd(event, record);
        return event;
    };
    publish("$SYS.SERVER." + m_core.engine().identity().id + ".CLIENT.AUTH.ERR", make);
    publish("$SYS.ACCOUNT.CLIENT.AUTH.ERR", make);
}

Json SystemEvents::accountConnections(const std::string& account)
{
    Json event = begin("account_connections");
    const MonitorSource source(m_core);
    monitor::Query query(std::map<std::string, std::string>{{"unused", "1"}});
    const Json statistics = monitor::accstatz(source, query);
    for (const Json& entry : statistics["account_statz"]) {
        if (entry["acc"] == account)
            event.update(entry);
    }
    return event;
}

void SystemEvents::publishConnections(const std::string& account)
{
    const auto make = [&] { return accountConnections(account); };
    publish("$SYS.ACCOUNT." + account + ".SERVER.CONNS", make);
    publish("$SYS.SERVER.ACCOUNT." + account + ".CONNS", make);
}

void SystemEvents::onStatistics()
{
    if (m_core.engine().systemAccount().clientCount() == 0)
        return; // the next one that comes starts it again
    publish("$SYS.SERVER." + m_core.engine().identity().id + ".STATSZ", [&] {
        const MonitorSource source(m_core);
        return Json{{"server", m_card.next()}, {"statsz", monitor::statsz(source)}};
    });
    m_interval = std::min(m_interval * 2, kLastInterval);
    m_statistics.arm(m_core.loop().realTimers().clock().now() + m_interval);
}

void SystemEvents::lameDuck()
{
    publish("$SYS.SERVER." + m_core.engine().identity().id + ".LAMEDUCK", [&] {
        return Json{{"server", m_card.next()}};
    });
}

void SystemEvents::shutdown()
{
    publish("$SYS.SERVER." + m_core.engine().identity().id + ".SHUTDOWN", [&] {
        return Json{{"server", m_card.next()}};
    });
}

} // namespace jetglass::host
