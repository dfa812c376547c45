// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace jetglass::protocol {

enum class Verb : std::uint8_t
{
    Connect, ///< json
    PublishLine, ///< pedantic only: subject of a publish whose payload is still to come
    Publish, ///< subject, reply, headers, payload (PUB and HPUB)
    Subscribe, ///< subject, queue, sid
    Unsubscribe, ///< sid, max
    Ping,
    Pong,
    Ignored, ///< +OK and INFO from a client
    PeerError ///< -ERR from a client
};

/// One operation of a client. Views live until the next call of Parser::next() or feed().
struct Operation
{
    Verb verb{};
    bool withHeaders = false; ///< came as HPUB
    std::string_view subject;
    std::string_view reply;
    std::string_view queue;
    std::string_view sid;
    std::string_view headers;
    std::string_view payload;
    std::string_view json;
    std::int64_t max = 0; ///< UNSUB: 0 = at once
};

enum class ParseError : std::uint8_t
{
    None,
    UnknownOperation, ///< has a line of its own
    Arguments, ///< closes without a line
    HeadersNotNegotiated, ///< closes without a line
    ControlLineTooLong,
    PayloadTooLarge
};

} // namespace jetglass::protocol
