// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"
#include "streams/json_text.h"
#include "streams/stream.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::api {

/// A list of sequences as JSON, made in parts.
class SequenceList
{
public:
    /// Of the gaps within first..last those of one cause, or all.
    SequenceList(StreamSeq first, StreamSeq last, Removal only = Removal::None)
        : m_next(first)
        , m_last(last)
        , m_only(only)
    {
    }
    /// True when it is whole.
    bool advance(const store::MessageStore& store, const base::Slice& slice);
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] std::string take() { return std::move(m_text) + ']'; }

private:
    StreamSeq m_next;
    StreamSeq m_last;
    Removal m_only;
    std::uint64_t m_size = 0;
    std::string m_text = "[";
};

/// state.subjects and the paging members for a subjects_filter (streams.md 1.6): in memory are only
/// the subjects up to the end of the page.
class SubjectsPage
{
public:
    SubjectsPage(const std::string& filter, std::int64_t offset);
    /// True when it is whole.
    bool advance(const store::MessageStore& store, const base::Slice& slice);
    void addTo(nlohmann::ordered_json& info, std::vector<streams::MadeMember>& made);

private:
    using Entry = std::pair<std::string, std::uint64_t>;
    subjects::SubjectFilter m_filter;
    std::size_t m_offset;
    std::size_t m_keep;
    std::uint64_t m_position = 0;
    std::uint64_t m_total = 0;
    bool m_walked = false;
    std::vector<Entry> m_heap;
    std::vector<Entry> m_found; ///< of the page, highest name first
    std::string m_text = "{";
};

/// What STREAM.INFO tells on request, which may be long: state.deleted (every sequence between
/// first and last that is not stored) with state.lost, and state.subjects. Made in parts, while
/// nothing may change in the store.
class StreamDetails
{
public:
    /// \a filter: null = no subjects.
    StreamDetails(const store::MessageStore& store,
        bool deleted,
        const std::string* filter,
        std::int64_t offset);
    /// True when it is whole.
    bool advance(const base::Slice& slice);
    /// Adds the short members and gives the long ones.
    [[nodiscard]] std::vector<streams::MadeMember> addTo(nlohmann::ordered_json& info);

private:
    const store::MessageStore& m_store;
    std::optional<SequenceList> m_lost;
    std::optional<SequenceList> m_deleted;
    std::optional<SubjectsPage> m_subjects;
};

} // namespace jetglass::api
