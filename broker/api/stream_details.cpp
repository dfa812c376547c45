// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/stream_details.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
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

constexpr std::size_t kGapsAtATime = 64;
constexpr std::uint64_t kNumbersAtATime = 4096;

} // namespace

bool SequenceList::advance(const store::MessageStore& store, const base::Slice& slice)
{
    while (m_next <= m_last && m_size < kMaxDeleted) {
        const std::vector<store::GapRange> gaps = store.gaps(m_next, m_last, kGapsAtATime);
        if (gaps.empty())
            m_next = m_last + 1U;
        std::uint64_t numbers = 0;
        for (const store::GapRange& gap : gaps) {
            m_next = gap.last + 1U;
            if (m_only != Removal::None && gap.cause != m_only)
                continue;
            std::uint64_t seq = gap.first.value();
            for (; seq <= gap.last.value() && m_size < kMaxDeleted && numbers < kNumbersAtATime;
                 ++seq, ++numbers) {
                if (m_size++ > 0)
                    m_text += ',';
                std::array<char, 20> digits{};
                const auto written =
                    std::to_chars(digits.data(), digits.data() + digits.size(), seq);
                m_text.append(digits.data(), written.ptr);
            }
            if (seq <= gap.last.value()) {
                m_next = StreamSeq(seq);
                break;
            }
        }
        if (slice.over())
            return false;
    }
    return true;
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
    std::size_t steps = 0;
    const auto over = [&steps, &slice] { return ++steps % kStride == 0 && slice.over(); };
    while (m_heap.size() > m_offset) {
        std::pop_heap(m_heap.begin(), m_heap.end());
        m_found.push_back(std::move(m_heap.back()));
        m_heap.pop_back();
        if (over())
            return false;
    }
    // What is in front of the page goes in parts, too: to free a million names takes its time.
    for (; !m_heap.empty(); m_heap.pop_back())
        if (over())
            return false;
    for (; !m_found.empty(); m_found.pop_back()) {
        if (over())
            return false;
        if (m_text.size() > 1)
            m_text += ',';
        m_text += streams::quoteJson(m_found.back().first);
        m_text += ':';
        m_text += std::to_string(m_found.back().second);
    }
    return true;
}

void SubjectsPage::addTo(Json& info, std::vector<streams::MadeMember>& made)
{
    if (m_total == 0)
        return;
    info["total"] = m_total;
    info["offset"] = m_offset;
    info["limit"] = kSubjectsPage;
    if (m_text.size() > 1)
        made.push_back({"state", "subjects", std::move(m_text) + '}'});
}

StreamDetails::StreamDetails(
    const store::MessageStore& store, bool deleted, const std::string* filter, std::int64_t offset)
    : m_store(store)
{
    const store::StoreState counts = store.state();
    if (deleted && store.lost().count > 0)
        m_lost.emplace(StreamSeq(1), counts.last, Removal::Lost);
    if (deleted && counts.messages > 0)
        m_deleted.emplace(counts.first, counts.last);
    if (filter)
        m_subjects.emplace(*filter, offset);
}

bool StreamDetails::advance(const base::Slice& slice)
{
    return (!m_lost || m_lost->advance(m_store, slice))
        && (!m_deleted || m_deleted->advance(m_store, slice))
        && (!m_subjects || m_subjects->advance(m_store, slice));
}

std::vector<streams::MadeMember> StreamDetails::addTo(Json& info)
{
    std::vector<streams::MadeMember> made;
    Json& state = info["state"];
    if (m_lost && m_lost->size() > 0)
        state["lost"] = {
            {"msgs", base::parseJson(m_lost->take())}, {"bytes", m_store.lost().bytes}};
    if (m_deleted && m_deleted->size() > 0) {
        state["num_deleted"] = m_deleted->size();
        made.push_back({"state", "deleted", m_deleted->take()});
    }
    if (m_subjects)
        m_subjects->addTo(info, made);
    return made;
}

} // namespace jetglass::api
