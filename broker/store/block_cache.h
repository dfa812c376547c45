// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/message_block.h"

#include <cstdint>
#include <list>

namespace jetglass::store {

/// What sealed blocks hold in memory, all streams together: the least recently used leave when the
/// budget is spent. Broker thread only; every block is taken out before it dies.
class BlockCache
{
public:
    explicit BlockCache(std::uint64_t budget)
        : m_budget(budget)
    {
    }
    /// The block has been used; its size is counted anew. May unload other blocks.
    void use(MessageBlock& block);
    /// A view into the block's bytes has been handed out: it stays for the next few loads, also of
    /// other streams.
    void viewed(MessageBlock& block) { block.viewedAt = m_clock; }
    void remove(MessageBlock& block);
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    static constexpr std::uint64_t kViewLoads = 16;
    std::list<MessageBlock*> m_blocks; ///< most recently used first
    std::uint64_t m_budget;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_clock = kViewLoads + 1; ///< counts loads
};

} // namespace jetglass::store
