// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "store/message_store.h"

#include <string>
#include <string_view>

namespace jetglass::streams {

/// What a counter stream stores in place of the message that came.
struct Count
{
    std::string value; ///< decimal
    std::string headers; ///< whole block
    std::string payload; ///< {"val":"..."}
};

/// The message that came to a counter stream, its headers looked at already.
struct CounterMessage
{
    std::string_view subject;
    std::string_view headers; ///< whole block
    std::string_view payload; ///< of a sourced counter its value at the origin
    std::string_view increment; ///< Nats-Incr, an integer
    std::string_view source; ///< Nats-Stream-Source; empty = published here
};

/// Adds to the value that the subject's last message holds. A counter that is sourced adds what its
/// origin has gained since the last message from there (streams.md 8.2).
Result<Count> countUp(const store::MessageView* last, const CounterMessage& message);

} // namespace jetglass::streams
