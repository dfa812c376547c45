// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetglass {

/// Subjects a user may use; see core.md 3.3. Entries of subscribe may be "subject queue".
struct Permissions
{
    std::optional<std::vector<std::string>> publishAllow;
    std::vector<std::string> publishDeny;
    std::optional<std::vector<std::string>> subscribeAllow;
    std::vector<std::string> subscribeDeny;
    struct Responses
    {
        int max = 1; ///< negative = no limit
        std::int64_t expires = 120'000'000'000; ///< ns, negative = no limit
    };
    std::optional<Responses> allowResponses;
};

struct UserConfig
{
    std::string user;
    std::string password; ///< plain or bcrypt ($2a$...)
    std::string nkey;
    std::string account; ///< empty = $G
    std::optional<Permissions> permissions;
};

struct AuthConfig
{
    std::string token;
    std::string user; ///< the single user
    std::string password;
    std::vector<UserConfig> users;
    std::string noAuthUser;
    std::optional<Permissions> defaultPermissions;
    std::int64_t timeout = 2'000'000'000; ///< ns until CONNECT must have come
    std::string systemAccount = "$SYS"; ///< users of this account do not lock everybody else out
    [[nodiscard]] bool required() const
    {
        return !token.empty() || !user.empty() || !users.empty();
    }
};

struct JetStreamConfig
{
    bool enabled = false;
    std::string storeDir; ///< data goes to <storeDir>/jetstream; empty = <temp>/nats
    std::int64_t maxMemory = -1; ///< bytes; -1 = 75 % of RAM
    std::int64_t maxStore = -1; ///< bytes; -1 = 75 % of free disk
    std::string domain;
    bool strict = true; ///< unknown JSON members are errors
    bool syncAlways = false; ///< fdatasync before every pub ack
    std::int64_t syncInterval = 120'000'000'000; ///< ns
    std::int64_t maxDuplicateWindow = 0; ///< limits.duplicate_window, ns
    std::int64_t maxAckPending = 0; ///< limits.max_ack_pending
    std::int64_t maxRequestBatch = 0; ///< limits.max_request_batch
};

/// One entry of the config's accounts block. Accounts are isolated from each other; users name
/// theirs.
struct AccountConfig
{
    std::string name;
    bool jetstream = false;
};

struct LogConfig
{
    bool debug = false;
    bool trace = false;
    bool traceVerbose = false; ///< system account too
    bool time = true;
    bool utc = false;
    std::string file; ///< empty = stderr
    std::int64_t fileSizeLimit = 0;
    std::int64_t maxTracedMsgLen = 0;
    bool quiet = false; ///< nothing at all: tests and the embedded broker
};

/// Everything a broker is started with; every default is written here. Sizes in bytes, times in ns.
struct BrokerConfig
{
    std::string host = "127.0.0.1";
    int port = 4222; ///< -1 = any free one
    std::string serverName; ///< empty = the server id
    std::string clientAdvertise;
    std::optional<std::string> httpHost;
    int httpPort = 0; ///< 0 = off, -1 = any free one
    std::string httpBasePath;
    std::int64_t maxControlLine = 4096;
    std::int64_t maxPayload = 1048576;
    std::int64_t maxPending = 67108864;
    std::int64_t maxConnections = 65536; ///< <= 0 in the config file = refuse all
    std::int64_t maxSubscriptions = 0; ///< per connection, 0 = no limit
    std::int64_t maxSubTokens = 0;
    std::int64_t pingInterval = 120'000'000'000;
    int pingMax = 2;
    std::int64_t writeDeadline = 10'000'000'000;
    std::int64_t lameDuckDuration = 120'000'000'000;
    std::int64_t lameDuckGrace = 10'000'000'000;
    bool noHeaderSupport = false;
    AuthConfig auth;
    /// Explicit accounts; with any, only those that ask for JetStream have it, with none $G has it.
    std::vector<AccountConfig> accounts;
    JetStreamConfig jetstream;
    LogConfig log;
    std::string pidFile;
    std::string portsFileDir;
    std::string executable = "nats-server"; ///< basename of argv[0], for the ports file
    std::vector<std::string> tags;
    std::map<std::string, std::string> metadata;
    std::string configFile; ///< where it came from, for reload and log
    std::string configDigest;
    std::vector<std::string> notes; ///< what the log warns of at start, found while reading flags and file
    bool lab = false; ///< $LAB.> subjects
};

} // namespace jetglass
