// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/stream.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::api {

/// state.deleted: every sequence between first and last that is not stored.
void addDeleted(const streams::Stream& stream, nlohmann::ordered_json& state);
/// state.subjects and the paging members for a subjects_filter (streams.md 1.6). Made in parts,
/// since a stream may hold millions of subjects: in memory are only those up to the end of the
/// page.
class SubjectsPage
{
public:
    SubjectsPage(const std::string& filter, std::int64_t offset);
    /// True when it is whole.
    bool advance(const store::MessageStore& store, const base::Slice& slice);
    void addTo(nlohmann::ordered_json& info);

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
};

} // namespace jetglass::api
