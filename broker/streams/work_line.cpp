// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/work_line.h"

#include <iterator>
#include <utility>

namespace jetglass::streams {

void WorkLine::add(Step step, Holds holds, std::size_t bytes, Dropped dropped)
{
    const bool last = m_running && m_next == m_entries.end();
    m_entries.push_back({std::move(step), holds, bytes, std::move(dropped)});
    m_holdingAll += holds == Holds::All ? 1U : 0U;
    if (last)
        m_next = std::prev(m_entries.end());
    m_bytes += bytes;
}

void WorkLine::addNext(Step step, Holds holds)
{
    m_entries.insert(m_running ? m_next : m_entries.end(), {std::move(step), holds, 0, {}});
    m_holdingAll += holds == Holds::All ? 1U : 0U;
}

std::vector<WorkLine::Dropped> WorkLine::drop()
{
    stop();
    std::vector<Dropped> all;
    for (Entry& entry : m_entries)
        if (entry.dropped)
            all.push_back(std::move(entry.dropped));
    return all;
}

bool WorkLine::run(const base::Slice& slice)
{
    if (m_running)
        return false;
    m_running = true;
    Progress progress = Progress::Done;
    while (!m_entries.empty() && !m_stopped) {
        const auto entry = m_entries.begin();
        m_next = std::next(entry);
        progress = entry->step(slice);
        if (progress == Progress::Done) {
            m_bytes -= entry->bytes;
            m_holdingAll -= entry->holds == Holds::All ? 1U : 0U;
            m_entries.erase(entry);
        }
        if (progress == Progress::Waits || slice.over())
            break;
    }
    m_running = false;
    return !m_entries.empty() && !m_stopped && progress != Progress::Waits;
}

} // namespace jetglass::streams
