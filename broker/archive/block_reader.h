// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "archive/digest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// One record of a message block of the reference server. Views live until the next feed().
struct BlockRecord
{
    enum class Kind : std::uint8_t
    {
        Message,
        Erased, ///< the sequence was used; nothing is stored
        Tombstone ///< an earlier message of this or another block is deleted
    };
    Kind kind{};
    std::uint64_t seq = 0;
    std::int64_t time = 0; ///< wall ns
    std::string_view subject;
    std::string_view headers;
    std::string_view payload;
};

/// Reads msgs/<n>.blk of a backup of format 1 from bytes that come in any pieces. As the reference
/// server does at recovery, it takes nothing more from a block once a record is damaged.
class BlockReader
{
public:
    BlockReader(std::string_view stream, std::string_view number);
    void feed(std::string_view bytes);
    /// The next whole record; none if more bytes are needed or the block is damaged.
    std::optional<BlockRecord> next();
    [[nodiscard]] bool isDamaged() const { return m_damaged; }

private:
    NamedHash m_hash;
    std::string m_in;
    std::size_t m_at = 0;
    std::string m_scratch;
    bool m_damaged = false;
};

/// Appends a record as the reference server writes it.
void putBlockRecord(std::string& to, const NamedHash& hash, const BlockRecord& record);
/// Key of the checksums of a block.
[[nodiscard]] NamedHash blockHash(std::string_view stream, std::string_view number);

} // namespace jetglass::archive
