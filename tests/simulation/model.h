// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/ids.h"
#include "broker/stream_config.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetglass::simulation {

inline constexpr int kSubjects = 5;
inline constexpr int kStreams = 3;

/// What has been seen between a consumer and one message.
struct Fate
{
    std::uint32_t deliveries = 0;
    std::int64_t lastSent = 0; ///< wall
    bool settledMaybe = false; ///< an ack or a term has reached the broker
    bool settled = false; ///< the broker showed it as settled at the end of a step
    bool confirmed = false; ///< an ack was confirmed
    bool nakked = false; ///< since the last delivery
    bool anything = false; ///< nothing is known: a change of filters, a reset
    bool offFilter = false; ///< was delivered under another filter
};

struct ConsumerModel
{
    std::string name;
    ConsumerConfig config;
    ConsumerId id{};
    std::int64_t created = 0;
    std::uint64_t seenFirst = 0; ///< in this step
    std::array<bool, kSubjects> selects{};
    std::uint64_t begin = 0; ///< nothing below is delivered
    std::uint64_t lastFirst = 0; ///< highest sequence delivered for the first time
    std::uint64_t lastNumber = 0; ///< of a delivery
    std::int64_t leastAckWait = 0;
    std::int64_t mostDeliver = 0; ///< 0 = no limit
    std::uint64_t skipped = 0; ///< a reset went to here: what lies below is settled
    std::uint64_t resetBy = 0; ///< newest answered operation that did
    /// A purge has taken pending messages. As in the reference server the floor then counts on from
    /// the highest delivery that is gone, past those that are still pending.
    bool wasPurged = false;
    bool floorPassed = false; ///< since then something has always been pending
    /// The process died before it answered a change: it may have delivered by filters that are
    /// forgotten.
    bool changeLost = false;
    /// As in the reference server, that wakes no delivery: the next event does.
    bool resumedByRequest = false;
    std::uint64_t resetOpen = 0; ///< operation that has been handed and not answered
    bool wasReset = false; ///< in this step, or it has been asked for
    std::map<std::uint64_t, Fate> fates;

    [[nodiscard]] Fate& fate(std::uint64_t seq) { return fates[seq]; }
};

struct MessageModel
{
    std::uint64_t operation = 0; ///< 0 = the broker's own
    int subject = -1;
    std::int64_t time = 0;
    std::int64_t ttl = 0;
    std::uint32_t size = 0;
    bool acked = false; ///< a pub ack has left
};

/// A message that was seen, and has gone for good.
struct GoneModel
{
    int subject = -1;
    bool sure = false; ///< its removal was confirmed
};

struct Rollup
{
    std::uint64_t seq = 0;
    int subject = -1; ///< -1 = all
};

struct StreamModel
{
    std::string name;
    int number = 0;
    StreamConfig config;
    StreamId id{};
    std::int64_t created = 0;
    std::uint64_t last = 0;
    std::map<std::uint64_t, MessageModel> live;
    std::map<std::uint64_t, GoneModel> gone;
    std::uint64_t liveBytes = 0;
    std::vector<std::uint64_t> removals; ///< purges and deletes that are under way
    std::vector<Rollup> rollups;
    /// Message ids that are in the window: sequence and time.
    std::unordered_map<std::string, std::pair<std::uint64_t, std::int64_t>> ids;
    std::map<std::string, ConsumerModel> consumers;
    std::set<std::uint64_t> settledByGone; ///< by consumers that have gone in this step
    bool limitsChanged = false; ///< in this step
    bool cameAndWent = false; ///< something did in this step
    /// A work queue of which consumers have exchanged their filters: what one takes away that it
    /// got under an earlier one the other still counts, and the reference server even lets two
    /// share.
    bool sharedQueue = false;
};

/// All that is known of the broker from what it was told and what it said.
struct Model
{
    std::map<std::string, StreamModel> streams;
    [[nodiscard]] StreamModel* stream(const std::string& name)
    {
        const auto it = streams.find(name);
        return it == streams.end() ? nullptr : &it->second;
    }
    [[nodiscard]] ConsumerModel* consumer(const std::string& stream, const std::string& name)
    {
        StreamModel* s = this->stream(stream);
        if (s == nullptr)
            return nullptr;
        const auto it = s->consumers.find(name);
        return it == s->consumers.end() ? nullptr : &it->second;
    }
};

inline std::string subjectOf(int stream, int subject)
{
    return "s" + std::to_string(stream) + "." + static_cast<char>('a' + subject);
}

} // namespace jetglass::simulation
