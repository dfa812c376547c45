// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::streams {

/// The schedules of one stream: at most one a subject, and when each fires next. Holds only what is
/// committed. Times are wall ns. Owned by the stream.
class Schedules
{
public:
    struct Due
    {
        StreamSeq seq; ///< of the message that is the schedule
        std::int64_t at = 0;
        std::string subject;
    };

    /// The message \a seq on this subject is a schedule; one that was there before is over. It
    /// fires at \a at, but not before \a earliest.
    void set(std::string_view subject, StreamSeq seq, std::int64_t at, std::int64_t earliest);
    /// It has fired, and comes again then.
    void move(std::string_view subject, std::int64_t at, std::int64_t earliest);
    /// The sequence of what was removed; 0 if the subject had no schedule.
    StreamSeq remove(std::string_view subject);
    void clear();
    [[nodiscard]] StreamSeq find(std::string_view subject) const;
    /// When this message of the subject fires next; 0 if it is not the subject's schedule.
    [[nodiscard]] std::int64_t firesAt(std::string_view subject, StreamSeq seq) const;
    [[nodiscard]] std::size_t size() const { return m_bySubject.size(); }
    /// When the next one is due, of those that are not being fired.
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// Takes what is due, oldest message first. Each stays known, but fires no more until it is
    /// set, moved or fireAgain() says so.
    std::vector<Due> takeDue(std::int64_t wallTime, std::size_t limit);
    /// What was taken has come to nothing: the write failed.
    void fireAgain(std::int64_t at);

private:
    struct Entry
    {
        StreamSeq seq;
        std::int64_t at = 0; ///< what its pattern says
        std::int64_t fires = 0; ///< when it will
        bool firing = false;
    };
    using BySubject = std::map<std::string, Entry, std::less<>>;
    void place(BySubject::iterator entry, std::int64_t fires);
    void unplace(const BySubject::value_type& entry);

    BySubject m_bySubject;
    std::set<std::pair<std::int64_t, std::string_view>> m_byTime; ///< not those being fired
};

} // namespace jetglass::streams
