// SPDX-License-Identifier: GPL-3.0-or-later
// What recovery does about a damaged block: the file as it was is kept aside, then damaged records
// are written over by ones that say nothing, so that the next start finds nothing new.
#include "store/block_index.h"
#include "store/file_store.h"
#include "store/file_store_opened.h"
#include "store/kept_aside.h"
#include "store/record_codec.h"

#include <array>

namespace jetglass::store {

namespace {

constexpr std::size_t kSummaryRead = 4096;

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

/// What the index says of a block, whether its file is still so or not.
std::optional<BlockSummaryPart> FileStore::summaryOf(const MessageBlock& block) const
{
    const auto head = readSummary(m_files, path(block, ".idx"));
    return head ? decodeSummary(*head) : std::nullopt;
}

/// Nobody may take it for that of what the file holds now, or of a later one.
void FileStore::removeIndex(const MessageBlock& block)
{
    for (const char* ending : {".idx", ".fss"})
        if (m_files.exists(path(block, ending)))
            static_cast<void>(m_files.remove(path(block, ending)).ok());
}

/// Nothing in the file can be used: it may be anything, so it is kept under another name. What its
/// index knows of it counts.
Result<void> FileStore::setBlockAside(MessageBlock& block, std::uint64_t fileSize, Opened& all)
{
    block.file.reset();
    const std::string name = path(block, ".blk");
    if (const auto part = summaryOf(block)) {
        if (m_blocks.empty() && all.frontBase == 0)
            all.frontBase = part->base;
        all.ranges.insert(all.ranges.end(), part->ranges.begin(), part->ranges.end());
        if (part->last > all.last) {
            const std::uint64_t from = std::max(all.last + 1U, all.frontBase);
            m_gaps.add(from, part->last, Removal::None);
            for (const GapRange& gap : part->gaps)
                m_gaps.add(gap.first.value(), gap.last.value(), gap.cause);
            all.last = part->last;
        }
        all.lastTime = std::max(all.lastTime, part->lastTime);
        all.again.insert(all.again.end(), part->ranges.begin(), part->ranges.end());
        for (const GapRange& gap : part->gaps)
            all.again.push_back({false, gap.cause, gap.first.value(), gap.last.value()});
    }
    removeIndex(block);
    if (fileSize < BlockHead::kSize) {
        all.report.push_back({.kind = RecoveryFinding::Kind::UnfinishedBlockRemoved, .file = name});
        return m_files.remove(name);
    }
    const auto aside = setAside(m_files, name);
    if (!aside)
        return aside.error();
    all.report.push_back(
        {.kind = RecoveryFinding::Kind::BlockSetAside, .file = name, .aside = *aside});
    all.damagedBytes += fileSize;
    return {};
}

/// Only a torn end is cut off without being kept: nobody was told that it was stored. If the file
/// cannot be kept as it was, nothing else of it is changed.
Result<void> FileStore::mend(MessageBlock& block, const BlockScan& scan, bool newest, Opened& all)
{
    const bool torn = newest && scan.tornBytes > 0;
    const std::string name = path(block, ".blk");
    if (torn)
        all.report.push_back(
            {.kind = RecoveryFinding::Kind::TornEndCut, .file = name, .bytes = scan.tornBytes});
    const bool damaged = !scan.headGood || !scan.holes.empty() || (scan.tornBytes > 0 && !newest);
    const auto aside = damaged ? keepCopy(m_files, name) : Result<std::string>(std::string());
    const std::string kept = aside ? *aside : std::string();
    const auto report = [&](Kind kind, std::uint64_t bytes) {
        all.report.push_back({.kind = kind, .file = name, .bytes = bytes, .aside = kept});
        all.damagedBytes += bytes;
    };
    if (scan.damagedBytes > 0)
        report(RecoveryFinding::Kind::BytesDamaged, scan.damagedBytes);
    if (scan.tornBytes > 0 && !newest)
        report(RecoveryFinding::Kind::EndDamaged, scan.tornBytes);
    if (!scan.headGood)
        report(RecoveryFinding::Kind::HeadRewritten, 0);
    if (damaged && aside && block.compressed)
        if (auto raw = inflate(block); !raw)
            return raw;
    if (scan.tornBytes > 0 && (newest || aside)) {
        if (auto cut = block.file->truncate(scan.end); !cut)
            return cut;
        block.used = block.written = scan.end;
    }
    return damaged && aside ? writeMended(block, scan, all) : Result<void>();
}

Result<void> FileStore::writeMended(MessageBlock& block, const BlockScan& scan, const Opened& all)
{
    const auto write = [&block](std::size_t offset, std::size_t size) {
        const std::array<std::string_view, 1> pieces{
            std::string_view(block.bytes.data() + offset, size)};
        return block.file->write(offset, pieces);
    };
    fillHoles(block.bytes.data(), scan.holes);
    for (const BlockScan::Hole& hole : scan.holes)
        if (auto written = write(hole.offset, hole.size); !written)
            return written;
    if (scan.headGood)
        return {};
    const std::uint64_t base = scan.messages.empty() ? all.last + 1U : scan.messages.front().seq;
    encodeBlockHead(block.bytes.data(), {base, all.lastTime});
    return write(0, BlockHead::kSize);
}

} // namespace jetglass::store
