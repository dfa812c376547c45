// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::monitor {

/// What jsz is to show of each stream.
struct DetailWanted
{
    bool streams = false;
    bool consumers = false;
    bool directConsumers = false;
    bool config = false;
    bool raft = false;
};

/// The list stream_detail of one account.
nlohmann::ordered_json streamDetails(const streams::StreamRegistry& registry,
    const std::string& serverName,
    const DetailWanted& wanted);

} // namespace jetglass::monitor
