// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"
#include "broker/stream_config.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::streams {

/// Nats-TTL: kNever, or whole seconds in ns. Empty if it is not valid (streams.md 4.6).
inline constexpr std::int64_t kTtlNever = -1;
[[nodiscard]] std::optional<std::int64_t> parseTtl(std::string_view text);

/// When time alone takes a message (wall ns, 0 = never), and by which rule: Ttl or MaxAge.
struct TimedEnd
{
    std::int64_t at = 0;
    Removal cause = Removal::None;
};
[[nodiscard]] TimedEnd timedEnd(
    const StreamConfig& config, std::int64_t stored, std::string_view headers);

/// When which message of a stream ends by its own TTL. Times are wall ns.
class TtlIndex
{
public:
    void add(StreamSeq seq, std::int64_t expires) { m_byTime.emplace(expires, seq); }
    void addNever(StreamSeq seq) { m_never.insert(seq); }
    /// Takes back what the turn staged.
    void removeFrom(StreamSeq seq);
    [[nodiscard]] bool never(StreamSeq seq) const { return m_never.contains(seq); }
    [[nodiscard]] bool anyNever() const { return !m_never.empty(); }
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// The first of those that are \a stored, with when it ends. Messages that went otherwise stay
    /// in the index: it looks past a few of them, then gives up.
    [[nodiscard]] std::optional<std::pair<StreamSeq, std::int64_t>> first(
        const std::function<bool(StreamSeq)>& stored) const;
    /// Takes the sequences that are due, at most \a limit.
    std::vector<StreamSeq> takeDue(std::int64_t wallTime, std::size_t limit);
    /// Entries below the stream's first sequence are of no use any more.
    void forgetBelow(StreamSeq first);
    void clear();

private:
    std::multimap<std::int64_t, StreamSeq> m_byTime;
    std::set<StreamSeq> m_never;
};

} // namespace jetglass::streams
