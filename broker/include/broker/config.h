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
    /// STANDARD, WEBSOCKET and the like, upper case: how this user may come in; empty = any way.
    std::vector<std::string> connectionTypes = {};
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
    /// Connection types whose listener lets a certificate name the user (verify_and_map): a user
    /// without a password who may come that way is known by the certificate alone.
    std::vector<std::string> certificateTypes = {};
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
    /// Of a stream without a limit of its own or of its account; 0 or less = no limit.
    std::int64_t defaultMaxConsumers = 1000; ///< limits.default_max_consumers
    // --- limits.batch; 0 = the default (streams.md 8.6, 8.7)
    std::int64_t maxBatchInflightPerStream = 0; ///< open batches of a stream
    std::int64_t maxBatchInflightTotal = 0; ///< and of the server, each kind counted by itself
    std::int64_t maxBatchSize = 0; ///< messages of an atomic batch
    std::int64_t maxBatchTimeout = 0; ///< ns without a message until a batch is dropped
};

/// What JetStream of one account may use; -1 = no limit of its own.
struct AccountLimits
{
    std::int64_t maxMemory = -1; ///< bytes
    std::int64_t maxStore = -1; ///< bytes
    std::int64_t maxStreams = -1;
    std::int64_t maxConsumers = -1;
    std::int64_t maxAckPending = -1;
    std::int64_t memoryMaxStreamBytes = -1;
    std::int64_t storeMaxStreamBytes = -1;
    bool maxStreamBytesRequired = false; ///< streams must name a max_bytes
};

/// Rewrites what clients publish on \a source (core.md 2.8). Weights in percent; what they leave of
/// 100 keeps its subject.
struct MappingConfig
{
    struct Destination
    {
        std::string subject;
        int weight = 100;
    };
    std::string source;
    std::vector<Destination> destinations;
};

/// Subjects that an account offers to others.
struct ExportConfig
{
    bool service = false; ///< else a stream of messages
    std::string subject;
    std::optional<std::vector<std::string>> accounts; ///< absent = everybody
    enum class Response : std::uint8_t
    {
        Singleton,
        Stream,
        Chunked
    };
    Response response = Response::Singleton;
    std::int64_t threshold = 120'000'000'000; ///< ns a reply may take
    bool allowTrace = false; ///< services: requests are followed into this account
    /// Services: how long an answer takes is published there; empty = nowhere.
    std::string latencySubject = {};
    /// Percent of the requests; 0 = those whose headers ask for it.
    int latencySampling = 100;
    /// That token (from 1) of an importer's subject must be the importer's name; 0 = none.
    std::size_t accountPosition = 0;
};

/// Subjects that an account takes from another one.
struct ImportConfig
{
    bool service = false;
    std::string account; ///< the exporter
    std::string subject; ///< as exported
    std::string to; ///< as seen in the importing account; empty = the same
    bool share = false; ///< services: say who asks
    bool allowTrace = false; ///< streams: messages are followed into this account
};

/// One entry of the config's accounts block. Accounts are isolated from each other but for exports
/// and imports; users name theirs.
struct AccountConfig
{
    std::string name;
    bool jetstream = false;
    AccountLimits limits = {};
    std::int64_t maxConnections = -1; ///< -1 = no limit
    std::int64_t maxSubscriptions = -1; ///< of each connection; -1 = the server's limit alone
    std::int64_t maxPayload = -1; ///< likewise
    std::vector<ExportConfig> exports = {};
    std::vector<ImportConfig> imports = {};
    std::vector<MappingConfig> mappings = {};
    /// Where the ways of messages with a W3C trace parent are told; empty = nowhere.
    std::string traceDestination = {};
    int traceSampling = 100; ///< percent of them
};

