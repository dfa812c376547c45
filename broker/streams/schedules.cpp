// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/schedules.h"

#include <algorithm>

namespace jetglass::streams {

void Schedules::place(BySubject::iterator entry, std::int64_t fires)
{
    entry->second.fires = fires;
    entry->second.firing = false;
    m_byTime.emplace(fires, entry->first);
}

void Schedules::unplace(const BySubject::value_type& entry)
{
    if (!entry.second.firing)
        m_byTime.erase({entry.second.fires, entry.first});
}

void Schedules::set(std::string_view subject, StreamSeq seq, std::int64_t at, std::int64_t earliest)
{
    auto found = m_bySubject.find(subject);
    if (found == m_bySubject.end())
        found = m_bySubject.emplace(std::string(subject), Entry{}).first;
    else
        unplace(*found);
    found->second.seq = seq;
    found->second.at = at;
    place(found, std::max(at, earliest));
}

void Schedules::move(std::string_view subject, std::int64_t at, std::int64_t earliest)
{
    const auto found = m_bySubject.find(subject);
    if (found == m_bySubject.end())
        return;
    unplace(*found);
    found->second.at = at;
    place(found, std::max(at, earliest));
}

StreamSeq Schedules::remove(std::string_view subject)
{
    const auto found = m_bySubject.find(subject);
    if (found == m_bySubject.end())
        return StreamSeq{};
    const StreamSeq seq = found->second.seq;
    unplace(*found);
    m_bySubject.erase(found);
    return seq;
}

void Schedules::clear()
{
    m_byTime.clear();
    m_bySubject.clear();
}

std::int64_t Schedules::firesAt(std::string_view subject, StreamSeq seq) const
{
    const auto found = m_bySubject.find(subject);
    return found != m_bySubject.end() && found->second.seq == seq ? found->second.fires : 0;
}

StreamSeq Schedules::find(std::string_view subject) const
{
    const auto found = m_bySubject.find(subject);
    return found == m_bySubject.end() ? StreamSeq{} : found->second.seq;
}

std::optional<std::int64_t> Schedules::next() const
{
    if (m_byTime.empty())
        return {};
    return m_byTime.begin()->first;
}

std::vector<Schedules::Due> Schedules::takeDue(std::int64_t wallTime, std::size_t limit)
{
    std::vector<Due> due;
    while (!m_byTime.empty() && m_byTime.begin()->first <= wallTime && due.size() < limit) {
        const auto entry = m_bySubject.find(m_byTime.begin()->second);
        m_byTime.erase(m_byTime.begin());
        entry->second.firing = true;
        due.push_back({entry->second.seq, entry->second.at, entry->first});
    }
    std::sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.seq < b.seq; });
    return due;
}

void Schedules::fireAgain(std::int64_t at)
{
    for (auto entry = m_bySubject.begin(); entry != m_bySubject.end(); ++entry)
        if (entry->second.firing)
            place(entry, at);
}

} // namespace jetglass::streams
