// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace jetglass::simulation {

enum class Kind : std::uint8_t
{
    Publish,
    StreamCreate,
    StreamUpdate,
    StreamDelete,
    Purge,
    MessageDelete,
    ConsumerCreate, ///< or change
    ConsumerDelete,
    Pause,
    Reset,
    Pull,
    Ack
};

enum class AckKind : std::uint8_t
{
    Ack,
    Nak,
    Term,
    Progress,
    Next
};

/// What a client asked for, and what became of it. Kept for the whole run.
struct Operation
{
    std::uint64_t id = 0;
    Kind kind = Kind::Publish;
    std::string stream;
    std::string consumer;
    std::uint64_t handedAt = 0; ///< step in which the broker last got it, 0 = it never did
    bool answered = false;
    bool refused = false;
    bool inMemory = false; ///< a stream that does not outlive the process

    // --- a publish
    int subject = -1; ///< its number
    std::string payload;
    std::string headers;
    std::string msgId;
    std::int64_t ttl = 0; ///< ns
    bool rollsUpSubject = false;
    bool rollsUpAll = false;
    std::optional<std::uint64_t> expectedLast;
    std::optional<std::uint64_t> expectedLastOfSubject;
    std::uint64_t batch = 0; ///< of all its messages
    std::uint32_t inBatch = 0; ///< from 1
    std::uint32_t batchSize = 0;
    bool commits = false;
    bool abandoned = false; ///< its batch is never committed
    std::uint64_t storedAs = 0; ///< sequence under which it was seen in its stream

    // --- a purge, the deletion of a message, an ack
    std::uint64_t seq = 0;
    std::uint64_t keep = 0;
    std::uint64_t lastWhenHanded = 0;
    std::string filter;
    AckKind ack = AckKind::Ack;
    std::uint64_t number = 0; ///< of the delivery that an ack answers
    bool ignored = false; ///< an ack that is confirmed and counts for nothing
};

} // namespace jetglass::simulation
