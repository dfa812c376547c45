// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetglass::store {

/// Layout of the records of a message block, see FORMAT.md. Numbers are little-endian, records
/// start at multiples of 8 and end with a 64-bit HighwayHash of everything before it.
enum class RecordKind : std::uint8_t
{
    Message = 1,
    Removed = 2, ///< seq..last left, for a cause
    Skipped = 3, ///< seq..last were never stored, for a cause
    FirstSeq = 4, ///< the next message gets seq; everything before is gone
    Together = 5 ///< seq..last follow and count only if all of them do
};

inline constexpr std::size_t kRecordHead = 32;
inline constexpr std::size_t kRecordChecksum = 8;
inline constexpr std::size_t kSmallestRecord = kRecordHead + kRecordChecksum;
inline constexpr std::size_t kRangeRecordSize = kSmallestRecord + 8;

struct Record
{
    RecordKind kind{};
    Removal cause = Removal::None;
    std::uint32_t size = 0; ///< on disk, padding and checksum included
    std::uint64_t seq = 0;
    std::int64_t time = 0; ///< Message; the last sequence of a range otherwise
    std::string_view subject;
    std::string_view headers;
    std::string_view payload;
    std::int64_t rangeTime = 0; ///< time of a range, 0 = not known
    [[nodiscard]] std::uint64_t last() const { return static_cast<std::uint64_t>(time); }
};

[[nodiscard]] std::size_t messageRecordSize(const NewMessage& message);
/// Writes the whole record; without \a checksum the last 8 bytes are left alone.
void encodeMessage(char* to, std::uint64_t seq, const NewMessage& message, bool checksum);
/// \a time is when it was, if that is known.
void encodeRange(char* to,
    RecordKind kind,
    Removal cause,
    std::uint64_t first,
    std::uint64_t last,
    std::int64_t time);
/// A record that says nothing, over \a size bytes (a multiple of 8, at least kSmallestRecord) that
/// were damaged.
void encodeFiller(char* to, std::size_t size);
/// New random bytes in place of subject, headers and payload; the record stays whole and says why
/// its message is gone: the record of the removal may be lost.
void eraseMessage(char* record, Removal cause);
/// The record at the start of \a bytes, its lengths checked against each other and the bytes that
/// are there; \a verify also checks the checksum.
[[nodiscard]] std::optional<Record> decodeRecord(std::string_view bytes, bool verify);
/// How long a record at the start of \a bytes, which does not hold, was meant to be.
struct DamagedRecord
{
    std::size_t size = 0; ///< 0 = nothing tells
    bool torn = false; ///< there is not so much of it, or nothing was written where it ends
    bool message = false; ///< not a range
};
[[nodiscard]] DamagedRecord measureDamaged(std::string_view bytes);
/// Trusts the lengths: for records that this process wrote or has verified.
[[nodiscard]] MessageView viewMessage(const char* record);

[[nodiscard]] std::uint64_t checksumOf(std::string_view bytes);

} // namespace jetglass::store
