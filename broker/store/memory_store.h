// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/block_store.h"

namespace jetglass::store {

/// Messages in memory only. Blocks are pieces of a shared pool: small at first, so that an idle
/// stream costs little, then of 2 MiB. A block that is mostly empty is copied into a smaller one.
class MemoryStore final : public BlockStore
{
public:
    explicit MemoryStore(std::shared_ptr<BufferPool> pool);

    Result<void> commit() override;
    [[nodiscard]] bool hasStaged() const override { return m_touched; }
    void sync(std::function<void(Result<void>)> done) override { done({}); }
    [[nodiscard]] std::uint64_t sizeOf(const NewMessage& message) const override;
    void setCompression(bool /*on*/) override { }
    [[nodiscard]] Removed lost() const override { return {}; }

private:
    MessageBlock& tailFor(std::size_t recordSize, std::uint64_t seq) override;
    bool ensureIndex(MessageBlock& /*block*/) override { return true; }
    RecordBytes record(MessageBlock& block, const Slot& slot, std::uint64_t seq) override;
    void encode(char* to, std::uint64_t seq, const NewMessage& message) override;
    void stageRange(const StoredRange& /*range*/, std::int64_t /*time*/) override { }
    void stageFirstSeq(std::uint64_t) override { }
    void stageErase(MessageBlock& block, const Slot& slot, Removal cause) override;
    void blockChanged(MessageBlock& block) override;
    [[nodiscard]] bool wantsUndo() const override { return false; }
    void compact(MessageBlock& block);

    std::shared_ptr<BufferPool> m_pool;
    std::size_t m_nextCapacity;
    std::vector<MessageBlock*> m_sparse;
};

} // namespace jetglass::store
