// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/batch_log.h"

#include "store/endian.h"
#include "store/kept_aside.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace jetglass::store {

namespace {

constexpr std::uint32_t kBatchLogVersion = 1;
constexpr std::size_t kLeastBatch = kBatchHead + kBatchChecksum + 1U;

/// Size of a batch that stands at the start of \a bytes, by what it says of itself; nothing if
/// there is not so much.
std::optional<std::size_t> claimedBatch(std::string_view bytes)
{
    if (bytes.size() < kLeastBatch)
        return std::nullopt;
    const std::size_t body = loadNumber<std::uint32_t>(bytes.data());
    const std::size_t records = loadNumber<std::uint32_t>(bytes.data() + 4);
    // A record has at least two bytes: so most places where none begins are known at once.
    if (body > bytes.size() - kBatchHead - kBatchChecksum || records == 0 || records > body)
        return std::nullopt;
    return kBatchHead + body + kBatchChecksum;
}

std::optional<Batch> wholeBatch(std::string_view all, std::size_t at)
{
    const std::string_view bytes = all.substr(at);
    const auto size = claimedBatch(bytes);
    if (!size
        || checksumOf(bytes.substr(0, *size - kBatchChecksum))
            != loadNumber<std::uint64_t>(bytes.data() + *size - kBatchChecksum))
        return std::nullopt;
    return Batch{at, *size, loadNumber<std::uint32_t>(bytes.data() + 4)};
}

/// Where the next whole batch begins behind a damaged one; the size of \a all if there is none.
std::size_t nextBatch(std::string_view all, std::size_t at)
{
    // Mostly it is where the damaged one says.
    if (const auto claimed = claimedBatch(all.substr(at));
        claimed && wholeBatch(all, at + *claimed))
        return at + *claimed;
    for (++at; at + kLeastBatch <= all.size(); ++at)
        if (wholeBatch(all, at))
            return at;
    return all.size();
}

/// Behind the last whole batch: whether what is there was written to its end, and damaged then.
/// What a torn write leaves claims more than there is, or was never filled.
bool endIsDamaged(std::string_view rest)
{
    if (rest.size() < kLeastBatch || rest.find_first_not_of('\0') == std::string_view::npos)
        return false;
    if (const auto claimed = claimedBatch(rest))
        return rest.substr(*claimed - kBatchChecksum).find_first_not_of('\0')
            != std::string_view::npos;
    // Its head may be what is damaged. With the size that would fit, is it whole?
    std::string mended(rest);
    storeNumber(
        mended.data(), static_cast<std::uint32_t>(rest.size() - kBatchHead - kBatchChecksum));
    return wholeBatch(mended, 0).has_value()
        || loadNumber<std::uint32_t>(rest.data()) <= rest.size() - kBatchHead - kBatchChecksum;
}

} // namespace

std::string batchLogHead(std::string_view magic)
{
    std::string head(kBatchLogHead, '\0');
    magic.copy(head.data(), magic.size());
    storeNumber(head.data() + magic.size(), kBatchLogVersion);
    return head;
}

void endBatch(std::string& batch, std::size_t records)
{
    storeNumber(batch.data(), static_cast<std::uint32_t>(batch.size() - kBatchHead));
    storeNumber(batch.data() + 4, static_cast<std::uint32_t>(records));
    const std::uint64_t sum = checksumOf(batch);
    batch.resize(batch.size() + kBatchChecksum);
    storeNumber(batch.data() + batch.size() - kBatchChecksum, sum);
}

BatchScan scanBatches(std::string_view bytes, std::string_view magic)
{
    BatchScan scan;
    scan.headGood = bytes.substr(0, kBatchLogHead) == batchLogHead(magic);
    std::size_t at = std::min(kBatchLogHead, bytes.size());
    scan.end = at;
    while (at < bytes.size()) {
        if (const auto batch = wholeBatch(bytes, at)) {
            scan.batches.push_back(*batch);
            at += batch->size;
            scan.end = at;
            continue;
        }
        const std::size_t next = nextBatch(bytes, at);
        if (next < bytes.size() || endIsDamaged(bytes.substr(at))) {
            scan.damagedBytes += next - at;
            scan.end = next;
        } else {
            scan.tornBytes = next - at;
        }
        at = next;
    }
    return scan;
}

Result<RecoveredLog> recoverBatchLog(FileSystem& files,
    const std::string& path,
    std::string_view magic,
    RecoveryFinding::Kind torn,
    RecoveryFinding::Kind foreign,
    RecoveryReport& report)
{
    using Kind = RecoveryFinding::Kind;
    auto file = files.open(path, FileSystem::Mode::ReadWrite);
    if (!file)
        return file.error();
    auto bytes = readAll(**file);
    if (!bytes)
        return bytes.error();
    RecoveredLog log{std::move(*file), std::move(*bytes), {}};
    log.scan = scanBatches(log.bytes, magic);
    if (!log.scan.headGood && log.scan.batches.empty()) {
        log.file.reset();
        if (log.bytes.size() < kBatchLogHead)
            return log; // never finished: whoever writes first begins it anew
        const auto aside = setAside(files, path);
        if (!aside)
            return aside.error();
        report.push_back(
            {.kind = foreign, .file = path, .bytes = log.bytes.size(), .aside = *aside});
        return log;
    }
    if (log.scan.tornBytes > 0)
        report.push_back({.kind = torn, .file = path, .bytes = log.scan.tornBytes});
    if (log.scan.headGood && log.scan.damagedBytes == 0) {
        if (log.scan.tornBytes > 0)
            if (auto cut = log.file->truncate(log.scan.end); !cut)
                return cut.error();
        return log;
    }
    const auto aside = keepCopy(files, path);
    const std::string kept = aside ? *aside : std::string();
    if (!log.scan.headGood)
        report.push_back({.kind = Kind::HeadRewritten, .file = path, .aside = kept});
    if (log.scan.damagedBytes > 0)
        report.push_back({.kind = Kind::BytesDamaged,
            .file = path,
            .bytes = log.scan.damagedBytes,
            .aside = kept});
    std::string mended = batchLogHead(magic);
    for (const Batch& batch : log.scan.batches)
        mended.append(log.bytes, batch.offset, batch.size);
    if (!aside || !replaceFile(files, path, mended, Durable::Yes))
        return log;
    auto again = files.open(path, FileSystem::Mode::ReadWrite);
    if (!again)
        return again.error();
    log.file = std::move(*again);
    log.bytes = std::move(mended);
    log.scan = scanBatches(log.bytes, magic);
    return log;
}

} // namespace jetglass::store
