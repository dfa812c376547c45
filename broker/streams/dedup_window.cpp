// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/dedup_window.h"

#include <algorithm>

namespace jetglass::streams {

StreamSeq DedupWindow::find(std::string_view id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? StreamSeq{} : found->second->seq;
}

void DedupWindow::add(std::string_view id, StreamSeq seq, std::int64_t time)
{
    const Entry& entry = m_entries.emplace_back(Entry{std::string(id), seq, time});
    // While a window is rebuilt an id can come twice; the newer one counts.
    m_byId.erase(id);
    m_byId.emplace(std::string_view(entry.id), &entry);
}

void DedupWindow::removeNewest(std::size_t count)
{
    for (; count > 0 && !m_entries.empty(); --count) {
        m_byId.erase(std::string_view(m_entries.back().id));
        m_entries.pop_back();
    }
}

void DedupWindow::expire(std::int64_t wallTime)
{
    while (!m_entries.empty() && wallTime - m_entries.front().time >= m_window) {
        const auto found = m_byId.find(std::string_view(m_entries.front().id));
        if (found != m_byId.end() && found->second == &m_entries.front())
            m_byId.erase(found);
        m_entries.pop_front();
    }
}

std::int64_t DedupWindow::nextExpiry() const
{
    return m_entries.empty() ? 0 : m_entries.front().time + m_window;
}

DedupAnswer DedupWindow::answer() const
{
    constexpr std::size_t kRows = 1000;
    DedupAnswer out;
    out.found = true;
    out.total = m_entries.size();
    out.window = m_window;
    for (auto it = m_entries.rbegin(); it != m_entries.rend() && out.rows.size() < kRows; ++it)
        out.rows.push_back({it->id, it->seq, it->time + m_window});
    return out;
}

} // namespace jetglass::streams
