// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host/bus_handlers.h"
#include "host/server_card.h"
#include "host/system_events.h"
#include "host/system_requests.h"
#include "server/engine.h"

#include <functional>
#include <utility>

namespace jetglass::host {

class BrokerCore;

/// All that a server does of itself in its accounts: answers and events of the system account, and
/// the refusals where an account has no JetStream. Broker thread only, or before it runs.
class SystemAccount final : public server::EngineObserver
{
public:
    explicit SystemAccount(BrokerCore& core);
    ~SystemAccount() override;
    SystemAccount(const SystemAccount&) = delete;
    SystemAccount& operator=(const SystemAccount&) = delete;

    void setReload(std::function<void()> reload) { m_requests.setReload(std::move(reload)); }
    [[nodiscard]] SystemEvents& events() { return m_events; }

    // --- EngineObserver
    void accountMade(server::Account& account) override;
    void clientConnected(const server::Client& client) override;
    void clientGone(const server::ConnectionRecord& record) override;
    void clientRefused(const server::Client& client) override;

private:
    void servePurge(server::Account& system);
    void purge(const std::string& account);

    BrokerCore& m_core;
    ServerCard m_card;
    SystemEvents m_events;
    SystemRequests m_requests;
    BusHandlers m_handlers;
};

} // namespace jetglass::host
