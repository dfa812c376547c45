// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer_cursor.h"

#include "base/time_text.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::consumers {

subjects::SubjectFilter filterOf(const ConsumerConfig& config)
{
    if (!config.filterSubject.empty())
        return subjects::SubjectFilter({config.filterSubject});
    if (config.filterSubjects && !config.filterSubjects->empty())
        return subjects::SubjectFilter(*config.filterSubjects);
    return {};
}

void ConsumerCursor::setFilter(subjects::SubjectFilter filter)
{
    m_filter = std::move(filter);
    m_overlaps = false;
    const std::vector<std::string>& patterns = m_filter.patterns();
    for (std::size_t i = 0; i < patterns.size(); ++i)
        for (std::size_t j = i + 1; j < patterns.size(); ++j)
            m_overlaps = m_overlaps || subjects::collide(patterns[i], patterns[j]);
}

std::uint64_t ConsumerCursor::weightOf(std::string_view subject) const
{
    if (!m_overlaps)
        return 1;
    const std::vector<std::string>& patterns = m_filter.patterns();
    return static_cast<std::uint64_t>(std::count_if(patterns.begin(),
        patterns.end(),
        [&](const std::string& pattern) { return subjects::matches(pattern, subject); }));
}

void ConsumerCursor::start(
    store::MessageStore& store, const ConsumerConfig& config, bool onePerSubject)
{
    const store::StoreState state = store.state();
    StreamSeq next = state.first;
    bool clamp = true;
    switch (config.deliverPolicy) {
    case DeliverPolicy::All:
        break;
    case DeliverPolicy::New:
        next = state.last + 1;
        break;
    case DeliverPolicy::Last:
        if (m_filter.matchesAll()) {
            next = state.last;
        } else {
            store::MessageView last;
            next = store.loadLast(m_filter, StreamSeq(), last) ? last.seq : state.first;
        }
        break;
    case DeliverPolicy::LastPerSubject:
        if (!onePerSubject) {
            store.forEachSubject(
                m_filter, [this](std::string_view, const store::SubjectTotals& totals) {
                    m_list.push_back(totals.last);
                    return true;
                });
            std::sort(m_list.begin(), m_list.end());
            next = m_list.empty() ? state.last : state.last + 1;
        }
        break;
    case DeliverPolicy::ByStartSequence:
        next = StreamSeq(config.optStartSeq);
        clamp = false;
        break;
    case DeliverPolicy::ByStartTime:
        if (const auto time = base::parseRfc3339(config.optStartTime.value_or("")))
            next = store.seqAtTime(*time);
        break;
    }
    if (clamp && next > state.last + 1)
        next = state.last + 1;
    m_next = std::max({next, state.first, StreamSeq(1)});
    m_begin = this->next();
}

void ConsumerCursor::restore(StreamSeq next, StreamSeq begin)
{
    m_next = next;
    m_begin = begin;
}

void ConsumerCursor::moveTo(StreamSeq next)
{
    // What a list has left out stays superseded: it goes on with those it names.
    if (m_listAt < m_list.size()) {
        const auto at = std::lower_bound(m_list.begin(), m_list.end(), next);
        m_listAt = static_cast<std::size_t>(at - m_list.begin());
        return;
    }
    m_list.clear();
    m_listAt = 0;
    m_next = next;
}

void ConsumerCursor::raiseTo(StreamSeq first)
{
    while (m_listAt < m_list.size() && m_list[m_listAt] < first)
        ++m_listAt;
    m_next = std::max(m_next, first);
}

bool ConsumerCursor::peek(store::MessageStore& store, store::MessageView& message)
{
    if (m_listAt < m_list.size()) {
        if (store.load(m_list[m_listAt], message))
            return true;
        // As the reference server: one that has gone ends this pass, the next one goes on behind
        // it.
        ++m_listAt;
        return false;
    }
    if (!m_list.empty()) {
        m_list.clear();
        m_listAt = 0;
    }
    return store.loadNext(m_filter, m_next, message);
}

void ConsumerCursor::advance(StreamSeq past)
{
    if (m_listAt < m_list.size() && m_list[m_listAt] == past)
        ++m_listAt;
    else
        m_next = past + 1;
}

StreamSeq ConsumerCursor::next() const
{
    return m_listAt < m_list.size() ? std::min(m_list[m_listAt], m_next) : m_next;
}

bool ConsumerCursor::isAhead(StreamSeq seq) const
{
    if (seq >= m_next)
        return true;
    return std::binary_search(
        m_list.begin() + static_cast<std::ptrdiff_t>(m_listAt), m_list.end(), seq);
}

std::vector<store::CountTask> ConsumerCursor::countsUpTo(StreamSeq last) const
{
    std::vector<store::CountTask> tasks;
    if (m_next > last)
        return tasks;
    const auto add = [&](const subjects::SubjectFilter& filter) {
        store::CountTask& task = tasks.emplace_back();
        task.filter = filter;
        task.from = m_next;
        task.below = last + 1;
    };
    if (!m_overlaps)
        add(m_filter);
    else
        for (const std::string& pattern : m_filter.patterns())
            add(subjects::SubjectFilter({pattern}));
    return tasks;
}

std::uint64_t ConsumerCursor::listed(const store::MessageStore& store) const
{
    std::uint64_t sum = 0;
    for (std::size_t i = m_listAt; i < m_list.size(); ++i)
        sum += store.contains(m_list[i]) ? 1U : 0U;
    return sum;
}

} // namespace jetglass::consumers
