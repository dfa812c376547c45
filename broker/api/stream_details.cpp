// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/stream_details.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace jetglass::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSubjectsPage = 100'000;
/// More than a stream can hold; keeps sums from overflowing.
constexpr std::size_t kMostOffset = std::size_t{1} << 40U;
constexpr std::size_t kStride = 64;
/// A gap can be made as wide as one likes (purge to a far sequence); its list may not eat the
/// memory.
constexpr std::size_t kMaxDeleted = 4'000'000;

void append(std::vector<std::uint64_t>& list, std::uint64_t first, std::uint64_t last)
{
    for (std::uint64_t seq = first; seq <= last && list.size() < kMaxDeleted; ++seq)
        list.push_back(seq);
}

} // namespace

void addDeleted(const streams::Stream& stream, Json& state)
{
    const store::MessageStore& store = stream.store();
    const store::StoreState counts = store.state();
    std::vector<std::uint64_t> lost;
    for (const store::GapRange& gap : store.gaps(StreamSeq(1), counts.last))
        if (gap.cause == Removal::Lost)
            append(lost, gap.first.value(), gap.last.value());
    if (!lost.empty())
        state["lost"] = {{"msgs", std::move(lost)}, {"bytes", store.lost().bytes}};
    if (counts.messages == 0)
        return;
    std::vector<std::uint64_t> deleted;
    for (const store::GapRange& gap : store.gaps(counts.first, counts.last))
        append(deleted,
            std::max(gap.first, counts.first).value(),
            std::min(gap.last, counts.last).value());
    if (deleted.empty())
        return;
    state["num_deleted"] = deleted.size();
    state["deleted"] = std::move(deleted);
}

SubjectsPage::SubjectsPage(const std::string& filter, std::int64_t offset)
    : m_filter({filter})
    , m_offset(static_cast<std::size_t>(std::max<std::int64_t>(offset, 0)))
    , m_keep(std::min(m_offset, kMostOffset) + kSubjectsPage)
{
}

bool SubjectsPage::advance(const store::MessageStore& store, const base::Slice& slice)
{
    // A heap of the lowest names, the highest of them on top.
    if (!m_walked)
        m_walked = store.walkSubjects(
            m_position, m_filter, slice, [this](std::string_view subject, std::uint64_t count) {
                ++m_total;
                if (m_heap.size() == m_keep) {
                    if (subject >= m_heap.front().first)
                        return;
                    std::pop_heap(m_heap.begin(), m_heap.end());
                    m_heap.pop_back();
                }
                m_heap.emplace_back(subject, count);
                std::push_heap(m_heap.begin(), m_heap.end());
            });
    if (!m_walked)
        return false;
    for (std::size_t n = 1; m_heap.size() > m_offset; ++n) {
        std::pop_heap(m_heap.begin(), m_heap.end());
        m_found.push_back(std::move(m_heap.back()));
        m_heap.pop_back();
        if (n % kStride == 0 && slice.over())
            return false;
    }
    return true;
}

void SubjectsPage::addTo(Json& info)
{
    if (m_total == 0)
        return;
    info["total"] = m_total;
    info["offset"] = m_offset;
    info["limit"] = kSubjectsPage;
    if (m_found.empty())
        return;
    Json subjects = Json::object();
    auto& members = subjects.get_ref<Json::object_t&>();
    members.reserve(m_found.size());
    for (auto it = m_found.rbegin(); it != m_found.rend(); ++it)
        members.emplace_back(std::move(it->first), it->second);
    info["state"]["subjects"] = std::move(subjects);
}

} // namespace jetglass::api
