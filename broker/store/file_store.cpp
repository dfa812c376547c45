// SPDX-License-Identifier: GPL-3.0-or-later
// Writing: the tail block, the commit of a turn, taking a failed one back, sealing.
#include "store/file_store.h"

#include "store/frame_file.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace jetglass::store {

namespace {

constexpr std::size_t kFirstTail = 16U
    << 10U; ///< memory of a stream's first block; it grows as needed
/// So that no step of long work, which may be one block, takes much of the loop.
constexpr std::size_t kMostMessages = 8192;
constexpr std::uint64_t kWidestBlock = std::numeric_limits<std::uint32_t>::max();

} // namespace

FileStore::FileStore(const FileStoreContext& context, std::string directory, EndMemory end)
    : m_files(context.files)
    , m_worker(context.worker)
    , m_cache(context.cache)
    , m_pool(context.pool)
    , m_settings(context.settings)
    , m_directory(std::move(directory))
    , m_end(std::move(end))
{
}

FileStore::~FileStore()
{
    *m_alive = false;
    if (!m_retired)
        finishErasing();
    if (!m_retired)
        retire();
}

void FileStore::retire()
{
    for (const BlockPtr& block : m_blocks)
        m_cache.remove(*block);
    m_retired = true;
}

std::string FileStore::path(const MessageBlock& block, const char* ending) const
{
    return m_directory + "/" + std::to_string(block.number) + ending;
}

std::uint64_t FileStore::sizeOf(const NewMessage& message) const
{
    return fileSizeOf(message);
}

void FileStore::encode(char* to, std::uint64_t seq, const NewMessage& message)
{
    encodeMessage(to, seq, message, true);
}

MessageBlock& FileStore::tailFor(std::size_t recordSize, std::uint64_t seq)
{
    if (m_blocks.empty())
        return newTail(recordSize, seq);
    MessageBlock& tail = *m_blocks.back();
    const bool full = tail.slots.size() >= kMostMessages
        || (tail.used > BlockHead::kSize && tail.used + recordSize > m_settings.blockSize);
    if (tail.sealed || full || (tail.last >= tail.base && seq - tail.base >= kWidestBlock)) {
        if (!tail.sealed)
            tail.seal();
        m_sealedEmpty = m_sealedEmpty || tail.live == 0;
        return newTail(recordSize, seq);
    }
    // A block without messages begins where its first one will be.
    if (tail.slots.empty()) {
        tail.base = seq;
        tail.last = seq - 1U;
    }
    growTail(tail, recordSize);
    return tail;
}

MessageBlock& FileStore::newTail(std::size_t recordSize, std::uint64_t seq)
{
    const bool first = m_blocks.empty();
    auto block = std::make_shared<MessageBlock>();
    block->serial = m_nextSerial++;
    block->number = m_nextNumber++;
    block->base = seq;
    block->last = seq - 1U;
    block->lastTime = first ? 0 : m_blocks.back()->lastTime;
    block->fresh = true;
    const std::size_t capacity =
        first ? std::min<std::size_t>(kFirstTail, m_settings.blockSize) : m_settings.blockSize;
    block->bytes =
        Buffer(m_pool, std::max(capacity, BlockHead::kSize + kRangeRecordSize + recordSize));
    encodeBlockHead(block->bytes.data(), {seq, m_state.lastTime});
    block->used = BlockHead::kSize;
    m_blocks.push_back(std::move(block));
    // What belongs together says so in each block, so that the newest one alone tells the rest.
    if (seq >= m_togetherFirst && seq <= m_togetherLast)
        putTogether(*m_blocks.back());
    return *m_blocks.back();
}

void FileStore::growTail(MessageBlock& tail, std::size_t needed)
{
    if (tail.used + needed <= tail.bytes.capacity())
        return;
    Buffer larger(m_pool, std::max(tail.bytes.capacity() * 2U, tail.used + needed));
    std::memcpy(larger.data(), tail.bytes.data(), tail.used);
    tail.bytes = std::move(larger);
}

void FileStore::stageRange(const StoredRange& range, std::int64_t time)
{
    if (m_recovering)
        return;
    if (range.skipped) {
        putRange(range, time);
        return;
    }
    if (!m_staged.empty()) {
        StoredRange& before = m_staged.back();
        if (before.cause == range.cause && before.last + 1U == range.first) {
            before.last = range.last;
            return;
        }
    }
    m_staged.push_back(range);
}

