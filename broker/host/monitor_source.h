// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host/broker_core.h"
#include "monitor/source.h"

#include <cstdint>
#include <map>
#include <string>

namespace jetglass::host {

/// What the monitoring pages tell, taken from a running core. Broker thread only.
class MonitorSource final : public monitor::Source
{
public:
    struct Http
    {
        std::string host;
        std::uint16_t port = 0;
        std::map<std::string, std::uint64_t> requests;
    };
    MonitorSource(BrokerCore& core, std::int64_t configLoaded, Http http);
    explicit MonitorSource(BrokerCore& core); ///< where nobody asks over HTTP

    [[nodiscard]] const BrokerConfig& config() const override;
    [[nodiscard]] monitor::ServerFacts server() const override;
    [[nodiscard]] std::vector<monitor::ConnectionFacts> openConnections() const override;
    [[nodiscard]] std::vector<monitor::ConnectionFacts> closedConnections() const override;
    [[nodiscard]] std::vector<monitor::SubscriptionFacts> subscriptionsOf(
        ClientId client) const override;
    [[nodiscard]] std::vector<monitor::AccountFacts> accounts() const override;
    void forEachSubscription(std::string_view account,
        const std::function<void(const monitor::SubscriptionFacts&)>& visit) const override;
    [[nodiscard]] const JetStreamConfig* jetstreamSettings() const override;
    [[nodiscard]] std::vector<monitor::JetStreamFacts> jetstream() const override;

private:
    BrokerCore& m_core;
    std::int64_t m_configLoaded;
    Http m_http;
};

} // namespace jetglass::host
