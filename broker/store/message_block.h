// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/buffer_pool.h"
#include "store/file_system.h"
#include "store/message_store.h"
#include "store/subject_signature.h"
#include "store/subject_table.h"

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

namespace jetglass::store {

/// Where one message of a block is. delta counts from the block's base, offset from the start of
/// its bytes.
struct Slot
{
    std::int64_t time = 0;
    std::uint32_t delta = 0;
    std::uint32_t offset = 0;
    SubjectTable::Id subject = SubjectTable::kNone; ///< kNone = the message is gone
    std::uint32_t size = 0; ///< as counted for max_bytes
    [[nodiscard]] bool live() const { return subject != SubjectTable::kNone; }
};

/// One subject of a block; firstDelta and lastDelta bound where its messages are.
struct BlockSubject
{
    SubjectTable::Id id = SubjectTable::kNone;
    std::uint32_t count = 0;
    std::uint32_t firstDelta = 0;
    std::uint32_t lastDelta = 0;
};

/// A range record of a block.
struct StoredRange
{
    bool skipped = false; ///< else removed
    Removal cause = Removal::Unknown;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// A run of sequences with their records. The summary is always there; index (slots and subjects)
/// and bytes of a sealed file block come and go. Sequences of a block never overlap another
/// block's.
struct MessageBlock
{
    std::uint64_t number = 0; ///< N of N.blk
    std::uint32_t serial = 0; ///< never the same for two blocks of a store's life
    std::uint64_t base = 0; ///< sequence that delta 0 stands for
    std::uint64_t last = 0; ///< highest sequence that was stored here; base - 1 if none
    std::int64_t lastTime = 0; ///< highest time stored here or in an older block
    std::uint64_t live = 0;
    std::uint64_t liveBytes = 0;
    bool mayHaveHeaders = false; ///< false: none of its messages has any

    bool sealed = false;
    bool indexLoaded = true;
    std::vector<Slot> slots; ///< ascending
    std::vector<BlockSubject> subjects; ///< sealed: ascending by id
    SubjectSignature signature; ///< sealed: of the subjects, also while the index is not loaded
    Buffer bytes; ///< empty when not loaded
    std::uint32_t used = 0; ///< bytes in use, in memory or in the file

    /// \name File blocks only
    /// @{
    std::shared_ptr<File> file; ///< open for the tail, and while it is read
    std::vector<StoredRange> ranges; ///< of a block whose .idx is not written yet
    std::uint64_t newestOldTarget =
        0; ///< newest sequence below base that a range of this block removes
    std::uint32_t written = 0; ///< handed to the kernel
    std::uint32_t writtenBack = 0; ///< of that, on its way to the disk
    std::uint32_t singleReads = 0; ///< records read one by one since the bytes were loaded last
    bool dirtySync = false;
    bool indexWritten = false; ///< .idx and .fss are there
    bool leaving = false; ///< empty, and what its ranges say is said elsewhere
    bool fresh = false; ///< made since the last commit
    bool compressed = false; ///< its file holds frames, and is changed by taking its place
    bool rewriting = false; ///< a copy that is to take its place is being made
    bool gone = false; ///< its files are being deleted
    struct Erasure
    {
        std::uint32_t offset = 0;
        Removal cause = Removal::Unknown;
    };
    std::vector<Erasure> erasures; ///< of records that the copy must not have any more
    std::list<MessageBlock*>::iterator cacheSpot;
    std::uint64_t viewedAt = 0; ///< by the cache's clock
    std::size_t cachedBytes = 0; ///< 0 = not in the cache
    /// @}

    [[nodiscard]] bool empty() const { return live == 0; }
    /// Index of the first slot with a sequence >= seq.
    [[nodiscard]] std::size_t lowerSlot(std::uint64_t seq) const;
    [[nodiscard]] Slot* find(std::uint64_t seq); ///< null if there is no slot
    [[nodiscard]] BlockSubject* findSubject(SubjectTable::Id id, const SubjectTable& table);
    void noteSubject(SubjectTable::Id id, std::uint32_t delta, SubjectTable& table);
    /// What was sealed in this turn takes messages again: its write failed.
    void unseal();
    void seal();
    /// Makes the subjects of a sealed block anew from its slots.
    void listSubjects();
};

} // namespace jetglass::store
