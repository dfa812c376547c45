// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a stream's folder. Sealed blocks are known by their .idx and .fss; a block without them
// is read. Then the range records of all blocks are applied: whatever lies between messages and is
// in none of them was lost.
#include "store/file_store.h"
#include "store/frame_file.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace jetglass::store {

namespace {

using Kind = RecoveryFinding::Kind;

/// A hole that nothing explains yet.
constexpr Removal kUnexplained = Removal::None;
constexpr std::size_t kSummaryRead = 4096;
constexpr std::uint64_t kLargestBlock = 2ULL << 30U;

std::vector<std::uint64_t> blockNumbers(const std::vector<std::string>& names)
{
    std::vector<std::uint64_t> numbers;
    for (const std::string& name : names) {
        const std::size_t dot = name.find('.');
        if (dot == std::string::npos || name.substr(dot) != ".blk")
            continue;
        std::uint64_t number = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + dot, number);
        if (parsed.ec == std::errc() && parsed.ptr == name.data() + dot && number > 0)
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::optional<std::string> readSummary(FileSystem& files, const std::string& path)
{
    const auto file = files.open(path, FileSystem::Mode::Read);
    if (!file)
        return std::nullopt;
    std::string head(kSummaryRead, '\0');
    auto got = (*file)->read(0, head.data(), head.size());
    if (!got)
        return std::nullopt;
    head.resize(*got);
    if (const auto size = summarySize(head); size && *size > head.size() && *size < kLargestBlock) {
        head.resize(*size);
        got = (*file)->read(0, head.data(), head.size());
        if (!got)
            return std::nullopt;
        head.resize(*got);
    }
    return head;
}

} // namespace

struct FileStore::Opened
{
    RecoveryReport& report;
    std::vector<StoredRange> ranges; ///< of all blocks, oldest first
    std::vector<BlockPtr> toIndex; ///< sealed blocks that had to be read
    std::vector<SubjectTable::Id> ids; ///< of the block before
    std::uint64_t last = 0;
    std::uint64_t firstSeq = 0;
    std::uint64_t frontBase = 0; ///< nothing below was in the files that are there
    std::int64_t lastTime = 0;
    std::uint64_t damagedBytes = 0;
};

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
    m_firstNumber = m_nextNumber = std::max(newest, m_end.known.block) + 1U;
    m_recovering = true;
    const std::size_t reported = report.size();
    Opened all{report, {}, {}, {}, 0, 0, 0, 0, 0};
    for (const std::uint64_t number : numbers)
        if (auto opened = openBlock(number, number == newest, all); !opened)
            return opened;
    if (m_cut) {
        // All of it is looked at again without what was taken back, which alone is told of so far.
        report.erase(report.begin() + static_cast<std::ptrdiff_t>(reported), report.end() - 1);
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
    for (const BlockPtr& block : all.toIndex) {
        if (block->live > 0)
            writeIndex(*block);
        m_cache.use(*block);
    }
    std::vector<BlockPtr> dropped;
    m_emptied = false;
    settle(dropped);
    m_emptied = true;
    m_recovering = false;
    reportLost(all);
    rememberEnd();
    return {};
}

/// The newest block cannot be missed from its own folder: only what was remembered of it says that
/// it was there.
void FileStore::reportMissing(std::uint64_t newest, Opened& all) const
{
    const CatalogEnd& known = m_end.known;
    if (m_blocks.empty() && known.block > 0)
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
        return setAside(*block, BlockHead::kSize, all);
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
    const auto head = readSummary(m_files, path(*block, ".idx"));
    if (!head)
        return false;
    const auto part = decodeSummary(*head);
    const auto size = part ? sizeBeforeCompression(*block, part->used) : std::nullopt;
    if (part && !size)
        return false; // it will be said when it is read
    const auto subjectBytes = readFile(m_files, path(*block, ".fss"));
    const auto subjects = subjectBytes ? decodeSubjects(*subjectBytes) : std::nullopt;
    if (!part || !subjects || !fitTogether(*part, *subjects) || part->used != size
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
    if (m_blocks.empty())
        all.frontBase = block->base;
    else if (all.last + 1U < block->base)
        m_gaps.add(all.last + 1U, block->base - 1U, kUnexplained);
    all.last = std::max(all.last, block->last);
    m_state.messages += block->live;
    m_state.bytes += block->liveBytes;
    m_blocks.push_back(block);
}

Result<void> FileStore::openByScan(
    const BlockPtr& block, std::uint64_t fileSize, bool newest, Opened& all)
{
    if (fileSize > kLargestBlock)
        return setAside(*block, fileSize, all);
    block->bytes = Buffer(m_pool, std::max<std::uint64_t>(fileSize, BlockHead::kSize));
    auto got = block->file->read(0, block->bytes.data(), fileSize);
    if (!got)
        return got.error();
    const BlockScan scan = scanBlock({block->bytes.data(), *got});
    if (newest && !m_blocks.empty() && scan.end <= BlockHead::kSize) {
        const auto cut = endsInBatch(*m_blocks.back());
        if (!cut)
            return cut.error();
        if (*cut)
            return removeUnfinished(*block, all.report);
    }
    if (block->compressed && !scan.headGood)
        if (auto raw = inflate(*block); !raw)
            return raw;
    if (!scan.headGood && scan.messages.empty() && scan.ranges.empty())
        return setAside(*block, fileSize, all);
    if (newest && scan.together && !scan.together->whole)
        return cutUnfinished(*block, *scan.together, all.report);
    if (auto done = reportDamage(*block, scan, newest, all); !done)
        return done;
    block->used = block->written = newest ? scan.end : static_cast<std::uint32_t>(fileSize);
    fillFromScan(*block, scan, all);
    block->ranges = scan.ranges;
    block->newestOldTarget = newestOldTarget(block->ranges, block->base);
    all.ranges.insert(all.ranges.end(), scan.ranges.begin(), scan.ranges.end());
    all.firstSeq = std::max(all.firstSeq, scan.firstSeq);
    all.lastTime = scan.lastTime;
    const bool front = m_blocks.empty();
    addBlock(block, all);
    // The head says where the block begins: if its first messages are missing, they were here once.
    if (front && scan.headGood && scan.base < block->base) {
        all.frontBase = scan.base;
        m_gaps.add(scan.base, block->base - 1U, kUnexplained);
    }
    if (scan.firstSeq > 0)
        all.last = std::max(all.last, scan.firstSeq - 1U);
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

/// Nothing in the file can be used: it may be anything, so it is kept under another name.
Result<void> FileStore::setAside(MessageBlock& block, std::uint64_t fileSize, Opened& all)
{
    block.file.reset();
    const std::string name = path(block, ".blk");
    if (fileSize < BlockHead::kSize) {
        all.report.push_back({.kind = Kind::UnfinishedBlockRemoved, .file = name});
        return m_files.remove(name);
    }
    all.report.push_back({.kind = Kind::BlockSetAside, .file = name, .aside = name + ".damaged"});
    all.damagedBytes += fileSize;
    return m_files.rename(name, name + ".damaged");
}

Result<void> FileStore::reportDamage(
    MessageBlock& block, const BlockScan& scan, bool newest, Opened& all)
{
    const std::string name = path(block, ".blk");
    all.damagedBytes += scan.damagedBytes;
    if (scan.damagedBytes > 0)
        all.report.push_back(
            {.kind = Kind::BytesDamaged, .file = name, .bytes = scan.damagedBytes});
    if (scan.tornBytes > 0) {
        all.report.push_back({.kind = newest ? Kind::TornEndCut : Kind::EndDamaged,
            .file = name,
            .bytes = scan.tornBytes});
        if (!newest)
            all.damagedBytes += scan.tornBytes;
        else if (auto cut = block.file->truncate(scan.end); !cut)
            return cut;
    }
    if (scan.headGood)
        return {};
    all.report.push_back({.kind = Kind::HeadRewritten, .file = name});
    const std::uint64_t base = scan.messages.empty() ? all.last + 1U : scan.messages.front().seq;
    encodeBlockHead(block.bytes.data(), {base, all.lastTime});
    const std::array<std::string_view, 1> pieces{
        std::string_view(block.bytes.data(), BlockHead::kSize)};
    return block.file->write(0, pieces);
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
    if (!m_touched)
        return;
    if (auto written = commit(); !written)
        all.report.push_back(
            {.kind = Kind::LossNotRecorded, .file = m_directory, .detail = written.error().text});
}

} // namespace jetglass::store
