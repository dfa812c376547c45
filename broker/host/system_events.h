// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "host/server_card.h"
#include "server/engine.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace jetglass::host {

class BrokerCore;

/// What the system account hears unasked (core.md 9.4): connections come and go, wrong credentials,
/// statistics, the end. Nothing is made that nobody listens to. Broker thread only.
class SystemEvents
{
public:
    SystemEvents(BrokerCore& core, ServerCard& card);

    void clientConnected(const server::Client& client);
    void clientGone(const server::ConnectionRecord& record);
    void clientRefused(const server::Client& client);
    void lameDuck();
    void shutdown();
    /// $SYS.REQ.ACCOUNT.<account>.CONNS asks for it, too.
    [[nodiscard]] nlohmann::ordered_json accountConnections(const std::string& account);

private:
    void publish(const std::string& subject, const std::function<nlohmann::ordered_json()>& make);
    void publishConnections(const std::string& account);
    void startStatistics();
    void onStatistics();
    nlohmann::ordered_json begin(const char* type);

    BrokerCore& m_core;
    ServerCard& m_card;
    base::Timer m_statistics;
    std::int64_t m_interval;
};

} // namespace jetglass::host
