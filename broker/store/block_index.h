// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_block.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

inline constexpr std::string_view kBlockMagic = "JGMSGBLK";

/// The first bytes of every .blk file.
struct BlockHead
{
    static constexpr std::size_t kSize = 40;
    std::uint64_t base = 0; ///< no message of this file is older
    std::int64_t timeBefore = 0; ///< time of the stream's newest message when the file was made
};

void encodeBlockHead(char* to, const BlockHead& head);
[[nodiscard]] std::optional<BlockHead> decodeBlockHead(std::string_view bytes);

/// What opening a stream has to know of a sealed block: the first part of .idx.
struct BlockSummaryPart
{
    std::uint64_t base = 0;
    std::uint64_t last = 0;
    std::int64_t lastTime = 0;
    std::uint64_t live = 0;
    std::uint64_t liveBytes = 0;
    std::uint32_t used = 0; ///< size of the .blk file
    std::vector<StoredRange> ranges; ///< the block's range records
    std::vector<GapRange> gaps; ///< base..last, as it was when the file was written
    bool mayHaveHeaders = true;
    std::optional<std::string> subjectsSum; ///< checksum of the .fss that belongs to it
};

/// .idx: summary, then where each live message is. .fss: the subjects, in the order that .idx
/// counts them. Both are written when a block is sealed and only tell what was true then.
[[nodiscard]] std::string encodeIndex(
    const MessageBlock& block, const std::vector<GapRange>& gaps, std::string_view subjects);
[[nodiscard]] std::string encodeSubjects(const MessageBlock& block, const SubjectTable& table);

/// How many bytes from the start of .idx the summary takes; nothing if \a head is not the start of
/// an .idx file.
inline constexpr std::size_t kIndexHead = 24;
[[nodiscard]] std::optional<std::size_t> summarySize(std::string_view head);
[[nodiscard]] std::optional<BlockSummaryPart> decodeSummary(std::string_view index);

/// One subject of a .fss file.
struct StoredSubject
{
    std::string_view name;
    BlockSubject totals; ///< without the id
};
[[nodiscard]] std::optional<std::vector<StoredSubject>> decodeSubjects(std::string_view bytes);
/// Each file is written on its own, and may be of an earlier time: then it lists other subjects, or
/// the same ones in another order. \a bytes are those of the .fss.
[[nodiscard]] bool fitTogether(const BlockSummaryPart& summary,
    std::string_view bytes,
    const std::vector<StoredSubject>& subjects);
/// Fills \a slots; their subject is a position in \a subjectCount subjects.
[[nodiscard]] bool decodeSlots(
    std::string_view index, std::size_t subjectCount, std::vector<Slot>& slots);

} // namespace jetglass::store
