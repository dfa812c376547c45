// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetglass {

/// "What is the state of sequences first..last, for each of these consumers?" At most 4,096
/// sequences or 256 KiB an answer, but one sequence at least; RangeAnswer::last says how far it
/// got.
struct RangeQuestion
{
    StreamId stream{};
    StreamSeq first;
    StreamSeq last;
    std::vector<ConsumerId> consumers; ///< empty = all of the stream
};

/// One consumer's view of one sequence.
struct DeliveryCell
{
    DeliveryState state = DeliveryState::NotMatched;
    std::uint32_t deliveries = 0;
    std::int64_t deadline = 0; ///< wall ns: ack due, or nak'd until
    std::int64_t since = 0; ///< wall ns of the last transition, 0 if not remembered
    ClientId client{}; ///< who holds or settled it, 0 if not known
    ConsumerSeq consumerSeq; ///< of the first delivery while pending
};

struct RangeRow
{
    StreamSeq seq;
    bool stored = false;
    Removal removal = Removal::None; ///< why it is not stored
    std::int64_t time = 0; ///< wall ns of storage
    std::uint32_t size = 0; ///< headers and payload, bytes
    std::uint32_t subjectHash = 0;
    std::string subject; ///< empty if not stored
    std::vector<DeliveryCell> cells; ///< one per consumer asked for, in that order
};

struct RangeAnswer
{
    bool found = false; ///< false: the stream is gone
    std::uint64_t lastEvent = 0;
    std::int64_t time = 0;
    StreamSeq first;
    StreamSeq last; ///< of this part
    std::vector<ConsumerId> consumers;
    std::vector<RangeRow> rows; ///< one per sequence first..last
};

/// "How many in which state, per column?" for zoomed-out views: the range first..last in equal
/// columns. An answer may end early, see DensityAnswer::next.
struct DensityQuestion
{
    StreamId stream{};
    StreamSeq first;
    StreamSeq last;
    std::uint32_t columns = 0; ///< at most 4,096
    std::vector<ConsumerId> consumers; ///< empty = all
};

struct DensityColumn
{
    StreamSeq first;
    StreamSeq last;
    std::uint64_t stored = 0;
    std::uint64_t removed = 0;
    bool estimated = false; ///< not exact: inside a block that is not loaded
};

struct DensityAnswer
{
    bool found = false;
    std::uint64_t lastEvent = 0;
    std::vector<ConsumerId> consumers;
    std::vector<DensityColumn> columns;
    /// For each column, for each consumer in that order, counts by DeliveryState; see count().
    std::vector<std::uint64_t> counts;
    /// Where the columns go on that did not fit into this part, 0 = none left. The rest of the
    /// question is from here to its last, in as many columns as are still due: they are the same
    /// columns.
    StreamSeq next;

    /// Zero for every column and consumer that is there now.
    void clearCounts()
    {
        counts.assign(columns.size() * consumers.size() * kDeliveryStateCount, 0);
    }
    [[nodiscard]] std::uint64_t& count(
        std::size_t column, std::size_t consumer, DeliveryState state)
    {
        return counts[index(column, consumer, state)];
    }
    [[nodiscard]] std::uint64_t count(
        std::size_t column, std::size_t consumer, DeliveryState state) const
    {
        return counts[index(column, consumer, state)];
    }

private:
    [[nodiscard]] std::size_t index(
        std::size_t column, std::size_t consumer, DeliveryState state) const
    {
        return (column * consumers.size() + consumer) * kDeliveryStateCount
            + static_cast<std::size_t>(state);
    }
};

} // namespace jetglass
