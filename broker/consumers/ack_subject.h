// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::consumers {

/// Builds the reply subject of deliveries (consumers.md 5.2), which carries all metadata of a
/// delivery:
///     $JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>
/// The fixed front is written once; a delivery only prints five numbers into the same buffer.
class AckSubject
{
public:
    AckSubject(std::string_view stream, std::string_view consumer);

    /// The view is valid until the next call.
    std::string_view build(std::uint64_t deliveries,
        StreamSeq seq,
        ConsumerSeq consumerSeq,
        std::int64_t time,
        std::uint64_t pending);

private:
    std::string m_buffer;
    std::size_t m_front;
};

/// What is read back from an ack subject. A client may have made it up: never use it unchecked.
struct AckReference
{
    StreamSeq seq;
    ConsumerSeq consumerSeq;
    std::uint64_t deliveries = 0;
};

/// Reads both forms: 9 tokens, or 11 and more. False if a number is not a plain one.
[[nodiscard]] bool parseAckSubject(std::string_view subject, AckReference& reference);

/// The patterns that a consumer listens on for acks, for flow control and their second forms.
[[nodiscard]] std::string ackPattern(std::string_view stream, std::string_view consumer);
[[nodiscard]] std::string ackPatternV2(std::string_view domain,
    std::string_view account,
    std::string_view stream,
    std::string_view consumer);
[[nodiscard]] std::string flowPattern(std::string_view stream, std::string_view consumer);
[[nodiscard]] std::string flowPatternV2(std::string_view domain,
    std::string_view account,
    std::string_view stream,
    std::string_view consumer);

/// The 8 characters that stand for an account in the second form.
[[nodiscard]] std::string accountHash(std::string_view account);

} // namespace jetglass::consumers
