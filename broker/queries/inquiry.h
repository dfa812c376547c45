// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/slice.h"
#include "broker/preview.h"
#include "broker/range_query.h"
#include "store/message_store.h"
#include "subjects/subject_filter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace jetglass::flow {
class FlowHub;
}
namespace jetglass::streams {
class Stream;
class StreamRegistry;
}

namespace jetglass::queries {

/// \name Questions whose answer takes several turns
/// advance() does one part: at least one step, then on until the slice is over; true when take()
/// has the answer. The stream lives on between the parts and may even go. Broker thread, between
/// two turns.
/// @{

/// Stored messages are counted exactly. What a filter selects is exact at the borders of blocks,
/// and inside a block whose index is in memory; the counts of blocks are remembered, so that the
/// first look at a large stream costs some parts and the next ones none. What is not known after
/// kMostParts is estimated, the columns say so, and the next question goes on finding out. An
/// answer has no more columns than fit, see DensityAnswer::next.
class DensityInquiry
{
public:
    static constexpr int kMostParts = 64;
    DensityInquiry(DensityQuestion question, streams::StreamRegistry& registry, flow::FlowHub& hub);
    bool advance(const base::Slice& slice);
    [[nodiscard]] DensityAnswer take() { return std::move(m_answer); }

private:
    void cut(streams::Stream& stream);
    void finish(streams::Stream* stream, StreamSeq first, const base::Slice& slice);

    DensityQuestion m_question;
    streams::StreamRegistry& m_registry;
    flow::FlowHub& m_hub;
    bool m_cut = false;
    std::size_t m_known = 0; ///< consumers whose counts are known
    int m_parts = 0;
    DensityAnswer m_answer;
};

/// What goes is counted from the index, message by message where a filter or a limit per subject
/// decides, else block by block.
class PreviewInquiry
{
public:
    PreviewInquiry(PreviewQuestion question, streams::StreamRegistry& registry);
    bool advance(const base::Slice& slice);
    [[nodiscard]] PreviewAnswer take() { return std::move(m_answer); }

private:
    enum class Phase : std::uint8_t
    {
        Begin,
        CountAll, ///< a purge that keeps some of a filter: how many match
        FindSubjects, ///< which hold more than a new limit
        WeighSubjects, ///< what those lose
        Look, ///< at every message that may go
        CountBlocks,
        CountConsumers,
        Finished
    };
    void begin(streams::Stream& stream);
    void beginPurge(store::MessageStore& store, const PreviewQuestion::Purge& purge);
    void beginConfig(streams::Stream& stream, StreamConfig config);
    void cutByLimits(streams::Stream& stream);
    void step(streams::Stream& stream, const base::Slice& slice);
    void findSubjects(streams::Stream& stream, const base::Slice& slice);
    void weighSubjects(streams::Stream& stream, const base::Slice& slice);
    void look(streams::Stream& stream, const base::Slice& slice);
    [[nodiscard]] bool goes(const store::IndexedMessage& message);
    void take(streams::Stream& stream, const store::IndexedMessage& message);
    void countConsumers(streams::Stream& stream, const base::Slice& slice);
    void finish(streams::Stream& stream);

    PreviewQuestion m_question;
    streams::StreamRegistry& m_registry;
    PreviewAnswer m_answer;
    Phase m_phase = Phase::Begin;
    subjects::SubjectFilter m_filter;
    StreamSeq m_below;
    std::uint64_t m_keep = 0;
    std::uint64_t m_most = 0; ///< of those that match
    store::CountTask m_count;
    StreamSeq m_at;
    std::uint64_t m_position = 0;
    std::size_t m_consumer = 0;
    // --- a limit per subject
    std::optional<StreamConfig> m_config;
    std::unordered_map<std::string, std::uint64_t> m_excess; ///< by subject
    std::unordered_map<std::string, std::uint64_t> m_left; ///< of that, not met yet
    std::uint64_t m_subjectBytes = 0;
    std::uint64_t m_excessMessages = 0; ///< of what the limit per subject leaves
    std::uint64_t m_excessBytes = 0;
    std::int64_t m_cutoff = 0; ///< 0 = no age
};
/// @}

} // namespace jetglass::queries
