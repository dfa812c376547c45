// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/slice.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <vector>

namespace jetglass::streams {

/// What one stream does one after the other while some of it takes more than a turn: the long work,
/// and behind it the requests and publishes that came after it. Empty most of the time: then all
/// happens at once and in no line. Broker thread only.
class WorkLine
{
public:
    enum class Progress : std::uint8_t
    {
        Done,
        More, ///< the slice is over
        Waits ///< for something outside, which calls its stream to go on
    };
    using Step = std::function<Progress(const base::Slice&)>;
    /// What has to wait behind an entry.
    enum class Holds : std::uint8_t
    {
        All,
        Requests ///< publishes and deliveries go on: it only waits for an answer, or is a request
    };

    /// Publishes that may wait, in bytes; behind that they are refused.
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

    [[nodiscard]] bool busy() const { return !m_entries.empty(); }
    /// There is something that publishes and deliveries wait for.
    [[nodiscard]] bool holdsAll() const { return m_holdingAll > 0; }
    [[nodiscard]] bool running() const { return m_running; }
    [[nodiscard]] bool full() const { return m_bytes >= kMostBytes; }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    /// What is still to be said when the line ends before an entry has had its turn.
    using Dropped = std::function<void()>;
    /// At the end of the line.
    void add(Step step, Holds holds, std::size_t bytes = 0, Dropped dropped = {});
    /// What the entry that runs now has begun: right behind it, before what waits already.
    void addNext(Step step, Holds holds);
    /// One step at least, then on until the slice is over. True if there is more that can go on.
    bool run(const base::Slice& slice);
    /// From inside an entry: nothing more runs, the line is about to be destroyed.
    void stop() { m_stopped = true; }
    /// The line ends here: what those who wait in it are to be told.
    [[nodiscard]] std::vector<Dropped> drop();

private:
    struct Entry
    {
        Step step;
        Holds holds = Holds::All;
        std::size_t bytes = 0;
        Dropped dropped;
    };
    std::list<Entry> m_entries; ///< stay where they are while others are put between
    std::list<Entry>::iterator m_next; ///< where addNext() puts; valid while running
    std::size_t m_bytes = 0;
    std::size_t m_holdingAll = 0;
    bool m_running = false;
    bool m_stopped = false;
};

} // namespace jetglass::streams
