// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_query.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jetglass::streams {

/// The message ids that a stream has seen within its window (streams.md 3.4). Times are wall ns.
class DedupWindow
{
public:
    explicit DedupWindow(std::int64_t window)
        : m_window(window)
    {
    }
    void setWindow(std::int64_t window) { m_window = window; }
    [[nodiscard]] bool on() const { return m_window > 0; }

    /// The sequence under which the id was stored; 0 if it is new.
    [[nodiscard]] StreamSeq find(std::string_view id) const;
    void add(std::string_view id, StreamSeq seq, std::int64_t time);
    /// Takes back the newest \a count entries: the turn's write failed.
    void removeNewest(std::size_t count);
    /// Drops what is older than the window.
    void expire(std::int64_t wallTime);
    /// When the oldest entry leaves; 0 = none.
    [[nodiscard]] std::int64_t nextExpiry() const;
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] DedupAnswer answer() const;

private:
    struct Entry
    {
        std::string id;
        StreamSeq seq;
        std::int64_t time = 0;
    };
    std::int64_t m_window;
    std::deque<Entry> m_entries; ///< oldest first; references stay valid while both ends change
    std::unordered_map<std::string_view, const Entry*> m_byId;
};

} // namespace jetglass::streams
