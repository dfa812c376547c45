// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_index.h"

#include "store/endian.h"
#include "store/record_codec.h"
#include "store/varint.h"

#include <algorithm>
#include <unordered_map>

namespace jetglass::store {

namespace {

constexpr std::string_view kIndexMagic = "JGBLKIDX";
constexpr std::string_view kSubjectMagic = "JGBLKFSS";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kChecksum = 8;
constexpr std::size_t kSubjectHead = 16;
/// Flags of a summary.
constexpr std::uint64_t kHeaders = 1;

void putHead(std::string& to, std::string_view magic, std::size_t size)
{
    to.assign(size, '\0');
    magic.copy(to.data(), magic.size());
    storeNumber(to.data() + 8, kVersion);
}

bool hasHead(std::string_view bytes, std::string_view magic, std::size_t size)
{
    return bytes.size() >= size && bytes.substr(0, magic.size()) == magic
        && loadNumber<std::uint32_t>(bytes.data() + 8) == kVersion;
}

void putChecksum(std::string& to, std::size_t from)
{
    const std::uint64_t sum = checksumOf(std::string_view(to).substr(from));
    to.resize(to.size() + kChecksum);
    storeNumber(to.data() + to.size() - kChecksum, sum);
}

bool checksumHolds(std::string_view bytes)
{
    if (bytes.size() < kChecksum)
        return false;
    const auto sum = loadNumber<std::uint64_t>(bytes.data() + bytes.size() - kChecksum);
    return checksumOf(bytes.substr(0, bytes.size() - kChecksum)) == sum;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b)
{
    return a - b;
}

/// What a file ends with.
std::string_view sumOf(std::string_view bytes)
{
    return bytes.substr(bytes.size() - std::min(bytes.size(), kChecksum));
}

void putSummary(std::string& to,
    const MessageBlock& block,
    const std::vector<GapRange>& gaps,
    std::string_view subjects)
{
    putVarint(to, block.base);
    putVarint(to, block.last + 1U - block.base);
    putSigned(to, block.lastTime);
    putVarint(to, block.live);
    putVarint(to, block.liveBytes);
    putVarint(to, block.used);
    putVarint(to, block.ranges.size());
    for (const StoredRange& r : block.ranges) {
        putVarint(to, (static_cast<std::uint64_t>(r.cause) << 1U) | (r.skipped ? 1U : 0U));
        putSigned(to, static_cast<std::int64_t>(difference(r.first, block.base)));
        putVarint(to, r.last - r.first);
    }
    putVarint(to, gaps.size());
    for (const GapRange& g : gaps) {
        putVarint(to, static_cast<std::uint64_t>(g.cause));
        putVarint(to, g.first.value() - block.base);
        putVarint(to, g.last - g.first);
    }
    putVarint(to, block.mayHaveHeaders ? kHeaders : 0);
    to += sumOf(subjects);
}

void putSlots(std::string& to, const MessageBlock& block)
{
    std::unordered_map<SubjectTable::Id, std::uint32_t> position;
    position.reserve(block.subjects.size());
    for (const BlockSubject& s : block.subjects)
        position.emplace(s.id, static_cast<std::uint32_t>(position.size()));
    putVarint(to, block.live);
    Slot before;
    for (const Slot& slot : block.slots) {
        if (!slot.live())
            continue;
        putVarint(to, slot.delta - before.delta);
        putVarint(to, slot.offset - before.offset);
        putSigned(to, slot.time - before.time);
        putVarint(to, slot.size);
        putVarint(to, position[slot.subject]);
        before = slot;
    }
}

Removal causeFrom(std::uint64_t number)
{
    return static_cast<Removal>(std::min(number, static_cast<std::uint64_t>(Removal::Unknown)));
}

} // namespace

void encodeBlockHead(char* to, const BlockHead& head)
{
    kBlockMagic.copy(to, kBlockMagic.size());
    storeNumber(to + 8, kVersion);
    storeNumber(to + 12, std::uint32_t{0});
    storeNumber(to + 16, head.base);
    storeNumber(to + 24, head.timeBefore);
    storeNumber(to + 32, checksumOf({to, 32}));
}

std::optional<BlockHead> decodeBlockHead(std::string_view bytes)
{
    if (!hasHead(bytes, kBlockMagic, BlockHead::kSize)
        || !checksumHolds(bytes.substr(0, BlockHead::kSize)))
        return std::nullopt;
    return BlockHead{
        loadNumber<std::uint64_t>(bytes.data() + 16), loadNumber<std::int64_t>(bytes.data() + 24)};
}

std::string encodeIndex(
    const MessageBlock& block, const std::vector<GapRange>& gaps, std::string_view subjects)
{
    std::string out;
    out.reserve(64 + block.slots.size() * 10U);
    putHead(out, kIndexMagic, kIndexHead);
    putSummary(out, block, gaps, subjects);
    storeNumber(out.data() + 12, static_cast<std::uint32_t>(out.size() + kChecksum));
    putChecksum(out, 0);
    const std::size_t slotsAt = out.size();
    putSlots(out, block);
    putChecksum(out, slotsAt);
    return out;
}

std::string encodeSubjects(const MessageBlock& block, const SubjectTable& table)
{
    // What the block knows of a subject's first and last message are bounds; the file gets what is
    // true.
    std::unordered_map<SubjectTable::Id, std::pair<std::uint32_t, std::uint32_t>> spans;
    spans.reserve(block.subjects.size());
    for (const Slot& slot : block.slots)
        if (slot.live())
            spans.try_emplace(slot.subject, slot.delta, slot.delta).first->second.second =
                slot.delta;
    std::string out;
    putHead(out, kSubjectMagic, kSubjectHead);
    storeNumber(out.data() + 12, static_cast<std::uint32_t>(block.subjects.size()));
    for (const BlockSubject& s : block.subjects) {
        const auto span = spans[s.id];
        const std::string_view name = table.name(s.id);
        putVarint(out, name.size());
        out.append(name);
        putVarint(out, span.first);
        putVarint(out, span.second - span.first);
        putVarint(out, s.count);
    }
    putChecksum(out, 0);
    return out;
}

std::optional<std::size_t> summarySize(std::string_view head)
{
    if (!hasHead(head, kIndexMagic, kIndexHead))
        return std::nullopt;
    return loadNumber<std::uint32_t>(head.data() + 12);
}

std::optional<BlockSummaryPart> decodeSummary(std::string_view index)
{
    const auto size = summarySize(index);
    if (!size || *size < kIndexHead + kChecksum || *size > index.size()
        || !checksumHolds(index.substr(0, *size)))
        return std::nullopt;
    VarintReader in(index.substr(kIndexHead, *size - kIndexHead - kChecksum));
    BlockSummaryPart part;
    part.base = in.number();
    part.last = part.base + in.number() - 1U;
    part.lastTime = in.signedNumber();
    part.live = in.number();
    part.liveBytes = in.number();
    part.used = static_cast<std::uint32_t>(in.number());
    for (std::uint64_t n = in.number(); n > 0 && in.good(); --n) {
        StoredRange r;
        const std::uint64_t kind = in.number();
        r.skipped = (kind & 1U) != 0;
        r.cause = causeFrom(kind >> 1U);
        r.first = part.base + static_cast<std::uint64_t>(in.signedNumber());
        r.last = r.first + in.number();
        part.ranges.push_back(r);
    }
    for (std::uint64_t n = in.number(); n > 0 && in.good(); --n) {
        GapRange g;
        g.cause = causeFrom(in.number());
        g.first = StreamSeq(part.base + in.number());
        g.last = g.first + in.number();
        part.gaps.push_back(g);
    }
    // Earlier versions did not say.
    part.mayHaveHeaders = in.atEnd() || (in.number() & kHeaders) != 0;
    if (!in.atEnd())
        part.subjectsSum = in.text(kChecksum);
    return in.good() ? std::optional(std::move(part)) : std::nullopt;
}

std::optional<std::vector<StoredSubject>> decodeSubjects(std::string_view bytes)
{
    if (!hasHead(bytes, kSubjectMagic, kSubjectHead) || !checksumHolds(bytes))
        return std::nullopt;
    const auto count = loadNumber<std::uint32_t>(bytes.data() + 12);
    VarintReader in(bytes.substr(kSubjectHead, bytes.size() - kSubjectHead - kChecksum));
    std::vector<StoredSubject> subjects;
    subjects.reserve(std::min<std::size_t>(count, bytes.size()));
    for (std::uint32_t i = 0; i < count && in.good(); ++i) {
        StoredSubject s;
        s.name = in.text(in.number());
        s.totals.firstDelta = static_cast<std::uint32_t>(in.number());
        s.totals.lastDelta = s.totals.firstDelta + static_cast<std::uint32_t>(in.number());
        s.totals.count = static_cast<std::uint32_t>(in.number());
        subjects.push_back(s);
    }
    return in.good() ? std::optional(std::move(subjects)) : std::nullopt;
}

bool fitTogether(const BlockSummaryPart& summary,
    std::string_view bytes,
    const std::vector<StoredSubject>& subjects)
{
    if (summary.subjectsSum && *summary.subjectsSum != sumOf(bytes))
        return false;
    std::uint64_t total = 0;
    for (const StoredSubject& subject : subjects)
        total += subject.totals.count;
    return total == summary.live;
}

bool decodeSlots(std::string_view index, std::size_t subjectCount, std::vector<Slot>& slots)
{
    const auto size = summarySize(index);
    if (!size || *size > index.size() || !checksumHolds(index.substr(*size)))
        return false;
    VarintReader in(index.substr(*size, index.size() - *size - kChecksum));
    const std::uint64_t count = in.number();
    if (count > index.size())
        return false;
    slots.clear();
    slots.reserve(count);
    Slot slot;
    for (std::uint64_t i = 0; i < count && in.good(); ++i) {
        slot.delta += static_cast<std::uint32_t>(in.number());
        slot.offset += static_cast<std::uint32_t>(in.number());
        slot.time += in.signedNumber();
        slot.size = static_cast<std::uint32_t>(in.number());
        slot.subject = static_cast<std::uint32_t>(in.number());
        if (slot.subject >= subjectCount)
            return false;
        slots.push_back(slot);
    }
    return in.good();
}

} // namespace jetglass::store
