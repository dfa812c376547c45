// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/system_account.h"

#include "api/jetstream.h"
#include "base/json.h"
#include "host/broker_core.h"
#include "host/no_jetstream.h"
#include "server/account.h"
#include "streams/stream_registry.h"

namespace jetglass::host {

SystemAccount::SystemAccount(BrokerCore& core)
    : m_core(core)
    , m_card(core)
    , m_events(core, m_card)
    , m_requests(core, m_card, m_events)
{
    m_core.engine().setObserver(this);
    m_core.engine().setServerCard([this] { return base::jsonText(m_card.next()); });
}

SystemAccount::~SystemAccount()
{
    m_core.engine().setObserver(nullptr);
    m_core.engine().setServerCard(nullptr);
}

void SystemAccount::accountMade(server::Account& account)
{
    const bool system = &account == &m_core.engine().systemAccount();
    if (!m_core.config().noSystemAccount)
        m_requests.serve(account);
    const JetStreamHost& jetstream = m_core.jetstream();
    if (!jetstream.running())
        return;
    if (jetstream.account(account.name()) == nullptr)
        refuseJetStream(m_handlers, account);
    if (system)
        servePurge(account);
}

void SystemAccount::servePurge(server::Account& system)
{
    m_handlers.add(system, "$JS.API.ACCOUNT.PURGE.*", [this, &system](const auto& message) {
        constexpr std::string_view kPrefix = "$JS.API.ACCOUNT.PURGE.";
        const std::string account(message.subject.substr(kPrefix.size()));
        if (m_core.jetstream().account(account) == nullptr)
            return;
        if (!message.reply.empty())
            system.publish({message.reply,
                {},
                {},
                R"({"type":"io.nats.jetstream.api.v1.account_purge_response","initiated":true})"});
        purge(account);
    });
}

void SystemAccount::purge(const std::string& account)
{
    streams::StreamRegistry& registry = m_core.jetstream().account(account)->registry();
    for (streams::Stream* stream : registry.sorted())
        registry.remove(*stream, [](const Result<void>&) {});
}

void SystemAccount::clientConnected(const server::Client& client)
{
    m_events.clientConnected(client);
}

void SystemAccount::clientGone(const server::ConnectionRecord& record)
{
    m_events.clientGone(record);
}

void SystemAccount::clientRefused(const server::Client& client)
{
    m_events.clientRefused(client);
}

} // namespace jetglass::host
