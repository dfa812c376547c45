// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/filter_cache.h"

#include <algorithm>

namespace jetglass::store {

namespace {

constexpr std::size_t kMemoBytes = 32U << 20U; ///< for all answers of one stream
constexpr std::size_t kFewestMemos = 4;
constexpr std::size_t kMostMemos = 64;
constexpr std::size_t kFew = 64;
constexpr SubjectTable::Id kLookAtOnce = 256;

} // namespace

bool FilterCache::Matcher::known(SubjectTable::Id id) const
{
    std::uint8_t& answer = (*m_answers)[id];
    if (answer == 0)
        answer = m_filter->matches(m_table->name(id)) ? 2 : 1;
    return answer == 2;
}

FilterCache::Matcher FilterCache::matcher(
    const subjects::SubjectFilter& filter, const SubjectTable& table)
{
    Matcher m;
    m.m_table = &table;
    if (filter.matchesAll()) {
        m.m_all = true;
        return m;
    }
    if (filter.isLiteral()) {
        m.m_literal = table.find(filter.patterns().front());
        return m;
    }
    m.m_filter = &filter;
    auto it = std::find_if(m_memos.begin(), m_memos.end(), [&](const Memo& memo) {
        return memo.patterns == filter.patterns();
    });
    if (it == m_memos.end()) {
        const std::size_t most = std::clamp(
            kMemoBytes / std::max<std::size_t>(1U, table.bound()), kFewestMemos, kMostMemos);
        while (m_memos.size() >= most)
            m_memos.pop_back();
        m_memos.push_front({filter.patterns(), {}, {}, 0});
    } else if (it != m_memos.begin()) {
        m_memos.splice(m_memos.begin(), m_memos, it);
    }
    Memo& memo = m_memos.front();
    if (memo.answers.size() < table.bound())
        memo.answers.resize(std::max<std::size_t>(table.bound(), memo.answers.size() * 2U), 0);
    m.m_answers = &memo.answers;
    lookFurther(memo, m);
    return m;
}

/// A part of the subjects each time somebody asks, so that no question waits for all of them.
void FilterCache::lookFurther(Memo& memo, Matcher& matcher)
{
    const SubjectTable::Id bound = matcher.m_table->bound();
    const SubjectTable::Id end = std::min(bound, memo.looked + kLookAtOnce);
    for (; memo.looked < end && memo.matching.size() <= kFew; ++memo.looked)
        if (matcher.m_table->entry(memo.looked).used && matcher.known(memo.looked))
            memo.matching.push_back(memo.looked);
    if (memo.looked == bound && memo.matching.size() <= kFew)
        matcher.m_few = &memo.matching;
}

void FilterCache::forget(SubjectTable::Id id)
{
    for (Memo& memo : m_memos) {
        if (id < memo.answers.size())
            memo.answers[id] = 0;
        // It may match now.
        if (id < memo.looked && memo.matching.size() <= kFew)
            memo.matching.push_back(id);
    }
}

} // namespace jetglass::store
