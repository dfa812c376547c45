// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace jetglass {

/// What one consumer has done with one sequence: the states of the one life cycle that every view
/// shows.
enum class DeliveryState : std::uint8_t
{
    NotMatched, ///< no filter of the consumer matches the subject
    BeforeStart, ///< below the sequence where the consumer began
    Waiting, ///< matches and has not been delivered yet
    Delivered, ///< delivered k times, its ack is due at a deadline
    InProgress, ///< as Delivered, after a +WPI moved the deadline
    Naked, ///< -NAK with a delay: comes again at the deadline
    RedeliveryDue, ///< timed out or -NAK without delay: queued, waits for a request or for interest
    Acked,
    Terminated, ///< +TERM, or removed from the stream while pending
    Exhausted, ///< max_deliver reached without an ack; stays in the stream
    Settled ///< done, but how is no longer remembered
};
inline constexpr int kDeliveryStateCount = 11;

/// Why a message left its stream.
enum class Removal : std::uint8_t
{
    None,
    MaxAge,
    MaxMsgs,
    MaxBytes,
    MaxPerSubject,
    WorkQueueAck, ///< acknowledged on a work-queue stream
    InterestGone, ///< no consumer needs it any more on an interest stream
    Purge,
    Delete, ///< STREAM.MSG.DELETE
    Ttl, ///< per-message TTL
    Rollup,
    NoInterest, ///< never stored: no consumer matched at publish time (interest retention)
    Skipped, ///< a gap made on purpose (first_seq, purge to a later sequence, mirror)
    Lost, ///< damaged on disk
    Unknown ///< removed, cause no longer kept
};

} // namespace jetglass
