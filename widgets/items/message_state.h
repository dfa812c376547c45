// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace jetglass::items {

/// What one consumer has done with one sequence. Every state has a colour role and a shape of its
/// own.
enum class CellState : quint8
{
    NotMatched, ///< no filter of the consumer matches
    BeforeStart, ///< below the sequence where the consumer began
    Waiting, ///< matches, not delivered yet
    Delivered, ///< ack due at a deadline
    InProgress, ///< as Delivered, the client moved the deadline
    Naked, ///< comes again at the deadline
    RedeliveryDue, ///< timed out or nak'd: queued, waits for somebody who asks
    Acked, ///< at or below the ack floor
    AckedAbove, ///< acked, but the ack floor is still below it
    Terminated,
    Exhausted, ///< max_deliver reached without an ack
    Settled, ///< done; how is no longer remembered
};
inline constexpr int kCellStateCount = 12;

/// Given out and not answered for: an ack still counts.
[[nodiscard]] constexpr bool isPending(CellState state)
{
    return state >= CellState::Delivered && state <= CellState::RedeliveryDue;
}

/// No client ever had it: once it is gone from the stream, only that is left to tell.
[[nodiscard]] constexpr bool neverDelivered(CellState state)
{
    return state <= CellState::Waiting;
}

/// Why a sequence is not in the stream any more.
enum class RemovalCause : quint8
{
    None,
    MaxAge,
    MaxMsgs,
    MaxBytes,
    MaxPerSubject,
    WorkQueueAck,
    InterestGone,
    Purge,
    Delete,
    Ttl,
    Rollup,
    NoInterest,
    Skipped,
    Lost,
    Unknown,
};
inline constexpr int kRemovalCauseCount = 15;

/// What the place of such a sequence looks like: whoever reads "removed" looks for what removed it.
enum class Gap : quint8
{
    Removed,
    Skipped, ///< no message ever had this sequence
    Lost
};

[[nodiscard]] constexpr Gap gapOf(RemovalCause cause)
{
    return cause == RemovalCause::Lost   ? Gap::Lost
        : cause == RemovalCause::Skipped ? Gap::Skipped
                                         : Gap::Removed;
}

/// Which of the four colour roles a line of text takes.
enum class Tone : quint8
{
    Normal,
    Muted,
    Waiting,
    Blocked,
    Done
};

} // namespace jetglass::items
