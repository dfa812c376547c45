// SPDX-License-Identifier: GPL-3.0-or-later
// A file in frames: head, frames one behind the other, a table of where they are. If the table is
// damaged the frames are found by going through them; of a damaged frame zeros are read, which are
// no record.
#include "store/frame_file.h"

#include "store/block_index.h"
#include "store/endian.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <lz4.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace jetglass::store {

namespace {

constexpr std::string_view kMagic = "JGFRAMES";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHead = 32; ///< magic, version, size of the block, 8 bytes 0, checksum
constexpr std::size_t kFrameHead = 16; ///< stored size, size before, offset before, 4 bytes 0
constexpr std::size_t kChecksum = 8;
constexpr std::size_t kTableEntry = 8; ///< offset before, offset in the file
constexpr std::size_t kWorth = 8; ///< less than an eighth is not worth reading frames for
constexpr std::size_t kTableEnd = 16; ///< number of entries, 4 bytes 0, checksum of the table

struct Frame
{
    std::uint32_t raw = 0; ///< offset in the block
    std::uint32_t at = 0; ///< offset in the file
    std::uint32_t size = 0; ///< in the block
};

template<class Number>
void put(std::string& to, Number number)
{
    const std::size_t at = to.size();
    to.resize(at + sizeof number);
    storeNumber(to.data() + at, number);
}

void putChecksum(std::string& to, std::size_t from)
{
    put(to, checksumOf(std::string_view(to).substr(from)));
}

/// Where the frames of a block end: after the head and whole records, each of them before its
/// kFrameBytes are full or right after. Damaged bytes are cut anywhere.
std::vector<std::uint32_t> frameEnds(std::string_view block)
{
    std::vector<std::uint32_t> ends;
    std::size_t begin = 0;
    std::size_t at = std::min(BlockHead::kSize, block.size());
    while (at < block.size()) {
        const auto record = decodeRecord(block.substr(at), false);
        at += record ? record->size : std::min<std::size_t>(8, block.size() - at);
        if (at - begin >= kFrameBytes) {
            ends.push_back(static_cast<std::uint32_t>(at));
            begin = at;
        }
    }
    if (begin < block.size())
        ends.push_back(static_cast<std::uint32_t>(block.size()));
    return ends;
}

void appendFrame(std::string& to, std::string_view raw, std::uint32_t offset)
{
    const std::size_t at = to.size();
    to.resize(at + kFrameHead + raw.size());
    const int stored = LZ4_compress_default(raw.data(),
        to.data() + at + kFrameHead,
        static_cast<int>(raw.size()),
        static_cast<int>(raw.size()) - 1);
    std::size_t size = static_cast<std::size_t>(stored);
    if (stored <= 0) { // it does not get smaller: as it is, which the sizes tell
        size = raw.size();
        std::memcpy(to.data() + at + kFrameHead, raw.data(), size);
    }
    storeNumber(to.data() + at, static_cast<std::uint32_t>(size));
    storeNumber(to.data() + at + 4, static_cast<std::uint32_t>(raw.size()));
    storeNumber(to.data() + at + 8, offset);
    storeNumber(to.data() + at + 12, std::uint32_t{0});
    to.resize(at + kFrameHead + size);
    putChecksum(to, at);
}

class FrameFile final : public File
{
public:
    FrameFile(
        std::unique_ptr<File> file, std::uint64_t size, std::vector<Frame> frames, std::string path)
        : m_file(std::move(file))
        , m_size(size)
        , m_frames(std::move(frames))
        , m_path(std::move(path))
    {
    }

    Result<void> write(std::uint64_t, std::span<const std::string_view>) override
    {
        return refuse();
    }
    Result<void> truncate(std::uint64_t) override { return refuse(); }
    Result<std::uint64_t> size() const override { return m_size; }
    Result<void> syncData() override { return m_file->syncData(); }
    Result<void> startWriteBack(std::uint64_t, std::uint64_t) override { return {}; }
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override;

private:
    [[nodiscard]] Result<void> refuse() const
    {
        return Error{
            Errc::Unsupported, m_path + ": a compressed block is not changed in place", 0, 0};
    }
    Result<void> load(const Frame& frame, char* into) const;

