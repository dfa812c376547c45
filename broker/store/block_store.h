// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/filter_cache.h"
#include "store/gap_map.h"
#include "store/message_block.h"
#include "store/message_store.h"
#include "store/subject_table.h"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetglass::store {

/// What memory and file stores have in common: a row of message blocks, the subjects, the gaps, and
/// everything that is answered from them. Where the bytes of a block are is the business of the
/// derived store.
class BlockStore : public MessageStore
{
public:
    StreamSeq append(const NewMessage& message) override;
    void appendAt(StreamSeq seq, const NewMessage& message) override;
    void skip(std::uint64_t count, std::int64_t time, Removal cause) override;
    bool remove(StreamSeq seq, Removal cause, bool erase) override;
    Removed removeBelow(StreamSeq first, Removal cause) override;
    Removed removeMatching(const subjects::SubjectFilter& filter,
        StreamSeq below,
        std::uint64_t keep,
        Removal cause) override;
    void advance(RemovalTask& task, const base::Slice& slice) override;

    [[nodiscard]] StoreState state() const override;
    [[nodiscard]] bool contains(StreamSeq seq) const override;
    bool load(StreamSeq seq, MessageView& message) override;
    bool loadNext(
        const subjects::SubjectFilter& filter, StreamSeq from, MessageView& message) override;
    bool loadLast(
        const subjects::SubjectFilter& filter, StreamSeq upTo, MessageView& message) override;
    StreamSeq findNext(const subjects::SubjectFilter& filter, StreamSeq from) override;
    [[nodiscard]] StreamSeq skipPlain(StreamSeq from) const override;
    StreamSeq seqAtTime(std::int64_t time) override;
    [[nodiscard]] std::optional<SubjectTotals> subject(std::string_view literal) const override;
    StreamSeq firstOf(std::string_view literal) override;
    std::uint64_t count(const subjects::SubjectFilter& filter, StreamSeq from) override;
    void advance(CountTask& task, const base::Slice& slice) override;
    bool tally(const subjects::SubjectFilter& filter,
        std::span<TallyPiece> pieces,
        const base::Slice& slice) override;
    void visit(const subjects::SubjectFilter& filter,
        StreamSeq from,
        const std::function<bool(const IndexedMessage&)>& callback) override;
    StreamSeq firstOfNewest(std::uint64_t keep) override;
    StreamSeq firstBehind(std::uint64_t bytes) override;
    bool walkSubjects(std::uint64_t& position,
        const subjects::SubjectFilter& filter,
        const base::Slice& slice,
        const std::function<void(std::string_view, std::uint64_t)>& callback) const override;
    void forEachSubject(const subjects::SubjectFilter& filter,
        const std::function<bool(std::string_view, const SubjectTotals&)>& callback) const override;
    using MessageStore::gaps;
    [[nodiscard]] std::vector<GapRange> gaps(
        StreamSeq first, StreamSeq last, std::size_t most) const override;
    [[nodiscard]] std::uint64_t deletedCount() const override;
    [[nodiscard]] std::vector<BlockSummary> blocks() const override;
    void setFirstSeq(StreamSeq first) override;

protected:
    using BlockPtr = std::shared_ptr<MessageBlock>;

    /// What a block's removed messages need to come back, newest last.
    struct Undo
    {
        BlockPtr block;
        bool whole = false; ///< all of the block's messages
        std::uint64_t seq = 0;
        SubjectTable::Id id = SubjectTable::kNone;
        std::uint32_t size = 0;
        std::vector<BlockSubject> subjects; ///< whole: as they were
        std::vector<GapRange> gaps; ///< whole: as they were
        std::uint64_t live = 0;
        std::uint64_t liveBytes = 0;
    };

    // --- what the derived store adds
    /// The block that takes a record of this size at this sequence, with room for it.
    virtual MessageBlock& tailFor(std::size_t recordSize, std::uint64_t seq) = 0;
    /// Slots and subjects are there; false if they cannot be read.
    virtual bool ensureIndex(MessageBlock& block) = 0;
    /// At least the subjects are there: enough to drop the whole block.
    virtual bool ensureSubjects(MessageBlock& block) { return ensureIndex(block); }
    struct RecordBytes
    {
        const char* bytes = nullptr; ///< null: damaged, or the system would not read it
        bool damaged = false;
        Removal erased =
            Removal::None; ///< it was overwritten, and the removal that said so is lost
    };
    /// The record of a live slot.
    virtual RecordBytes record(MessageBlock& block, const Slot& slot, std::uint64_t seq) = 0;
    virtual void encode(char* to, std::uint64_t seq, const NewMessage& message) = 0;
    virtual void stageRange(const StoredRange& range, std::int64_t time) = 0;
    virtual void stageFirstSeq(std::uint64_t seq) = 0;
    virtual void stageErase(MessageBlock& block, const Slot& slot, Removal cause) = 0;
    virtual void blockChanged(MessageBlock& /*block*/) { }
    [[nodiscard]] virtual bool wantsUndo() const = 0;
    /// An empty block may go now.
    [[nodiscard]] virtual bool mayDrop(const MessageBlock& /*block*/) const { return true; }

