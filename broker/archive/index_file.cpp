// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/index_file.h"

#include "archive/digest.h"
#include "archive/seven_bits.h"

namespace jetglass::archive {

namespace {

constexpr std::size_t kShortestIndex = 32;
constexpr std::size_t kIndexHash = 8;
constexpr unsigned char kIndexMagic = 11;
constexpr int kNewest = 4; ///< version; from 4 on every subject names its last block
constexpr int kWithTtls = 2;
constexpr int kWithSchedules = 3;
constexpr char kSetMagic = 22;

std::uint64_t indexNumber(std::string_view in, unsigned bytes)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes && i < in.size(); ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(in[i])) << (8U * i);
    return value;
}

/// A set of sequences: nodes of a base and so many words of bits, in the order of a tree.
bool readSet(SevenBitReader& in, std::vector<std::uint64_t>& to)
{
    const std::string_view head = in.text(10);
    if (!in.good() || head[0] != kSetMagic || (head[1] != 1 && head[1] != 2))
        return false;
    const std::size_t words = head[1] == 1 ? 64 : 32;
    const std::uint64_t nodes = indexNumber(head.substr(2), 4);
    for (std::uint64_t node = 0; node < nodes; ++node) {
        const std::string_view bytes = in.text(8 + words * 8 + 2);
        if (!in.good())
            return false;
        const std::uint64_t base = indexNumber(bytes, 8);
        for (std::size_t word = 0; word < words; ++word) {
            const std::uint64_t bits = indexNumber(bytes.substr(8 + word * 8), 8);
            for (unsigned bit = 0; bit < 64 && bits >> bit != 0; ++bit)
                if ((bits >> bit & 1U) != 0)
                    to.push_back(base + word * 64 + bit);
        }
    }
    return true;
}

void skipSubjects(SevenBitReader& in, int version)
{
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        const std::uint64_t size = in.number();
        if (size == 0)
            continue;
        in.text(size);
        const std::uint64_t total = in.number();
        in.number();
        if (total > 1 || version >= 4)
            in.number();
    }
}

bool readBlocks(SevenBitReader& in, int version, IndexFile& index)
{
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        in.number(); // indexNumber of the block
        in.number(); // bytes
        in.number(); // first
        in.signedNumber();
        in.number(); // last
        in.signedNumber();
        const std::uint64_t deleted = in.number();
        if (version >= kWithTtls)
            in.number();
        if (version >= kWithSchedules)
            in.number();
        if (deleted > 0 && !readSet(in, index.deleted))
            return false;
    }
    return in.good();
}

} // namespace

std::optional<IndexFile> decodeIndexFile(std::string_view bytes, std::string_view stream)
{
    if (bytes.size() < kShortestIndex)
        return {};
    const std::string_view hash = bytes.substr(bytes.size() - kIndexHash);
    bytes.remove_suffix(kIndexHash);
    if (NamedHash(stream).of(bytes) != indexNumber(hash, kIndexHash))
        return {};
    const int version = static_cast<unsigned char>(bytes[1]);
    if (static_cast<unsigned char>(bytes[0]) != kIndexMagic || version < 1 || version > kNewest)
        return {};
    SevenBitReader in(bytes.substr(2));
    IndexFile index;
    in.number(); // messages
    in.number(); // bytes
    index.firstSeq = in.number();
    in.signedNumber();
    index.lastSeq = in.number();
    in.signedNumber();
    skipSubjects(in, version);
    if (!in.good() || !readBlocks(in, version, index))
        return {};
    return index;
}

} // namespace jetglass::archive
