// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "store/block_cache.h"
#include "store/block_index.h"
#include "store/block_store.h"
#include "store/recovery.h"
#include "store/store_factory.h"
#include "store/worker.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::store {

/// What the file stores of one account share.
struct FileStoreContext
{
    FileSystem& files;
    Worker& worker;
    BlockCache& cache;
    std::shared_ptr<BufferPool> pool;
    StoreSettings settings;
};

/// Where the newest block begins and how far it was known to go, as kept outside of the stream's
/// folder. One write a block, and one at an orderly end.
struct EndMemory
{
    CatalogEnd known;
    std::function<void(const CatalogEnd&)> remember;
};

/// A stream in files: msgs/N.blk with .idx and .fss, see FORMAT.md. The newest block is in memory
/// as it is in its file; what a turn adds to it is written straight from there. Older blocks are
/// sealed and never change, but for erased messages; they are read when somebody asks.
class FileStore final : public BlockStore
{
public:
    /// Recovers what is there; what was wrong goes to \a report.
    static Result<std::unique_ptr<MessageStore>> open(const FileStoreContext& context,
        const std::string& directory,
        RecoveryReport& report,
        const EndMemory& end = {});
    FileStore(const FileStore&) = delete;
    FileStore& operator=(const FileStore&) = delete;
    ~FileStore() override;

    Result<void> commit() override;
    [[nodiscard]] bool hasStaged() const override { return m_touched; }
    void sync(std::function<void(Result<void>)> done) override;
    void together(std::uint64_t count) override;
    [[nodiscard]] std::uint64_t sizeOf(const NewMessage& message) const override;
    void setCompression(bool on) override { m_compress = on; }
    [[nodiscard]] Removed lost() const override { return m_lost; }
    void rememberEnd() override;
    void goOnAfter(StreamSeq last) override;
    void retire() override;

private:
    FileStore(const FileStoreContext& context, std::string directory, EndMemory end);

    // --- file_store.cpp: writing
    MessageBlock& tailFor(std::size_t recordSize, std::uint64_t seq) override;
    MessageBlock& newTail(std::size_t recordSize, std::uint64_t seq);
    void growTail(MessageBlock& tail, std::size_t needed);
    void putTogether(MessageBlock& tail);
    void encode(char* to, std::uint64_t seq, const NewMessage& message) override;
    void stageRange(const StoredRange& range, std::int64_t time) override;
    void stageFirstSeq(std::uint64_t seq) override;
    void stageErase(MessageBlock& block, const Slot& slot, Removal cause) override;
    void loseMessage(std::uint64_t seq) override;
    [[nodiscard]] bool wantsUndo() const override { return !m_recovering; }
    [[nodiscard]] bool mayDrop(const MessageBlock& block) const override;
    void putRange(const StoredRange& range, std::int64_t time);
    void putStagedRanges();
    void carryOver();
    Result<void> openFile(MessageBlock& block);
    [[nodiscard]] std::size_t firstDirty() const;
    Result<void> writeBlocks();
    void takeBack();
    void sealWritten();
    void writeIndex(MessageBlock& block);
    void deleteFiles(const std::vector<BlockPtr>& dropped);

    // --- file_store_erase.cpp
    struct Erase
    {
        BlockPtr block;
        std::uint32_t offset = 0;
        Removal cause = Removal::Unknown;
    };
    void startErasing();
    Result<void> eraseSure();
    Result<void> eraseOne(const Erase& e);
    void finishErasing();

    // --- file_store_rewrite.cpp: sealed blocks whose file is replaced
    void rewrite(const BlockPtr& block);
    void takePlace(const BlockPtr& block, const std::string& copy, std::size_t erased);
    Result<void> inflate(MessageBlock& block);
    void removeCopies(const std::vector<std::string>& names);

    // --- file_store_sync.cpp
    void startWriteBack();

