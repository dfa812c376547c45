// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells of its open connections and their subscriptions.
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"

#include <algorithm>

namespace jetglass::server {

std::vector<ConnectionRecord> Engine::openConnections() const
{
    std::vector<ConnectionRecord> records;
    for (const Client* client : clients())
        records.push_back(client->record());
    return records;
}

std::vector<SubscriptionRecord> Engine::subscriptionsOf(ClientId id) const
{
    std::vector<SubscriptionRecord> records;
    const Client* found = client(id);
    if (found == nullptr || found->account() == nullptr)
        return records;
    for (const auto& entry : found->subscriptions()) {
        const Subscription& s = *entry.second;
        records.push_back(
            {found->account()->name(), s.subject, s.queue, s.sid, s.delivered, s.max, id});
    }
    std::sort(
        records.begin(), records.end(), [](const auto& a, const auto& b) { return a.sid < b.sid; });
    return records;
}

} // namespace jetglass::server