    // --- for the derived store
    [[nodiscard]] std::size_t blockIndex(
        std::uint64_t seq) const; ///< last block with base <= seq; size() if none
    void put(std::uint64_t seq, const NewMessage& message);
    /// Everything staged is final: empty blocks leave (into \a dropped), numbers of unused subjects
    /// are free.
    void settle(std::vector<BlockPtr>& dropped);
    /// Takes back everything since the last settle().
    void revert();
    /// first and firstTime follow from what is stored.
    void refreshFirst();
    virtual void loseMessage(std::uint64_t seq);
    void removeSlot(const BlockPtr& block, Slot& slot, Removal cause);

    std::vector<BlockPtr> m_blocks;
    SubjectTable m_subjects;
    mutable FilterCache m_filters;
    GapMap m_gaps;
    StoreState m_state;
    StoreState m_settled;
    bool m_touched = false; ///< something is staged
    bool m_emptied = false; ///< some block has no message left
    std::uint32_t m_nextSerial = 1;

private:
    struct Found
    {
        MessageBlock* block = nullptr;
        std::size_t slot = 0;
        [[nodiscard]] std::uint64_t seq() const { return block->base + block->slots[slot].delta; }
    };
    Found findForward(const FilterCache::Matcher& match, std::uint64_t from);
    Found findBackward(const FilterCache::Matcher& match, std::uint64_t upTo);
    /// False: nothing in it matches, without reading anything.
    [[nodiscard]] static bool mayHold(const MessageBlock& block, const FilterCache::Matcher& match);
    bool blockMayMatch(MessageBlock& block, const FilterCache::Matcher& match);
    bool scanForward(const FilterCache::Matcher& match, MessageBlock& block, std::size_t& slot);
    enum class Viewed : std::uint8_t
    {
        Good,
        Damaged,
        Unreadable
    };
    Viewed view(const Found& found, MessageView& message);
    Removed dropWhole(const BlockPtr& block, Removal cause);
    // --- tasks (block_store_tasks.cpp)
    void beginTask(RemovalTask& task) const;
    void locateKept(RemovalTask& task, const FilterCache::Matcher& match, const base::Slice& slice);
    bool locateInBlock(RemovalTask& task, const FilterCache::Matcher& match, MessageBlock& block);
    void removePart(RemovalTask& task, const FilterCache::Matcher& match, const base::Slice& slice);
    bool removeInBlock(RemovalTask& task,
        const FilterCache::Matcher& match,
        const BlockPtr& block,
        const base::Slice& slice);
    [[nodiscard]] bool holdsTooMany(const MessageBlock& block, const RemovalTask& task) const;
    bool countAtOnce(CountTask& task, const FilterCache::Matcher& match);
    void countBlock(CountTask& task, const FilterCache::Matcher& match, MessageBlock& block);
    [[nodiscard]] std::uint64_t matchingIn(MessageBlock& block,
        const FilterCache::Matcher& match,
        std::uint64_t from,
        std::uint64_t below);
    void releaseSubjects(std::size_t most);
    void releaseUnused();
    void moveForward(std::uint64_t first);
    void undoRemoval(Undo& undo);
    void undoAppends();
    [[nodiscard]] std::uint64_t liveFrom(std::uint64_t from) const;
    [[nodiscard]] std::uint64_t exactLast(SubjectTable::Id id) const;
    [[nodiscard]] std::uint64_t countMatching(
        const FilterCache::Matcher& match, std::uint64_t from, std::uint64_t below);

    // --- tallies (block_store_tally.cpp)
    struct KnownCount
    {
        std::uint64_t live = 0; ///< as it was: while it is the same nothing has left
        std::uint64_t count = 0;
        /// \a stride sequences apart, how many match below each: a picture of a large stream cuts
        /// a block into many pieces, and should not look at each message for each of them.
        std::uint32_t stride = 0; ///< 0 = no marks yet
        std::vector<std::uint32_t> marks;
    };
    struct TallyMemo
    {
        std::vector<std::string> patterns;
        std::unordered_map<std::uint32_t, KnownCount> blocks; ///< sealed ones by serial
    };
    struct Tallying;
    TallyMemo& tallyMemo(const subjects::SubjectFilter& filter);
    [[nodiscard]] std::optional<std::uint64_t> blockCount(Tallying& tallying, MessageBlock& block);
    void tallyBlock(Tallying& tallying, MessageBlock& block, std::span<TallyPiece> pieces);
    static void mark(const Tallying& tallying, const MessageBlock& block, KnownCount& known);
    static void tallySlots(
        const Tallying& tallying, const MessageBlock& block, std::span<TallyPiece> pieces);

    std::list<TallyMemo> m_tallies; ///< most recently used first
    std::vector<Undo> m_undo;
    std::vector<SubjectTable::Id> m_unused; ///< subjects that reached 0 since the last settle
    std::vector<SubjectTable::Id> m_toRelease; ///< those of earlier turns
    mutable std::size_t m_hint = 0;
};

} // namespace jetglass::store