    // --- file_store_read.cpp: sealed blocks
    bool ensureIndex(MessageBlock& block) override;
    bool ensureSubjects(MessageBlock& block) override;
    RecordBytes record(MessageBlock& block, const Slot& slot, std::uint64_t seq) override;
    [[nodiscard]] std::vector<SubjectTable::Id> numbersOf(
        const std::vector<StoredSubject>& stored) const;
    bool readIndex(MessageBlock& block);
    bool rebuildIndex(MessageBlock& block);
    void applyGaps(MessageBlock& block);
    bool loadBytes(MessageBlock& block);
    const char* readRecord(MessageBlock& block, const Slot& slot);

    // --- file_store_open.cpp: recovery
    Result<void> recover(RecoveryReport& report);
    struct Opened;
    Result<void> openBlock(std::uint64_t number, bool newest, Opened& all);
    bool openFromIndex(const BlockPtr& block, Opened& all);
    std::optional<std::uint64_t> sizeBeforeCompression(MessageBlock& block, std::uint64_t expected);
    Result<void> openByScan(
        const BlockPtr& block, std::uint64_t fileSize, bool newest, Opened& all);
    Result<void> cutUnfinished(
        MessageBlock& block, const BlockScan::Together& together, RecoveryReport& report);
    [[nodiscard]] Result<bool> endsInBatch(const MessageBlock& block) const;
    Result<void> removeUnfinished(MessageBlock& block, RecoveryReport& report);
    void fillFromScan(MessageBlock& block, const BlockScan& scan, Opened& all);
    void addSubjects(MessageBlock& block,
        const std::vector<StoredSubject>& subjects,
        std::vector<SubjectTable::Id>& ids);
    void addBlock(const BlockPtr& block, Opened& all);
    void applyRange(const StoredRange& range);
    void findEnds(const Opened& all);
    void reportMissing(std::uint64_t newest, Opened& all) const;
    void takeKnownEnd(Opened& all);
    void reportLost(Opened& all);

    // --- file_store_damage.cpp
    [[nodiscard]] std::optional<BlockSummaryPart> summaryOf(const MessageBlock& block) const;
    void removeIndex(const MessageBlock& block);
    Result<void> setBlockAside(MessageBlock& block, std::uint64_t fileSize, Opened& all);
    Result<void> mend(MessageBlock& block, const BlockScan& scan, bool newest, Opened& all);
    Result<void> writeMended(MessageBlock& block, const BlockScan& scan, const Opened& all);

    [[nodiscard]] std::string path(const MessageBlock& block, const char* ending) const;
    [[nodiscard]] static std::uint64_t newestOldTarget(
        const std::vector<StoredRange>& ranges, std::uint64_t base);

    FileSystem& m_files;
    Worker& m_worker;
    BlockCache& m_cache;
    std::shared_ptr<BufferPool> m_pool;
    StoreSettings m_settings;
    std::string m_directory;
    EndMemory m_end;
    bool m_compress = false;
    bool m_recovering = false;
    bool m_retired = false;
    bool m_directoryDirty = false; ///< a file was made since the last sync
    bool m_mustTruncate = false; ///< a failed write could not be cut off yet
    std::shared_ptr<std::string> m_refusal =
        std::make_shared<std::string>(); ///< after a failed sync
    std::shared_ptr<int> m_syncing = std::make_shared<int>(0); ///< under way
    std::vector<StoredRange> m_staged; ///< removals of this turn
    std::uint64_t m_togetherFirst = 0; ///< what is being stored as one
    std::uint64_t m_togetherLast = 0;
    /// Recovery has taken back an unfinished batch, or an index that is none, and must begin again.
    bool m_cut = false;
    std::string m_cutIndex;
    std::vector<Erase> m_erases;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true); ///< for answers of the worker
    std::size_t m_erasesSettled = 0; ///< those before belong to removals that are written
    std::size_t m_erasesSure = 0; ///< and those to removals that may be relied on
    bool m_erasing = false; ///< a sync is under way for some of them
    std::uint64_t m_nextNumber = 1;
    std::uint64_t m_firstNumber =
        1; ///< numbers from here on were never used when the store was opened
    bool m_sealedEmpty = false; ///< a tail without messages has been left behind
    std::string m_scratch;
    Removed m_lost;
};

} // namespace jetglass::store
