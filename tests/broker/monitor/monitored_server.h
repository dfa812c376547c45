// SPDX-License-Identifier: GPL-3.0-or-later
// A server as the monitoring pages see it, and the pages by their address.
#pragma once

#include "monitor/document.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::tests {

inline constexpr std::int64_t kSecond = 1'000'000'000;
inline constexpr std::int64_t kStart = 1'790'000'000 * kSecond;

/// Two open connections, a closed one, two accounts, no JetStream.
class FakeSource final : public monitor::Source
{
public:
    FakeSource()
    {
        m_server.id = "NSERVER";
        m_server.name = "one";
        m_server.start = kStart;
        m_server.now = kStart + 90061 * kSecond;
        m_server.configLoaded = kStart;
        m_server.in = {7, 70};
        m_server.connections = 2;
        m_server.httpRequests["/varz"] = 3;
        add(5, "$G", "", 10, 0);
        add(9, "A", "alice", 30, 0);
        add(2, "$G", "", 20, kStart + 5 * kSecond);
    }

    [[nodiscard]] const BrokerConfig& config() const override { return m_config; }
    [[nodiscard]] monitor::ServerFacts server() const override { return m_server; }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> openConnections() const override
    {
        return some(true);
    }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> closedConnections() const override
    {
        return some(false);
    }
    [[nodiscard]] std::vector<monitor::SubscriptionFacts> subscriptionsOf(
        ClientId client) const override
    {
        std::vector<monitor::SubscriptionFacts> found;
        std::copy_if(m_subscriptions.begin(),
            m_subscriptions.end(),
            std::back_inserter(found),
            [client](const monitor::SubscriptionFacts& s) { return s.client == client; });
        return found;
    }
    [[nodiscard]] std::vector<monitor::AccountFacts> accounts() const override
    {
        monitor::AccountFacts global;
        global.name = "$G";
        global.clients = 1;
        global.subscriptions = 2;
        global.matches = 4;
        global.leftIn = global.leftOut = m_left;
        global.cacheHits = 1;
        monitor::AccountFacts other;
        other.name = "A";
        other.subscriptions = 1;
        return {global, other};
    }
    void forEachSubscription(std::string_view account,
        const std::function<void(const monitor::SubscriptionFacts&)>& visit) const override
    {
        for (const auto& subscription : m_subscriptions) {
            if (subscription.account == account)
                visit(subscription);
        }
    }
    [[nodiscard]] const JetStreamConfig* jetstreamSettings() const override
    {
        return m_jetstream ? &*m_jetstream : nullptr;
    }
    [[nodiscard]] std::vector<monitor::JetStreamFacts> jetstream() const override { return {}; }

    BrokerConfig m_config;
    monitor::ServerFacts m_server;
    std::optional<JetStreamConfig> m_jetstream;
    monitor::Traffic m_left; ///< both ways, of $G

private:
    void add(std::uint32_t id,
        const char* account,
        const char* user,
        std::uint64_t bytes,
        std::int64_t stop)
    {
        monitor::ConnectionFacts facts;
        facts.id = ClientId{id};
        facts.type = "nats";
        facts.host = "127.0.0.1";
        facts.port = 1;
        facts.account = account;
        facts.user = user;
        facts.start = kStart;
        facts.lastActivity = kStart + kSecond;
        facts.stop = stop;
        facts.reason = "Client Closed";
        facts.rtt = 123'000;
        facts.in.bytes = bytes;
        m_connections.push_back(facts);
    }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> some(bool open) const
    {
        std::vector<monitor::ConnectionFacts> found;
        std::copy_if(m_connections.begin(),
            m_connections.end(),
            std::back_inserter(found),
            [open](const monitor::ConnectionFacts& c) { return (c.stop == 0) == open; });
        return found;
    }

    std::vector<monitor::ConnectionFacts> m_connections;
    std::vector<monitor::SubscriptionFacts> m_subscriptions = {
        {"$G", "foo.*", "", "1", 4, 0, ClientId{5}},
        {"$G", "foo.bar", "q", "2", 0, 9, ClientId{5}},
        {"A", "bar", "", "1", 0, 0, ClientId{9}},
    };
};

inline monitor::Document page(const QString& target, const FakeSource& source)
{
    std::map<std::string, std::string> values;
    const QStringList parts = target.split(QLatin1Char('?'));
    if (parts.size() > 1) {
        for (const QString& pair : parts[1].split(QLatin1Char('&')))
            values[pair.section(QLatin1Char('='), 0, 0).toStdString()] =
                pair.section(QLatin1Char('='), 1).toStdString();
    }
    return monitor::answer(parts[0].toStdString(), monitor::Query(values), source);
}

inline QJsonObject json(const QString& target, const FakeSource& source)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(page(target, source).body)).object();
}

} // namespace jetglass::tests
