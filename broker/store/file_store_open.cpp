// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a stream's folder. Sealed blocks are known by their .idx and .fss; a block without them
// is read. Then the range records of all blocks are applied: whatever lies between messages and is
// in none of them was lost.
#include "store/block_name.h"
#include "store/file_store.h"
#include "store/file_store_opened.h"
#include "store/frame_file.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <algorithm>

namespace jetglass::store {

namespace {

using Kind = RecoveryFinding::Kind;

/// A hole that nothing explains yet.
constexpr Removal kUnexplained = Removal::None;
/// So many of the newest blocks a killed program may have written and not synced.
constexpr std::size_t kUnsure = 4;

/// Blocks that were set aside included.
std::uint64_t newestName(const std::vector<std::string>& names)
{
    std::uint64_t newest = 0;
    for (const std::string& name : names)
        if (const auto parsed = parseBlockName(name))
            newest = std::max(newest, parsed->number);
    return newest;
}

/// All of it is looked at again, and found again, but for what was done to the files already.
void forgetUndone(RecoveryReport& report, std::size_t from)
{
    report.erase(std::remove_if(report.begin() + static_cast<std::ptrdiff_t>(from),
                     report.end(),
                     [](const RecoveryFinding& finding) {
                         return finding.kind == Kind::IndexRebuilt
                             || finding.kind == Kind::NewestBlockMissing;
                     }),
        report.end());
}

} // namespace

Result<std::unique_ptr<MessageStore>> FileStore::open(const FileStoreContext& context,
    const std::string& directory,
    RecoveryReport& report,
    const EndMemory& end)
{
    if (auto made = context.files.makeDirectories(directory); !made)
        return made.error();
    for (;;) {
        std::unique_ptr<FileStore> store(new FileStore(context, directory, end));
        if (auto recovered = store->recover(report); !recovered)
            return recovered.error();
        if (!store->m_cut)
            return std::unique_ptr<MessageStore>(std::move(store));
    }
}

Result<void> FileStore::recover(RecoveryReport& report)
{
    auto names = m_files.list(m_directory);
    if (!names)
        return names.error();
    removeCopies(*names);
    const auto numbers = blockNumbers(*names);
    const std::uint64_t newest = numbers.empty() ? 0 : numbers.back();
    // The number of a lost block is not used again: its file may turn up.
    m_firstNumber = m_nextNumber = std::max(newestName(*names), m_end.known.block) + 1U;
    m_recovering = true;
    const std::size_t reported = report.size();
    Opened all{report, {}, {}, {}, {}, 0, 0, 0, 0, 0};
    for (const std::uint64_t number : numbers)
        if (auto opened = openBlock(number, number == newest, all); !opened)
            return opened;
    if (m_cut) {
        forgetUndone(report, reported);
        return {};
    }
    reportMissing(newest, all);
    if (all.frontBase > 1U)
        m_gaps.add(1, all.frontBase - 1U, Removal::Unknown);
    if (all.firstSeq > 1U)
        m_gaps.add(1, all.firstSeq - 1U, Removal::Skipped);
    for (const StoredRange& range : all.ranges) {
        all.last = std::max(all.last, range.last);
        applyRange(range);
    }
    takeKnownEnd(all);
    findEnds(all);
    if (m_cut) {
        forgetUndone(report, reported);
        report.push_back({.kind = Kind::IndexRebuilt, .file = m_cutIndex});
        return {};
    }
    for (const BlockPtr& block : all.toIndex) {
        if (block->live > 0)
            writeIndex(*block);
        else
            removeIndex(*block);
        m_cache.use(*block);
    }
    std::vector<BlockPtr> dropped;
    m_emptied = false;
    settle(dropped);
    m_emptied = true;
    m_recovering = false;
    reportLost(all);
    rememberEnd();
    // Whoever is answered from now on relies on what is here already, and on its names.
    m_directoryDirty = !m_blocks.empty();
    for (std::size_t i = m_blocks.size(); i-- > 0 && i + kUnsure >= m_blocks.size();)
        m_blocks[i]->dirtySync = true;
    return {};
}

/// The newest block cannot be missed from its own folder: only what was remembered of it says that
/// it was there.
void FileStore::reportMissing(std::uint64_t newest, Opened& all) const
{
    const CatalogEnd& known = m_end.known;
    if (m_blocks.empty() && known.block > 0 && all.frontBase == 0)
        all.frontBase = known.first;
    if (known.block > newest)
        all.report.push_back({.kind = Kind::NewestBlockMissing,
            .file = m_directory + "/" + std::to_string(known.block) + ".blk",
            .first = known.first});
}

/// What was given out is not given out again.
void FileStore::takeKnownEnd(Opened& all)
{
    const CatalogEnd& known = m_end.known;
    if (known.last <= all.last)
        return;
    const std::uint64_t from = std::max(all.last + 1U, m_blocks.empty() ? known.first : 1U);
    if (from <= known.last)
        m_gaps.add(from, known.last, kUnexplained);
    all.last = known.last;
}

Result<void> FileStore::openBlock(std::uint64_t number, bool newest, Opened& all)
{
    auto block = std::make_shared<MessageBlock>();
    block->number = number;
    block->serial = m_nextSerial++;
    // The newest block is always read: what it holds may have to be taken back.
    if (!newest && openFromIndex(block, all))
        return {};
    auto file = openBlockFile(m_files, path(*block, ".blk"), FileSystem::Mode::ReadWrite);
    if (!file && file.error().code == Errc::Corrupt)
        return setBlockAside(*block, BlockHead::kSize, all);
    if (!file)
        return file.error();
    block->file = std::move(file->file);
    block->compressed = file->compressed;
    // What comes next is written behind it, and something may have to be cut off.
    if (newest && block->compressed)
        if (auto raw = inflate(*block); !raw)
            return raw;
    const auto size = block->file->size();
    if (!size)
        return size.error();
    return openByScan(block, *size, newest, all);
}

/// Mostly the file's own size tells that nothing has to be read of it.
std::optional<std::uint64_t> FileStore::sizeBeforeCompression(
    MessageBlock& block, std::uint64_t expected)
{
    const std::string name = path(block, ".blk");
    if (const auto size = m_files.fileSize(name); size && *size == expected)
        return expected;
    const auto opened = openBlockFile(m_files, name, FileSystem::Mode::Read);
    const auto size = opened ? opened->file->size() : Result<std::uint64_t>(opened.error());
    if (!size)
        return std::nullopt;
    block.compressed = opened->compressed;
    return *size;
}

bool FileStore::openFromIndex(const BlockPtr& block, Opened& all)
{
    if (!m_files.exists(path(*block, ".idx")))
        return false;
    const auto part = summaryOf(*block);
    const auto size = part ? sizeBeforeCompression(*block, part->used) : std::nullopt;
    if (part && !size)
        return false; // it will be said when it is read
    const auto subjectBytes = readFile(m_files, path(*block, ".fss"));
    const auto subjects = subjectBytes ? decodeSubjects(*subjectBytes) : std::nullopt;
    if (!part || !subjects || !fitTogether(*part, *subjectBytes, *subjects) || part->used != size
        || part->base <= all.last) {
        all.report.push_back({.kind = Kind::IndexRebuilt, .file = path(*block, ".idx")});
        return false;
    }
    block->base = part->base;
    block->last = part->last;
    block->lastTime = part->lastTime;
    block->live = part->live;
    block->liveBytes = part->liveBytes;
    block->used = block->written = part->used;
    block->mayHaveHeaders = part->mayHaveHeaders;
    block->newestOldTarget = newestOldTarget(part->ranges, block->base);
    block->sealed = true;
    block->indexLoaded = false;
    block->indexWritten = true;
    addSubjects(*block, *subjects, all.ids);
    all.ranges.insert(all.ranges.end(), part->ranges.begin(), part->ranges.end());
    all.lastTime = block->lastTime;
    addBlock(block, all);
    for (const GapRange& gap : part->gaps)
        m_gaps.add(gap.first.value(), gap.last.value(), gap.cause);
    return true;
}

/// \a ids are those of the block before, and become those of this one: what follows each other
/// there mostly does here, and a comparison is cheaper than a search.
void FileStore::addSubjects(MessageBlock& block,
    const std::vector<StoredSubject>& subjects,
    std::vector<SubjectTable::Id>& ids)
{
    std::vector<SubjectTable::Id> here;
    here.reserve(subjects.size());
    std::size_t next = 0;
    for (const StoredSubject& s : subjects) {
        SubjectTable::Id id = next < ids.size() ? ids[next] : SubjectTable::kNone;
        if (id == SubjectTable::kNone || m_subjects.name(id) != s.name) {
            bool isNew = false;
            id = m_subjects.findOrAdd(s.name, isNew);
            const auto at = std::lower_bound(ids.begin(), ids.end(), id);
            next = static_cast<std::size_t>(at - ids.begin());
        }
        ++next;
        m_subjects.addedMany(
            id, s.totals.count, block.base + s.totals.firstDelta, block.base + s.totals.lastDelta);
        if (s.totals.count > 0)
            here.push_back(id);
        else
            m_subjects.release(id);
    }
    block.signature.build(here);
    if (!std::is_sorted(here.begin(), here.end()))
        std::sort(here.begin(), here.end());
    ids = std::move(here);
}

void FileStore::addBlock(const BlockPtr& block, Opened& all)
{
    if (m_blocks.empty() && all.frontBase == 0)
        all.frontBase = block->base;
    const std::uint64_t from = std::max(all.last + 1U, all.frontBase);
    if (from < block->base)
        m_gaps.add(from, block->base - 1U, kUnexplained);
    all.last = std::max(all.last, block->last);
    m_state.messages += block->live;
    m_state.bytes += block->liveBytes;
    m_blocks.push_back(block);
}

Result<void> FileStore::openByScan(
    const BlockPtr& block, std::uint64_t fileSize, bool newest, Opened& all)
{
    if (fileSize > kLargestBlock)
        return setBlockAside(*block, fileSize, all);
    block->bytes = Buffer(m_pool, std::max<std::uint64_t>(fileSize, BlockHead::kSize));
    auto got = block->file->read(0, block->bytes.data(), fileSize);
    if (!got)
        return got.error();
    const BlockScan scan = scanBlock({block->bytes.data(), *got});
    const bool torn = scan.holes.empty() && (scan.headGood || fileSize < BlockHead::kSize);
    if (newest && !m_blocks.empty() && torn && scan.end <= BlockHead::kSize) {
        const auto cut = endsInBatch(*m_blocks.back());
        if (!cut)
            return cut.error();
        if (*cut)
            return removeUnfinished(*block, all.report);
    }
    if (!scan.headGood && scan.messages.empty() && scan.ranges.empty())
        return setBlockAside(*block, fileSize, all);
    if (newest && scan.together && !scan.together->whole)
        return cutUnfinished(*block, *scan.together, all.report);
    block->used = block->written = static_cast<std::uint32_t>(fileSize);
    if (auto done = mend(*block, scan, newest, all); !done)
        return done;
    fillFromScan(*block, scan, all);
    block->ranges = scan.ranges;
    // What damage has taken of it the index may know.
    const auto part = newest ? std::nullopt : summaryOf(*block);
    if (part && (part->used != fileSize || !scan.whole())) {
        block->ranges.insert(block->ranges.end(), part->ranges.begin(), part->ranges.end());
        if (block->live == 0)
            all.again.insert(all.again.end(), part->ranges.begin(), part->ranges.end());
    }
    block->newestOldTarget = newestOldTarget(block->ranges, block->base);
    all.ranges.insert(all.ranges.end(), block->ranges.begin(), block->ranges.end());
    all.firstSeq = std::max(all.firstSeq, scan.firstSeq);
    all.lastTime = scan.lastTime;
    const bool front = m_blocks.empty();
    addBlock(block, all);
    // The head says where the block begins: if its first messages are missing, they were here once.
    if (front && scan.headGood && scan.base < block->base) {
        all.frontBase = std::min(all.frontBase, scan.base);
        m_gaps.add(scan.base, block->base - 1U, kUnexplained);
    }
    if (scan.firstSeq > 0)
        all.last = std::max(all.last, scan.firstSeq - 1U);
    if (newest && scan.lostUpTo > all.last) {
        m_gaps.add(all.last + 1U, scan.lostUpTo, kUnexplained);
        all.last = scan.lostUpTo;
    }
    for (std::size_t i = 1; i < block->slots.size(); ++i)
        if (block->slots[i].delta > block->slots[i - 1U].delta + 1U)
            m_gaps.add(block->base + block->slots[i - 1U].delta + 1U,
                block->base + block->slots[i].delta - 1U,
                kUnexplained);
    if (!newest) {
        block->seal();
        block->bytes.reset();
        block->file.reset();
        all.toIndex.push_back(block);
    }
    return {};
}

void FileStore::fillFromScan(MessageBlock& block, const BlockScan& scan, Opened& all)
{
    block.base = scan.messages.empty() ? std::max(scan.base, all.last + 1U) : 0;
    block.lastTime = m_blocks.empty() ? 0 : m_blocks.back()->lastTime;
    block.mayHaveHeaders = scan.headers;
    for (const BlockScan::Message& m : scan.messages) {
        if (m.seq <= all.last)
            continue; // older blocks have it: left over from a write that was taken back
        if (block.base == 0)
            block.base = m.seq;
        bool isNew = false;
        const SubjectTable::Id id = m_subjects.findOrAdd(m.subject, isNew);
        m_subjects.added(id, m.seq);
        const auto delta = static_cast<std::uint32_t>(m.seq - block.base);
        block.noteSubject(id, delta, m_subjects);
        block.slots.push_back({m.time, delta, m.offset, id, m.size});
        block.lastTime = std::max(block.lastTime, m.time);
        ++block.live;
        block.liveBytes += m.size;
    }
    if (block.base == 0)
        block.base = all.last + 1U;
    block.last = block.slots.empty() ? block.base - 1U : block.base + block.slots.back().delta;
}

void FileStore::applyRange(const StoredRange& range)
{
    std::size_t i = blockIndex(range.first);
    for (i = i < m_blocks.size() ? i : 0; !range.skipped && i < m_blocks.size(); ++i) {
        const BlockPtr block = m_blocks[i];
        if (block->base > range.last)
            break;
        const std::uint64_t end = std::min(range.last, block->last);
        if (block->live == 0 || block->last < range.first
            || m_gaps.nextOutside(std::max(range.first, block->base)) > end)
            continue;
        if (!ensureIndex(*block))
            continue;
        for (std::size_t n = block->lowerSlot(range.first); n < block->slots.size(); ++n) {
            Slot& slot = block->slots[n];
            if (block->base + slot.delta > end)
                break;
            if (slot.live())
                removeSlot(block, slot, range.cause);
        }
    }
    std::uint64_t at = range.first;
    if (!range.skipped) {
        m_gaps.add(range.first, range.last, range.cause);
        return;
    }
    // What is stored after all stays stored.
    for (const GapRange& hole : m_gaps.ranges(range.first, range.last))
        m_gaps.add(hole.first.value(), hole.last.value(), range.cause);
    at = std::max(at, m_blocks.empty() ? at : m_blocks.back()->last + 1U);
    if (at <= range.last)
        m_gaps.add(at, range.last, range.cause);
}

void FileStore::findEnds(const Opened& all)
{
    std::uint64_t last = all.last;
    if (!m_blocks.empty())
        last = std::max(last, m_blocks.back()->base - 1U);
    m_state.last = StreamSeq(last);
    m_state.lastTime = all.lastTime;
    if (m_state.messages > 0)
        m_state.first = StreamSeq(m_gaps.nextOutside(m_blocks.front()->base));
    else if (last > 0 || all.firstSeq > 0)
        m_state.first = StreamSeq(last + 1U);
    refreshFirst();
}

void FileStore::reportLost(Opened& all)
{
    for (const GapRange& gap : m_gaps.ranges(1, m_state.last.value())) {
        if (gap.cause == kUnexplained) {
            m_gaps.add(gap.first.value(), gap.last.value(), Removal::Lost);
            all.report.push_back({.kind = Kind::SequencesLost,
                .file = m_directory,
                .first = gap.first.value(),
                .last = gap.last.value()});
            stageRange({false, Removal::Lost, gap.first.value(), gap.last.value()}, 0);
            m_touched = true;
        } else if (gap.cause != Removal::Lost) {
            continue;
        }
        m_lost.count += gap.last - gap.first + 1U;
    }
    m_lost.bytes = all.damagedBytes;
    for (const StoredRange& range : all.again) {
        stageRange(range, 0);
        m_touched = true;
    }
    if (!m_touched)
        return;
    if (auto written = commit(); !written)
        all.report.push_back(
            {.kind = Kind::LossNotRecorded, .file = m_directory, .detail = written.error().text});
}

} // namespace jetglass::store
