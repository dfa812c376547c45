// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/ids.h"
#include "store/message_store.h"
#include "subjects/subject_filter.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jetglass::consumers {

/// The patterns that a configuration selects, as the cursor wants them.
[[nodiscard]] subjects::SubjectFilter filterOf(const ConsumerConfig& config);

/// Where a consumer reads its stream: the start by deliver policy (consumers.md 4), the filters,
/// the next candidate, and the list of a last_per_subject consumer, which comes before everything
/// else.
class ConsumerCursor
{
public:
    void setFilter(subjects::SubjectFilter filter);
    [[nodiscard]] const subjects::SubjectFilter& filter() const { return m_filter; }

    /// The first position of a new consumer.
    void start(store::MessageStore& store, const ConsumerConfig& config, bool onePerSubject);
    /// Where a recovered consumer goes on.
    void restore(StreamSeq next, StreamSeq begin);
    /// Somewhere else by request. A list of last messages that is not read to its end goes on at
    /// the first that lies there.
    void moveTo(StreamSeq next);
    /// What lies below is gone: never back, and a list of last messages keeps the rest.
    void raiseTo(StreamSeq first);
    void setBegin(StreamSeq begin) { m_begin = begin; }

    /// Loads the next candidate; false at the end. It stays the next one until advance().
    bool peek(store::MessageStore& store, store::MessageView& message);
    void advance(StreamSeq past);

    /// The lowest sequence that may still be delivered for the first time.
    [[nodiscard]] StreamSeq next() const;
    [[nodiscard]] StreamSeq begin() const { return m_begin; }
    /// Will this stored, matching sequence still be delivered for the first time?
    [[nodiscard]] bool isAhead(StreamSeq seq) const;
    [[nodiscard]] std::size_t listed() const { return m_list.size() - m_listAt; }
    /// What a matching message counts for num_pending: once for each filter that selects it, as in
    /// the reference server. More than 1 only if filters overlap.
    [[nodiscard]] std::uint64_t weightOf(std::string_view subject) const;
    /// Stored, matching and still to be delivered for the first time, counted in the store.
    /// What lies ahead up to \a last, as counts that can be made in parts; what a list names is not
    /// among them.
    [[nodiscard]] std::vector<store::CountTask> countsUpTo(StreamSeq last) const;
    [[nodiscard]] std::uint64_t listed(const store::MessageStore& store) const;

private:
    subjects::SubjectFilter m_filter;
    bool m_overlaps = false; ///< some subject matches two of the filters
    StreamSeq m_next{1};
    StreamSeq m_begin{1};
    std::vector<StreamSeq> m_list;
    std::size_t m_listAt = 0;
};

} // namespace jetglass::consumers