void FileStore::putRange(const StoredRange& range, std::int64_t time)
{
    MessageBlock& tail = tailFor(kRangeRecordSize, m_state.last.value() + 1U);
    const auto kind = range.skipped ? RecordKind::Skipped : RecordKind::Removed;
    char* to = tail.bytes.data() + tail.used;
    // Skips come one by one when nobody is interested: they grow one record while it is not written
    // yet.
    if (range.skipped && !tail.ranges.empty() && tail.used >= tail.written + kRangeRecordSize) {
        StoredRange& before = tail.ranges.back();
        const auto r = decodeRecord({to - kRangeRecordSize, kRangeRecordSize}, false);
        if (before.skipped && before.cause == range.cause && before.last + 1U == range.first && r
            && r->kind == RecordKind::Skipped && r->last() == before.last) {
            before.last = range.last;
            encodeRange(to - kRangeRecordSize, kind, before.cause, before.first, before.last, time);
            return;
        }
    }
    encodeRange(to, kind, range.cause, range.first, range.last, time);
    tail.used += static_cast<std::uint32_t>(kRangeRecordSize);
    tail.ranges.push_back(range);
    if (range.first < tail.base)
        tail.newestOldTarget = std::max(tail.newestOldTarget, std::min(range.last, tail.base - 1U));
}

void FileStore::stageFirstSeq(std::uint64_t seq)
{
    MessageBlock& tail = tailFor(kRangeRecordSize, seq);
    encodeRange(tail.bytes.data() + tail.used, RecordKind::FirstSeq, Removal::None, seq, seq, 0);
    tail.used += static_cast<std::uint32_t>(kRangeRecordSize);
}

void FileStore::stageErase(MessageBlock& block, const Slot& slot, Removal cause)
{
    const auto it = std::find_if(
        m_blocks.begin(), m_blocks.end(), [&](const BlockPtr& b) { return b.get() == &block; });
    m_erases.push_back({*it, slot.offset, cause});
}

void FileStore::loseMessage(std::uint64_t seq)
{
    const auto before = m_state;
    BlockStore::loseMessage(seq);
    m_lost.count += before.messages - m_state.messages;
    m_lost.bytes += before.bytes - m_state.bytes;
}

bool FileStore::mayDrop(const MessageBlock& block) const
{
    return block.leaving;
}

std::uint64_t FileStore::newestOldTarget(const std::vector<StoredRange>& ranges, std::uint64_t base)
{
    std::uint64_t newest = 0;
    for (const StoredRange& r : ranges)
        if (r.first < base)
            newest = std::max(newest, std::min(r.last, base - 1U));
    return newest;
}

void FileStore::putStagedRanges()
{
    m_togetherFirst = m_togetherLast = 0;
    for (const StoredRange& range : m_staged)
        putRange(range, 0);
    m_staged.clear();
    if (std::exchange(m_sealedEmpty, false))
        m_emptied = true;
    if (m_emptied)
        carryOver();
}

/// Blocks that are about to go take their range records along: what these say of sequences that
/// still count is said again in the tail.
void FileStore::carryOver()
{
    std::vector<StoredRange> again;
    const MessageBlock* const newest = m_blocks.back().get();
    const MessageBlock* oldestStaying = nullptr;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const BlockPtr& block = m_blocks[i];
        // Its range records may be all that says that messages of older blocks are gone.
        block->leaving = block->live == 0 && block.get() != newest
            && (!oldestStaying || block->newestOldTarget < oldestStaying->base);
        if (!block->leaving && !oldestStaying)
            oldestStaying = block.get();
        if (!block->leaving)
            continue;
        // What was skipped behind its last message is said in it too.
        const std::uint64_t end = m_blocks[i + 1U]->base;
        for (const GapRange& gap :
            m_gaps.ranges(block->base, std::max(end, block->base + 1U) - 1U)) {
            const StoredRange range{false, gap.cause, gap.first.value(), gap.last.value()};
            if (!again.empty() && again.back().cause == range.cause
                && again.back().last + 1U == range.first)
                again.back().last = range.last;
            else
                again.push_back(range);
        }
    }
    for (const StoredRange& range : again)
        putRange(range, 0);
}

Result<void> FileStore::openFile(MessageBlock& block)
{
    if (block.file)
        return {};
    if (block.written > 0) {
        auto opened = openBlockFile(m_files, path(block, ".blk"), FileSystem::Mode::ReadWrite);
        if (!opened)
            return opened.error();
        block.file = std::move(opened->file);
        block.compressed = opened->compressed;
        return {};
    }
    auto file = m_files.open(path(block, ".blk"), FileSystem::Mode::Create);
    if (!file)
        return file.error();
    block.file = std::move(*file);
    m_directoryDirty = true;
    return {};
}

/// Only the newest blocks can have something to write.
std::size_t FileStore::firstDirty() const
{
    std::size_t i = m_blocks.size();
    while (i > 0 && m_blocks[i - 1U]->used != m_blocks[i - 1U]->written)
        --i;
    return i;
}

Result<void> FileStore::writeBlocks()
{
    for (std::size_t i = firstDirty(); i < m_blocks.size(); ++i) {
        const BlockPtr& block = m_blocks[i];
        if (auto opened = openFile(*block); !opened)
            return opened;
        if (block->written == 0 || m_mustTruncate)
            if (auto cut = block->file->truncate(block->written); !cut)
                return cut;
        m_mustTruncate = false;
        const std::array<std::string_view, 1> pieces{
            std::string_view(block->bytes.data() + block->written, block->used - block->written)};
        if (auto written = block->file->write(block->written, pieces); !written)
            return written;
    }
    return {};
}

