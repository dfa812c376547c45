// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/ids.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::monitor {

/// Messages and bytes of one direction.
struct Traffic
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

/// Facts and counters of the whole server. Times are wall ns.
struct ServerFacts
{
    std::string id;
    std::string name;
    std::string host;
    std::uint16_t port = 0;
    std::string httpHost;
    std::uint16_t httpPort = 0;
    std::int64_t start = 0;
    std::int64_t now = 0;
    std::int64_t configLoaded = 0;
    std::uint64_t connections = 0;
    std::uint64_t totalConnections = 0;
    std::uint64_t subscriptions = 0;
    Traffic in;
    Traffic out;
    std::uint64_t slowConsumers = 0;
    std::uint64_t staleConnections = 0;
    std::uint64_t stalledClients = 0;
    bool lameDuck = false;
    std::map<std::string, std::uint64_t> httpRequests; ///< by path
};

/// One connection, open or closed. Times are wall ns, durations ns.
struct ConnectionFacts
{
    ClientId id{};
    std::string type;
    std::string host;
    std::uint16_t port = 0;
    std::string account;
    std::string user;
    std::string nkey;
    std::string name;
    std::string lang;
    std::string version;
    std::string tlsVersion; ///< empty = plain
    std::string tlsCipher;
    bool tlsFirst = false;
    std::int64_t start = 0;
    std::int64_t lastActivity = 0;
    std::int64_t stop = 0; ///< 0 while it is open
    std::string reason;
    std::int64_t rtt = 0;
    std::uint64_t pendingBytes = 0;
    Traffic in;
    Traffic out;
    std::uint64_t subscriptions = 0;
};

struct SubscriptionFacts
{
    std::string account;
    std::string subject;
    std::string queue;
    std::string sid;
    std::uint64_t delivered = 0;
    std::uint64_t max = 0; ///< 0 = no limit
    ClientId client{};
};

/// One account's matcher and clients.
struct AccountFacts
{
    std::string name;
    std::uint64_t clients = 0;
    std::uint64_t subscriptions = 0;
    std::uint64_t cached = 0;
    std::uint64_t inserts = 0;
    std::uint64_t removes = 0;
    std::uint64_t matches = 0;
    std::uint64_t cacheHits = 0;
    std::uint64_t maxFanout = 0; ///< receivers of the widest remembered result
    std::uint64_t totalFanout = 0; ///< of all remembered results together
    Traffic leftIn; ///< from clients that have gone
    Traffic leftOut; ///< to them
    bool jetstream = false;
};

/// JetStream of one account.
struct JetStreamFacts
{
    std::string account;
    const streams::StreamRegistry* registry = nullptr;
    std::uint64_t apiTotal = 0;
    std::uint64_t apiErrors = 0;
    AccountLimits limits = {};
};

/// Where the documents take their facts from; the host implements it over the engine. Broker thread
/// only.
class Source
{
public:
    virtual ~Source() = default;
    [[nodiscard]] virtual const BrokerConfig& config() const = 0;
    [[nodiscard]] virtual ServerFacts server() const = 0;
    [[nodiscard]] virtual std::vector<ConnectionFacts> openConnections() const = 0;
    [[nodiscard]] virtual std::vector<ConnectionFacts> closedConnections() const = 0;
    [[nodiscard]] virtual std::vector<SubscriptionFacts> subscriptionsOf(ClientId client) const = 0;
    [[nodiscard]] virtual std::vector<AccountFacts> accounts() const = 0; ///< by name
    virtual void forEachSubscription(std::string_view account,
        const std::function<void(const SubscriptionFacts&)>& visit) const = 0;
    /// Limits with defaults filled in and the store's directory; null if JetStream is off.
    [[nodiscard]] virtual const JetStreamConfig* jetstreamSettings() const = 0;
    [[nodiscard]] virtual std::vector<JetStreamFacts> jetstream() const = 0; ///< by account
};

} // namespace jetglass::monitor