    std::unique_ptr<File> m_file;
    std::uint64_t m_size;
    std::vector<Frame> m_frames; ///< ascending, without holes but for damage
    std::string m_path;
    mutable std::string m_stored; ///< of the frame that is being read
    mutable std::string m_last; ///< the frame that was read last
    mutable std::size_t m_lastFrame = ~std::size_t{0};
};

/// Zeros if it is damaged. Errors of reading only.
Result<void> FrameFile::load(const Frame& frame, char* into) const
{
    std::memset(into, 0, frame.size);
    std::array<char, kFrameHead> head{};
    auto got = m_file->read(frame.at, head.data(), head.size());
    if (!got)
        return got.error();
    const std::size_t stored = loadNumber<std::uint32_t>(head.data());
    const std::size_t raw = loadNumber<std::uint32_t>(head.data() + 4);
    if (*got != head.size() || raw != frame.size || stored > raw)
        return {};
    m_stored.resize(kFrameHead + stored + kChecksum);
    got = m_file->read(frame.at, m_stored.data(), m_stored.size());
    if (!got)
        return got.error();
    const std::string_view whole = m_stored;
    if (*got != whole.size()
        || checksumOf(whole.substr(0, kFrameHead + stored))
            != loadNumber<std::uint64_t>(whole.data() + kFrameHead + stored))
        return {};
    if (stored == raw) {
        std::memcpy(into, whole.data() + kFrameHead, raw);
        return {};
    }
    if (LZ4_decompress_safe(
            whole.data() + kFrameHead, into, static_cast<int>(stored), static_cast<int>(raw))
        != static_cast<int>(raw))
        std::memset(into, 0, raw);
    return {};
}

Result<std::size_t> FrameFile::read(std::uint64_t offset, char* into, std::size_t size) const
{
    if (offset >= m_size)
        return std::size_t{0};
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_size - offset));
    std::memset(into, 0, size);
    const std::uint64_t end = offset + size;
    auto frame = std::upper_bound(
        m_frames.begin(), m_frames.end(), offset, [](std::uint64_t at, const Frame& f) {
            return at < f.raw;
        });
    if (frame != m_frames.begin())
        --frame;
    for (; frame != m_frames.end() && frame->raw < end; ++frame) {
        const std::uint64_t from = std::max<std::uint64_t>(offset, frame->raw);
        const std::uint64_t to = std::min<std::uint64_t>(end, frame->raw + frame->size);
        if (from >= to)
            continue;
        if (to - from == frame->size) {
            if (auto loaded = load(*frame, into + (from - offset)); !loaded)
                return loaded.error();
            continue;
        }
        const auto number = static_cast<std::size_t>(frame - m_frames.begin());
        if (number != m_lastFrame) {
            m_last.resize(frame->size);
            m_lastFrame = ~std::size_t{0};
            if (auto loaded = load(*frame, m_last.data()); !loaded)
                return loaded.error();
            m_lastFrame = number;
        }
        std::memcpy(into + (from - offset), m_last.data() + (from - frame->raw), to - from);
    }
    return size;
}

/// From the end of the file.
std::optional<std::vector<Frame>> readTable(
    const File& file, std::uint64_t stored, std::uint64_t size)
{
    std::array<char, kTableEnd> end{};
    if (stored < kHead + kTableEnd)
        return std::nullopt;
    auto got = file.read(stored - kTableEnd, end.data(), end.size());
    const std::uint64_t count = loadNumber<std::uint32_t>(end.data());
    if (!got || *got != end.size() || count == 0
        || count * kTableEntry + kTableEnd > stored - kHead)
        return std::nullopt;
    std::string table(count * kTableEntry + kTableEnd, '\0');
    got = file.read(stored - table.size(), table.data(), table.size());
    if (!got || *got != table.size()
        || checksumOf(std::string_view(table).substr(0, table.size() - kChecksum))
            != loadNumber<std::uint64_t>(table.data() + table.size() - kChecksum))
        return std::nullopt;
    std::vector<Frame> frames(count);
    for (std::size_t i = 0; i < count; ++i) {
        frames[i].raw = loadNumber<std::uint32_t>(table.data() + i * kTableEntry);
        frames[i].at = loadNumber<std::uint32_t>(table.data() + i * kTableEntry + 4);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t next = i + 1U < count ? frames[i + 1U].raw : size;
        if (next <= frames[i].raw)
            return std::nullopt;
        frames[i].size = static_cast<std::uint32_t>(next - frames[i].raw);
    }
    return frames;
}

