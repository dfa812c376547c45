// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/stream_details.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace jetglass::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSubjectsPage = 100'000;
/// A gap can be made as wide as one likes (purge to a far sequence); its list may not eat the
/// memory.
constexpr std::size_t kMaxDeleted = 4'000'000;

} // namespace

void addDeleted(const streams::Stream& stream, Json& state)
{
    const store::StoreState counts = stream.store().state();
    if (counts.messages == 0)
        return;
    std::vector<std::uint64_t> deleted;
    for (const store::GapRange& gap : stream.store().gaps(counts.first, counts.last)) {
        const std::uint64_t from = std::max(gap.first, counts.first).value();
        const std::uint64_t to = std::min(gap.last, counts.last).value();
        for (std::uint64_t seq = from; seq <= to && deleted.size() < kMaxDeleted; ++seq)
            deleted.push_back(seq);
    }
    if (deleted.empty())
        return;
    state["num_deleted"] = deleted.size();
    state["deleted"] = std::move(deleted);
}

void addSubjects(
    const streams::Stream& stream, const std::string& filter, std::int64_t offset, Json& info)
{
    std::vector<std::pair<std::string, std::uint64_t>> found;
    stream.store().forEachSubject(subjects::SubjectFilter({filter}),
        [&found](std::string_view subject, const store::SubjectTotals& totals) {
            found.emplace_back(subject, totals.count);
            return true;
        });
    if (found.empty())
        return;
    std::sort(found.begin(), found.end());
    const auto from = static_cast<std::size_t>(std::max<std::int64_t>(offset, 0));
    info["total"] = found.size();
    info["offset"] = from;
    info["limit"] = kSubjectsPage;
    Json subjects = Json::object();
    for (std::size_t i = from; i < std::min(found.size(), from + kSubjectsPage); ++i)
        subjects.get_ref<Json::object_t&>().emplace_back(found[i].first, found[i].second);
    if (!subjects.empty())
        info["state"]["subjects"] = std::move(subjects);
}

} // namespace jetglass::api
