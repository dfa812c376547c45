// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// Reply subjects of fast batches end so.
inline constexpr std::string_view kFastBatchSuffix = ".$FI";

/// What the reply subject of a message says of its fast batch (streams.md 8.7):
/// prefix.id.flow.gap.sequence.operation.$FI
struct FastBatchStep
{
    std::string_view id;
    std::uint64_t seq = 0; ///< place in the batch, from 1
    std::uint16_t flow = 0; ///< acks that the client wants at most: every so many messages
    bool gapOk = false;
    bool ping = false;
    bool commit = false;
    bool empty = false; ///< commit without this message

    /// Nothing if it does not follow the pattern.
    static std::optional<FastBatchStep> parse(std::string_view reply);
};

/// How far one fast batch has come, and when its publisher hears of it. All that it has taken is
/// stored (or refused) by the time that its answers go out.
struct FastBatch
{
    std::int64_t deadline = 0; ///< of the wire's clock
    std::uint64_t last = 0; ///< place of the newest message
    std::uint64_t streamSeq = 0; ///< of the newest stored one
    std::uint64_t told = 0; ///< place that the newest flow ack names
    std::uint16_t every = 0; ///< messages between two flow acks
    std::uint16_t most = 0; ///< what the client allows for that
    bool gapOk = false;

    FastBatch() = default;
    /// \a open counts this one.
    FastBatch(const FastBatchStep& start, std::size_t open);
    /// Whether a flow ack is due now; it names the place told. Publishers that share a stream get
    /// shorter intervals.
    [[nodiscard]] bool ackDue(std::size_t open);
};

// --- answers
[[nodiscard]] std::string flowAckText(const FastBatch& batch);
[[nodiscard]] std::string flowGapText(std::uint64_t expected, std::uint64_t came);
[[nodiscard]] std::string flowErrorText(std::uint64_t seq, const Error& error);
/// {"code":..,"err_code":..,"description":..}
[[nodiscard]] std::string errorText(const Error& error);

} // namespace jetglass::streams