/// The frames that are whole, found by looking at every byte.
std::vector<Frame> searchFrames(const File& file, std::uint64_t stored, std::uint64_t size)
{
    std::vector<Frame> frames;
    std::string bytes(stored, '\0');
    const auto got = file.read(0, bytes.data(), bytes.size());
    if (!got)
        return frames;
    bytes.resize(*got);
    std::size_t at = kHead;
    while (at + kFrameHead + kChecksum <= bytes.size()) {
        const char* p = bytes.data() + at;
        const std::size_t length = loadNumber<std::uint32_t>(p);
        const auto raw = loadNumber<std::uint32_t>(p + 4);
        const auto offset = loadNumber<std::uint32_t>(p + 8);
        const bool fits = length > 0 && length <= raw
            && length + kFrameHead + kChecksum <= bytes.size() - at
            && std::uint64_t{offset} + raw <= size
            && (frames.empty() || offset >= frames.back().raw + frames.back().size);
        if (fits
            && checksumOf({p, kFrameHead + length})
                == loadNumber<std::uint64_t>(p + kFrameHead + length)) {
            frames.push_back({offset, static_cast<std::uint32_t>(at), raw});
            at += kFrameHead + length + kChecksum;
        } else {
            ++at;
        }
    }
    return frames;
}

} // namespace

std::string compressBlock(std::string_view block)
{
    std::string out(kMagic);
    put(out, kVersion);
    put(out, static_cast<std::uint32_t>(block.size()));
    put(out, std::uint64_t{0});
    putChecksum(out, 0);
    std::string table;
    std::uint32_t begin = 0;
    const std::size_t most = block.size() - block.size() / kWorth;
    for (const std::uint32_t end : frameEnds(block)) {
        put(table, begin);
        put(table, static_cast<std::uint32_t>(out.size()));
        appendFrame(out, block.substr(begin, end - begin), begin);
        begin = end;
        if (out.size() + table.size() + kTableEnd > most)
            return {};
    }
    const auto count = static_cast<std::uint32_t>(table.size() / kTableEntry);
    put(table, count);
    put(table, std::uint32_t{0});
    putChecksum(table, 0);
    out += table;
    return out;
}

Result<BlockFile> openBlockFile(FileSystem& files, const std::string& path, FileSystem::Mode mode)
{
    auto file = files.open(path, mode);
    if (!file)
        return file.error();
    const auto stored = (*file)->size();
    if (!stored)
        return stored.error();
    BlockFile result{std::move(*file), false, *stored};
    std::array<char, kHead> head{};
    const auto got = result.file->read(0, head.data(), head.size());
    if (!got)
        return got.error();
    const std::string_view bytes(head.data(), *got);
    // A raw block has no such table; frames whose first bytes are damaged still have theirs.
    if (!bytes.starts_with(kMagic)
        && (bytes.starts_with(kBlockMagic) || !readTable(*result.file, *stored, ~std::uint64_t{0})))
        return result;
    const bool whole = bytes.size() == kHead
        && loadNumber<std::uint32_t>(bytes.data() + 8) == kVersion
        && checksumOf(bytes.substr(0, kHead - kChecksum))
            == loadNumber<std::uint64_t>(bytes.data() + kHead - kChecksum);
    std::uint64_t size = whole ? loadNumber<std::uint32_t>(bytes.data() + 12) : 0;
    auto frames = whole ? readTable(*result.file, *stored, size) : std::nullopt;
    if (!frames) {
        // Without the head it is at least what the last frame says.
        const std::uint64_t most = whole ? size : std::numeric_limits<std::uint32_t>::max();
        frames = searchFrames(*result.file, *stored, most);
        if (frames->empty())
            return Error{Errc::Corrupt, path + ": no frame of the compressed block is whole", 0, 0};
        if (!whole)
            size = frames->back().raw + std::uint64_t{frames->back().size};
    }
    result.compressed = true;
    result.file =
        std::make_unique<FrameFile>(std::move(result.file), size, std::move(*frames), path);
    return result;
}

Result<std::string> readBlock(FileSystem& files, const std::string& path)
{
    const auto opened = openBlockFile(files, path, FileSystem::Mode::Read);
    return opened ? readAll(*opened->file) : Result<std::string>(opened.error());
}

} // namespace jetglass::store