Result<void> FileStore::commit()
{
    if (!m_touched)
        return {};
    putStagedRanges();
    if (!m_refusal->empty()) {
        takeBack();
        return Error{Errc::Io, *m_refusal, 0, 0};
    }
    if (auto written = writeBlocks(); !written) {
        takeBack();
        return written;
    }
    bool begun = false;
    for (std::size_t i = firstDirty(); i < m_blocks.size(); ++i) {
        m_blocks[i]->written = m_blocks[i]->used;
        m_blocks[i]->dirtySync = true;
        begun = begun || m_blocks[i]->fresh;
        m_blocks[i]->fresh = false;
    }
    m_erasesSettled = m_erases.size();
    startErasing();
    sealWritten();
    std::vector<BlockPtr> dropped;
    settle(dropped);
    deleteFiles(dropped);
    startWriteBack();
    if (begun)
        rememberEnd();
    return {};
}

void FileStore::takeBack()
{
    m_staged.clear();
    m_togetherFirst = m_togetherLast = 0;
    m_erases.resize(m_erasesSettled);
    revert();
    // Blocks that this turn made are gone from the row by now; their files, if any, go too.
    while (!m_blocks.empty() && m_blocks.back()->fresh)
        m_blocks.pop_back();
    const std::uint64_t firstFresh =
        std::max(m_firstNumber, m_blocks.empty() ? 0U : m_blocks.back()->number + 1U);
    for (std::uint64_t n = firstFresh; n < m_nextNumber; ++n) {
        const std::string name = m_directory + "/" + std::to_string(n) + ".blk";
        if (m_files.exists(name))
            static_cast<void>(m_files.remove(name).ok());
    }
    m_nextNumber = std::min(m_nextNumber, firstFresh);
    m_sealedEmpty = false;
    if (m_blocks.empty())
        return;
    MessageBlock& tail = *m_blocks.back();
    if (tail.sealed && tail.bytes && !tail.indexWritten && tail.cachedBytes == 0) {
        // It was sealed in this turn: it goes on as the tail.
        tail.unseal();
        for (std::size_t i = 0; i < tail.subjects.size(); ++i) {
            auto& entry = m_subjects.entry(tail.subjects[i].id);
            entry.tailBlock = tail.serial;
            entry.tailPos = static_cast<std::uint32_t>(i);
        }
    }
    if (tail.used != tail.written || !tail.sealed) {
        tail.used = tail.written;
        const BlockScan scan = scanBlock({tail.bytes.data(), tail.used});
        tail.ranges = scan.ranges;
        tail.newestOldTarget = newestOldTarget(tail.ranges, tail.base);
        m_mustTruncate = !tail.file || !tail.file->truncate(tail.written).ok();
    }
}

void FileStore::sealWritten()
{
    for (std::size_t i = m_blocks.size(); i-- > 0;) {
        MessageBlock& block = *m_blocks[i];
        if (&block == m_blocks.back().get() && !block.sealed)
            continue;
        if (block.cachedBytes != 0 || !block.bytes)
            break; // everything before was sealed earlier
        if (block.live > 0)
            writeIndex(block);
        block.slots.shrink_to_fit();
        m_cache.use(block);
        if (m_compress && block.live > 0)
            rewrite(m_blocks[i]);
    }
}

void FileStore::writeIndex(MessageBlock& block)
{
    auto subjects = std::make_shared<std::string>(encodeSubjects(block, m_subjects));
    auto index = std::make_shared<std::string>(
        encodeIndex(block, m_gaps.ranges(block.base, block.last), *subjects));
    block.ranges = std::vector<StoredRange>(); // not `= {}`, which would keep the memory
    block.indexWritten = true;
    m_worker.run(
        [&files = m_files,
            index,
            subjects,
            indexPath = path(block, ".idx"),
            subjectsPath = path(block, ".fss"),
            blockFile = block.file] {
            // Caches: if they cannot be written, the next start reads the block instead.
            static_cast<void>(writeFile(files, subjectsPath, *subjects, Durable::No).ok());
            static_cast<void>(writeFile(files, indexPath, *index, Durable::No).ok());
        },
        {});
}

void FileStore::deleteFiles(const std::vector<BlockPtr>& dropped)
{
    if (dropped.empty())
        return;
    std::vector<std::string> names;
    for (const BlockPtr& block : dropped) {
        m_cache.remove(*block);
        block->file.reset();
        block->gone = true;
        for (const char* ending : {".idx", ".fss", ".blk"})
            names.push_back(path(*block, ending));
    }
    // The records that say why the blocks are gone must not be lost while the files already are.
    m_worker.run(
        [&files = m_files, names = std::move(names), tail = m_blocks.back()->file] {
            if (tail)
                static_cast<void>(tail->syncData().ok());
            for (const std::string& name : names)
                if (files.exists(name))
                    static_cast<void>(files.remove(name).ok());
        },
        {});
}

} // namespace jetglass::store
