// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::streams {
class JsonFields;
}

namespace jetglass::api {

/// The body of MSG.GET and DIRECT.GET.
struct MessageRequest
{
    std::uint64_t seq = 0;
    std::string lastBySubject;
    std::string nextBySubject;
    std::optional<std::string> startTime; ///< RFC 3339
    std::int64_t batch = 0;
    std::int64_t maxBytes = 0;
    std::vector<std::string> multiLast;
    std::uint64_t upToSeq = 0;
    std::optional<std::string> upToTime;
    bool noHeaders = false;

    void declare(streams::JsonFields& fields);
    /// The message that MSG.GET and single DIRECT.GET mean; false if there is none.
    bool find(store::MessageStore& store, store::MessageView& message) const;
    /// Where a search from a start time or sequence begins.
    [[nodiscard]] StreamSeq start(store::MessageStore& store) const;
};

} // namespace jetglass::api
