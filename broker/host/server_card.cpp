// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/server_card.h"

#include "base/time_text.h"
#include "host/broker_core.h"
#include "monitor/document.h"
#include "streams/context.h"

namespace jetglass::host {

nlohmann::ordered_json ServerCard::next()
{
    // It is there, its snapshots are binary, and accounts replicate by themselves: the last two are
    // for other servers of a cluster, and every server of this version says so.
    constexpr int kJetStream = 7;
    const server::ServerIdentity& identity = m_core.engine().identity();
    const BrokerConfig& config = m_core.config();
    const bool jetstream = m_core.jetstream().running();
    nlohmann::ordered_json card = {{"name", identity.name},
        {"host", identity.host},
        {"id", identity.id},
        {"ver", streams::kNatsVersion}};
    if (jetstream && !config.jetstream.domain.empty())
        card["domain"] = config.jetstream.domain;
    if (!config.tags.empty())
        card["tags"] = config.tags;
    if (!config.metadata.empty())
        card["metadata"] = config.metadata;
    card["feature_flags"] = monitor::featureFlags();
    card["jetstream"] = jetstream;
    card["flags"] = jetstream ? kJetStream : 0;
    card["seq"] = ++m_sequence;
    card["time"] = base::rfc3339(m_core.engine().realWall());
    return card;
}

} // namespace jetglass::host
