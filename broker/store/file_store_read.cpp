// SPDX-License-Identifier: GPL-3.0-or-later
// Reading sealed blocks: their index when somebody searches, single records at random, the whole in
// a row.
#include "store/file_store.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <algorithm>

namespace jetglass::store {

namespace {

/// So many records of a block are read one by one; whoever reads more of it probably wants all.
constexpr std::uint32_t kSingleReads = 16;

} // namespace

std::vector<SubjectTable::Id> FileStore::numbersOf(const std::vector<StoredSubject>& stored) const
{
    std::vector<std::string_view> names;
    names.reserve(stored.size());
    for (const StoredSubject& s : stored)
        names.push_back(s.name);
    std::vector<SubjectTable::Id> ids(stored.size());
    m_subjects.findMany(names, ids);
    return ids;
}

bool FileStore::ensureIndex(MessageBlock& block)
{
    if (block.indexLoaded) {
        if (block.cachedBytes != 0)
            m_cache.use(block);
        return true;
    }
    const bool whole = readIndex(block);
    // What the start has counted by the summary of a damaged index is not in the block any more if
    // it was overwritten since: the start counts again without that index.
    if (!whole && m_recovering) {
        if (!m_cut) {
            m_cutIndex = path(block, ".idx");
            m_cut = m_files.exists(m_cutIndex) && m_files.remove(m_cutIndex).ok();
        }
        if (m_cut)
            return false;
    }
    if (!whole && !rebuildIndex(block))
        return false;
    applyGaps(block);
    block.indexLoaded = true;
    if (!whole && block.live > 0)
        writeIndex(block);
    m_cache.use(block);
    return true;
}

/// .fss alone says enough as long as every message of the block that it counts is still there.
bool FileStore::ensureSubjects(MessageBlock& block)
{
    if (block.indexLoaded)
        return ensureIndex(block);
    const auto bytes = readFile(m_files, path(block, ".fss"));
    const auto stored = bytes ? decodeSubjects(*bytes) : std::nullopt;
    if (!stored)
        return ensureIndex(block);
    std::uint64_t total = 0;
    block.subjects.clear();
    block.subjects.reserve(stored->size());
    const std::vector<SubjectTable::Id> ids = numbersOf(*stored);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] == SubjectTable::kNone)
            return ensureIndex(block);
        total += (*stored)[i].totals.count;
        block.subjects.push_back((*stored)[i].totals);
        block.subjects.back().id = ids[i];
    }
    return total == block.live || ensureIndex(block);
}

bool FileStore::readIndex(MessageBlock& block)
{
    const auto index = readFile(m_files, path(block, ".idx"));
    const auto subjectBytes = readFile(m_files, path(block, ".fss"));
    if (!index || !subjectBytes)
        return false;
    const auto summary = decodeSummary(*index);
    const auto stored = decodeSubjects(*subjectBytes);
    if (!summary || !stored || !fitTogether(*summary, *subjectBytes, *stored)
        || summary->used != block.used || summary->base != block.base
        || !decodeSlots(*index, stored->size(), block.slots))
        return false;
    const std::vector<SubjectTable::Id> ids = numbersOf(*stored);
    block.subjects.clear();
    block.subjects.reserve(stored->size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] == SubjectTable::kNone)
            continue; // all its messages have left since
        block.subjects.push_back((*stored)[i].totals);
        block.subjects.back().id = ids[i];
    }
    for (Slot& slot : block.slots)
        slot.subject = ids[slot.subject];
    block.seal();
    return true;
}

bool FileStore::rebuildIndex(MessageBlock& block)
{
    if (!openFile(block))
        return false;
    const auto bytes = readAll(*block.file);
    if (!bytes)
        return false;
    const BlockScan scan = scanBlock(*bytes);
    block.slots.clear();
    for (const BlockScan::Message& m : scan.messages) {
        const SubjectTable::Id id = m_subjects.find(m.subject);
        const auto delta = static_cast<std::uint32_t>(m.seq - block.base);
        block.slots.push_back({m.time, delta, m.offset, id, m.size});
    }
    block.listSubjects();
    block.mayHaveHeaders = scan.headers;
    block.ranges = scan.ranges;
    return true;
}

/// The files tell what was there when the block was sealed; the gaps tell what is there now.
void FileStore::applyGaps(MessageBlock& block)
{
    for (const GapRange& gap : m_gaps.ranges(block.base, block.last)) {
        for (std::size_t i = block.lowerSlot(gap.first.value()); i < block.slots.size(); ++i) {
            Slot& slot = block.slots[i];
            if (block.base + slot.delta > gap.last.value())
                break;
            if (!slot.live())
                continue;
            if (BlockSubject* s = block.findSubject(slot.subject, m_subjects))
                --s->count;
            slot.subject = SubjectTable::kNone;
        }
    }
}

bool FileStore::loadBytes(MessageBlock& block)
{
    if (!openFile(block))
        return false;
    Buffer bytes(m_pool, block.used);
    const auto got = block.file->read(0, bytes.data(), block.used);
    if (!got || *got != block.used)
        return false;
    block.bytes = std::move(bytes);
    block.singleReads = 0;
    return true;
}

const char* FileStore::readRecord(MessageBlock& block, const Slot& slot)
{
    if (!openFile(block))
        return nullptr;
    // Up to the next record that is still known; between them may be removed ones and ranges.
    const std::size_t i = static_cast<std::size_t>(&slot - block.slots.data());
    std::size_t end = i + 1U < block.slots.size() ? block.slots[i + 1U].offset : block.used;
    end = std::min<std::size_t>(end, slot.offset + slot.size + 64U);
    m_scratch.resize(end - slot.offset);
    const auto got = block.file->read(slot.offset, m_scratch.data(), m_scratch.size());
    if (!got || *got != m_scratch.size())
        return nullptr;
    return m_scratch.data();
}

FileStore::RecordBytes FileStore::record(MessageBlock& block, const Slot& slot, std::uint64_t seq)
{
    if (!block.sealed || block.written != block.used)
        return {block.bytes.data() + slot.offset, false, Removal::None};
    const char* bytes = nullptr;
    std::size_t size = 0;
    if (!block.bytes && block.singleReads < kSingleReads) {
        ++block.singleReads;
        bytes = readRecord(block, slot);
        size = m_scratch.size();
    } else if (block.bytes || loadBytes(block)) {
        m_cache.use(block);
        m_cache.viewed(block);
        bytes = block.bytes.data() + slot.offset;
        size = block.used - slot.offset;
    }
    if (!bytes)
        return {};
    const auto r = decodeRecord({bytes, size}, true);
    const bool good = r && r->kind == RecordKind::Message && r->seq == seq;
    if (good && r->cause != Removal::None)
        return {nullptr, false, r->cause};
    return {good ? bytes : nullptr, !good, Removal::None};
}

} // namespace jetglass::store
