// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/flow_event.h"
#include "broker/overview_query.h"
#include "broker/range_query.h"
#include "fold/cell_cache.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace jetglass::fold {

struct ConsumerView
{
    ConsumerId id{};
    StreamId stream{};
    ConsumerCounts counts;
    AckPolicy ackPolicy = AckPolicy::Explicit;
    bool filtered = false; ///< a new message may not match: its state has to be asked for
    std::uint64_t startSeq = 0; ///< deliver policy by_start_sequence, else 0
};

struct StreamView
{
    StreamId id{};
    StreamCounts counts;
    std::vector<ConsumerId> consumers;
    bool watched = false;
    CellCache cells; ///< filled for watched streams only
    std::uint64_t acked = 0; ///< messages that acks settled, as this fold has seen them
    /// Messages stored: what the stream had when it was first seen, and all since. Sequences may
    /// jump.
    std::uint64_t stored = 0;
    std::uint64_t seenAt = 0; ///< number of the last event that this first sight included
};

/// What a step of the fold touched, per stream.
struct Change
{
    bool structure = false; ///< streams or consumers came or went, or their settings changed
    bool counts = false;
    std::uint64_t first = 0; ///< cells first..last changed; none if first > last
    std::uint64_t last = 0;
    bool hasCells = false;

    void touch(std::uint64_t from, std::uint64_t to)
    {
        first = hasCells ? std::min(first, from) : from;
        last = hasCells ? std::max(last, to) : to;
        hasCells = true;
    }
};
using Changes = std::unordered_map<StreamId, Change>;

/// Flow events to view state: the one place where the window learns what happened, for live, remote
/// and recorded alike. Pure: no Qt event loop, no broker. Overviews and range answers carry the
/// number of the last event that they include, so events up to it are dropped, and younger ones
/// that came before the answer are applied again on top.
class FlowFold
{
public:
    static constexpr std::size_t kRemembered =
        32'768; ///< events kept to be applied on top of a late answer

    Changes apply(const std::vector<FlowEvent>& events);
    Changes applyOverview(const BrokerOverview& overview);
    Changes applyRange(StreamId stream, const RangeAnswer& answer);
    /// Events were lost: nothing that was derived from them is known any more.
    Changes forgetCells();

    /// Cells are kept for watched streams.
    void watch(StreamId stream, bool on);

    [[nodiscard]] const StreamView* stream(StreamId id) const;
    [[nodiscard]] const ConsumerView* consumer(ConsumerId id) const;
    [[nodiscard]] std::uint64_t lastEvent() const { return m_lastEvent; }

private:
    void applyOne(const FlowEvent& event, Changes& changes);
    void countForRates(const FlowEvent& event);
    void applyStreamCounts(const FlowEvent& event, StreamView& stream, Change& change);
    void applyConsumerCounts(const FlowEvent& event, ConsumerView& consumer, Change& change);
    void applyStreamCells(const FlowEvent& event, StreamView& stream, Change& change);
    void applyConsumerCell(
        const FlowEvent& event, StreamView& stream, ConsumerView& consumer, Change& change);
    void settleUpTo(const FlowEvent& event, StreamView& stream, int column, Change& change);
    void firstSight(const StreamOverview& seen, std::uint64_t lastEvent, StreamView& view) const;
    void remember(const std::vector<FlowEvent>& events);
    [[nodiscard]] bool remembers(std::uint64_t number) const;

    std::unordered_map<StreamId, StreamView> m_streams;
    std::unordered_map<ConsumerId, ConsumerView> m_consumers;
    std::vector<FlowEvent> m_recent; ///< ascending; trimmed at the front in blocks
    std::uint64_t m_lastEvent = 0;
    std::uint64_t m_countsAsOf = 0;
};

} // namespace jetglass::fold
