// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/stream_config.h"
#include "store/message_store.h"

#include <cstdint>
#include <optional>

namespace jetglass::streams {

/// What the limits of a stream say, as pure functions: publishing, timers, changes of the
/// configuration and previews ask the same ones.

/// What discard new looks at before a message is stored.
struct Arrival
{
    std::uint64_t size = 0; ///< as counted for max_bytes
    std::uint64_t subjectCount = 0; ///< messages already stored on its subject
    std::uint64_t oldestOfSubject = 0; ///< size of the subject's oldest one, if it is at its limit
    bool rollup = false;
};

/// The text of the refusal, or nullptr (streams.md 4.1).
[[nodiscard]] const char* refusedByLimits(
    const StreamConfig& config, const store::StoreState& state, const Arrival& arrival);

/// The subject holds as many messages as it may.
[[nodiscard]] bool subjectIsFull(const StreamConfig& config, std::uint64_t subjectCount);
/// How many of a subject's oldest messages go once it holds \a subjectCount.
[[nodiscard]] std::uint64_t excessOfSubject(const StreamConfig& config, std::uint64_t subjectCount);
/// How many of the stream's oldest messages go by max_msgs (discard old only).
[[nodiscard]] std::uint64_t excessMessages(const StreamConfig& config, std::uint64_t messages);
/// By how many bytes the stream is over max_bytes (discard old only).
[[nodiscard]] std::uint64_t excessBytes(const StreamConfig& config, std::uint64_t bytes);
/// Messages stored at or before this wall time go by max_age; nothing without max_age.
[[nodiscard]] std::optional<std::int64_t> ageCutoff(
    const StreamConfig& config, std::int64_t wallTime);

} // namespace jetglass::streams