/// Encryption of one listener (core.md 3.5).
struct TlsConfig
{
    struct Pair
    {
        std::string certFile;
        std::string keyFile;
        bool operator==(const Pair&) const = default;
    };
    bool enabled = false;
    std::string certFile;
    std::string keyFile;
    /// Several instead of the one above: the client's wish for a server name chooses.
    std::vector<Pair> certificates = {};
    std::string caFile;
    bool verify = false; ///< clients must show a certificate
    bool verifyAndMap = false; ///< and it names their user
    std::int64_t timeout = 2'000'000'000; ///< ns for the handshake
    std::string minVersion = "1.2";
    std::vector<std::string> cipherSuites; ///< empty = OpenSSL's choice
    std::vector<std::string> curves;
    std::vector<std::string> pinnedCerts; ///< SHA-256 of public keys, hex
    /// Absent = INFO first. 0 = no INFO before the handshake; else wait so long (ns) for the
    /// client's handshake before INFO is sent.
    std::optional<std::int64_t> handshakeFirst;
    bool allowPlain = false; ///< plain clients may come too (allow_non_tls)
    std::int64_t connectionRate = 0; ///< handshakes per second; 0 or less = no limit
};

/// The listener for WebSocket clients (core.md 3.6).
struct WebSocketConfig
{
    bool enabled = false;
    std::string host; ///< empty = the client listener's
    int port = 0; ///< -1 = any free one
    bool noTls = false;
    TlsConfig tls;
    bool sameOrigin = false;
    std::vector<std::string> allowedOrigins;
    bool compression = false;
    std::int64_t handshakeTimeout = 2'000'000'000; ///< ns
    std::int64_t pingInterval = 0; ///< ns; 0 = as for all clients
    std::string noAuthUser;
    std::string user; ///< credentials of this listener, instead of the server's single ones
    std::string password;
    std::string token;
    std::int64_t authTimeout = 0; ///< ns; 0 = the server's
    std::string userCookie; ///< names of cookies that carry credentials
    std::string passwordCookie;
    std::string tokenCookie;
    std::map<std::string, std::string> headers; ///< added to the answer to the upgrade
};

struct LogConfig
{
    bool debug = false;
    bool trace = false;
    bool traceVerbose = false; ///< what the broker itself says in the system account too
    bool time = true;
    bool utc = false;
    std::string file; ///< empty = stderr
    std::int64_t fileSizeLimit = 0;
    std::int64_t fileMaxNum = 0; ///< files kept with a size limit, the one in use included; 0 = 10
    std::int64_t maxTracedMsgLen = 0; ///< bytes of a payload in the trace; 0 = all
    bool traceHeaders = false; ///< of payloads only their headers
    bool quiet = false; ///< nothing at all: tests and the embedded broker
};

/// What happens to a client that does not take what is sent within the write deadline.
enum class WriteTimeout : std::uint8_t
{
    Default, ///< as Close
    Close,
    Retry ///< it may go on as long as it takes something
};

/// Everything a broker is started with; every default is written here. Sizes in bytes, times in ns.
struct BrokerConfig
{
    /// Empty = this machine alone: the loopback addresses of both families, told of as 127.0.0.1.
    std::string host;
    int port = 4222; ///< -1 = any free one
    std::string serverName; ///< empty = the server id
    std::string clientAdvertise;
    std::optional<std::string> httpHost;
    int httpPort = 0; ///< 0 = off, -1 = any free one
    bool https = false; ///< with the certificates of tls
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
    WriteTimeout writeTimeout = WriteTimeout::Default;
    std::int64_t lameDuckDuration = 120'000'000'000;
    std::int64_t lameDuckGrace = 10'000'000'000;
    bool noHeaderSupport = false;
    std::int64_t maxClosedClients = 10'000; ///< ended connections that connz remembers
    bool noFastProducerStall =
        false; ///< drop for congested receivers instead of slowing publishers
    bool noSublistCache = false;
    TlsConfig tls;
    WebSocketConfig websocket;
    AuthConfig auth;
    /// Explicit accounts; with any, only those that ask for JetStream have it, with none $G has it.
    std::vector<AccountConfig> accounts;
    std::vector<MappingConfig> mappings; ///< of $G
    bool noSystemAccount = false;
    JetStreamConfig jetstream;
    LogConfig log;
    std::string pidFile;
    std::string portsFileDir;
    std::string executable = "nats-server"; ///< basename of argv[0], for the ports file
    std::vector<std::string> tags;
    std::map<std::string, std::string> metadata;
    std::string configFile; ///< where it came from, for reload and log
    std::string configDigest;
    std::vector<std::string>
        notes; ///< what the log warns of at start, found while reading flags and file
    bool lab = false; ///< $LAB.> subjects
};

} // namespace jetglass
