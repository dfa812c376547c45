// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/publish_rules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::streams {

/// The checks that single publishes and those inside a batch have in common; each refuses or not.
using Refusal = std::optional<Error>;

inline constexpr std::uint64_t kMaxRecord = 32U << 20U; ///< bytes of a message in a file store
inline constexpr std::size_t kMaxHeaders = 65535;

/// A number that does not parse is one that no sequence can equal.
[[nodiscard]] std::uint64_t sequenceOf(std::string_view text);
/// Of the newest message that matches; 0 if there is none. Wildcards are allowed.
[[nodiscard]] std::uint64_t lastSequenceOf(store::MessageStore& store, std::string_view subject);
/// Whether the last message on a literal subject is a schedule; empty if there is none.
[[nodiscard]] std::optional<bool> lastIsSchedule(
    store::MessageStore& store, std::string_view subject);
/// A counter that was published here; of a copied one only the number counts.
[[nodiscard]] Refusal checkIncrement(
    const PublishFacts& facts, const PublishHeaders& headers, std::string_view payload);
/// Reads the message's own time to live.
[[nodiscard]] Refusal checkTtl(
    const StreamConfig& config, const PublishHeaders& headers, PublishVerdict& verdict);

} // namespace jetglass::streams
