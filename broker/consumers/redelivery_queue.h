// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "consumers/ack_tracker.h"

#include <cstdint>
#include <deque>

namespace jetglass::consumers {

/// Messages that wait to be delivered again, first in, first out, each at most once
/// (consumers.md 6.7). A message that is settled or takes a new deadline simply stops being Queued;
/// its place in line is then skipped.
class RedeliveryQueue
{
public:
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] bool empty() const { return m_count == 0; }

    /// To the end of the line; one that stands in it stays where it is.
    void push(PendingMessage& message);
    /// It is settled, delayed or delivered: out of the line. A no-op if it is not queued.
    void drop(PendingMessage& message, PendingMessage::State state);
    /// First in line, 0 if none. It stays there.
    [[nodiscard]] StreamSeq front(const AckTracker& tracker);
    /// How many stand before it.
    [[nodiscard]] std::size_t ahead(const AckTracker& tracker, StreamSeq seq) const;
    void clear();

private:
    struct Place
    {
        StreamSeq seq;
        std::uint32_t ticket;
    };
    [[nodiscard]] static bool stands(const AckTracker& tracker, const Place& place);

    std::deque<Place> m_line;
    std::size_t m_count = 0;
    std::uint32_t m_ticket = 0;
};

} // namespace jetglass::consumers
