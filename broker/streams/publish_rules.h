// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/message_store.h"
#include "streams/counter.h"
#include "streams/dedup_window.h"
#include "streams/publish_headers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// What a publish is checked against. All of it includes what the same turn has staged already.
struct PublishFacts
{
    const StreamConfig& config;
    store::MessageStore& store;
    const DedupWindow& dedup;
    std::string_view lastMsgId;
    bool interest = true; ///< some consumer matches the subject
    // --- bytes of this kind of storage
    std::uint64_t accountUsed = 0;
    std::int64_t accountLimit = -1;
    std::uint64_t serverUsed = 0; ///< by all accounts
    std::int64_t serverLimit = -1;
    std::int64_t maxPayload = 0; ///< what the server takes in one message
    std::int64_t now = 0; ///< wall ns
    /// Copies were checked where they were published, and are kept as they are.
    enum class From : std::uint8_t
    {
        Client,
        Source,
        Mirror
    };
    From from = From::Client;
};

struct PublishVerdict
{
    enum class Kind : std::uint8_t
    {
        Store,
        Skip,
        Duplicate,
        Refuse,
        Held, ///< waits for the commit of its batch
        Note ///< no message to store, only an answer
    };
    enum class Rollup : std::uint8_t
    {
        None,
        Subject,
        All
    };
    Kind kind = Kind::Store;
    Rollup rollup = Rollup::None;
    StreamSeq original; ///< of a duplicate
    std::int64_t ttl = 0; ///< ns, kTtlNever, 0 = none
    bool ttlRaised = false; ///< the header must be rewritten to ttl
    bool subjectFull = false; ///< the oldest of its subject goes (max_msgs_per_subject)
    /// Totals of the subject before this message, if they were looked up.
    std::optional<store::SubjectTotals> subject;
    Error error;
    std::optional<Count> count; ///< stored in place of the message
    std::optional<std::string> block; ///< stored in place of its headers
    bool schedule = false; ///< the message is a schedule
};

/// The checks of a single publish in the reference server's order (streams.md 3.3). The headers
/// have been cleaned of status and Nats-Request-Info already; \a block is the whole block as it
/// would be stored.
/// The server stores more already than it may.
[[nodiscard]] inline bool serverIsFull(const PublishFacts& facts)
{
    return facts.serverLimit >= 0
        && facts.serverUsed > static_cast<std::uint64_t>(facts.serverLimit);
}
/// The account has no room for so many bytes more.
[[nodiscard]] inline bool accountHasNoRoom(const PublishFacts& facts, std::uint64_t bytes)
{
    return facts.accountLimit >= 0
        && facts.accountUsed + bytes > static_cast<std::uint64_t>(facts.accountLimit);
}

[[nodiscard]] PublishVerdict checkPublish(const PublishFacts& facts,
    std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    std::string_view payload);

} // namespace jetglass::streams
