// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_block.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// What the bytes of a .blk file hold. The views go into the bytes.
struct BlockScan
{
    struct Message
    {
        std::uint64_t seq = 0;
        std::int64_t time = 0;
        std::uint32_t offset = 0;
        std::string_view subject;
        std::uint32_t size = 0; ///< as counted for max_bytes
    };
    /// Messages that were to be stored together.
    struct Together
    {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::uint64_t from = 0; ///< the first one that belongs into this block
        std::uint32_t offset = 0; ///< of the record that says so
        /// Each of them is here, or was and has been removed or damaged since.
        bool whole = false;
        bool damaged = false; ///< something behind the record is
    };
    /// Bytes of whole or damaged records that cannot be read.
    struct Hole
    {
        std::uint32_t offset = 0;
        std::uint32_t size = 0;
    };
    bool headGood = false;
    std::uint64_t base = 0; ///< from the head, or the first message
    std::int64_t lastTime = 0; ///< of the newest message or skip, else from the head
    std::vector<Message> messages; ///< ascending
    bool headers = false; ///< some of them have headers
    std::vector<StoredRange> ranges;
    std::uint64_t firstSeq = 0; ///< from a FirstSeq record; 0 = none
    std::optional<Together> together; ///< if nothing was stored behind it
    std::vector<Hole> holes; ///< ascending
    std::uint64_t lostUpTo =
        0; ///< sequence that the damaged records at the end had; 0 = none there
    std::uint32_t end = 0; ///< of the last record, whole or damaged
    std::uint64_t damagedBytes = 0; ///< of the holes
    std::uint64_t tornBytes = 0; ///< behind the end: of a write that was cut short
    [[nodiscard]] bool whole() const { return headGood && holes.empty() && tornBytes == 0; }
};

/// Reads what is whole; after damage it goes on at the next whole record. Behind the last one, a
/// record that is there to its end was damaged; one that is not was torn.
[[nodiscard]] BlockScan scanBlock(std::string_view bytes);
/// Writes records that say nothing into the holes; too small ones stay as they are.
void fillHoles(char* bytes, const std::vector<BlockScan::Hole>& holes);
/// Bytes that a message counts for max_bytes in a file store (streams.md 4.1).
[[nodiscard]] std::uint64_t fileSizeOf(const NewMessage& message);

} // namespace jetglass::store
