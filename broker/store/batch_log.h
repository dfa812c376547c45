// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "store/file_system.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// What consumers.log and history.log have in common: a head, then batches, each with a checksum
/// and readable without the others. See FORMAT.md.
inline constexpr std::size_t kBatchLogHead = 16;
inline constexpr std::size_t kBatchHead = 8; ///< size of the body, number of records
inline constexpr std::size_t kBatchChecksum = 8;

struct Batch
{
    std::uint64_t offset = 0;
    std::size_t size = 0; ///< with head and checksum
    std::uint32_t records = 0;
    [[nodiscard]] std::string_view body(std::string_view log) const
    {
        return log.substr(offset + kBatchHead, size - kBatchHead - kBatchChecksum);
    }
};

struct BatchScan
{
    bool headGood = false;
    std::vector<Batch> batches; ///< the whole ones
    std::uint64_t damagedBytes = 0; ///< of batches that had been written
    std::uint64_t end = 0; ///< behind the last batch, whole or damaged
    std::uint64_t tornBytes = 0; ///< behind that: of a write that was under way
};

[[nodiscard]] std::string batchLogHead(std::string_view magic);
/// Leaves room for a batch's head in front of its body.
inline void beginBatch(std::string& to)
{
    to.assign(kBatchHead, '\0');
}
void endBatch(std::string& batch, std::size_t records);
[[nodiscard]] BatchScan scanBatches(std::string_view bytes, std::string_view magic);

/// A log as it was found, made whole again: a torn end is cut off; damaged batches are taken out,
/// the file as it was being kept aside. What cannot be mended now stays, and is skipped by who
/// reads.
struct RecoveredLog
{
    std::unique_ptr<File> file; ///< null: there is none that could be gone on with
    std::string bytes;
    BatchScan scan; ///< of the bytes
};
/// \a torn and \a foreign are what is reported of a torn end, and of a file of which nothing can be
/// used, which is set aside.
[[nodiscard]] Result<RecoveredLog> recoverBatchLog(FileSystem& files,
    const std::string& path,
    std::string_view magic,
    RecoveryFinding::Kind torn,
    RecoveryFinding::Kind foreign,
    RecoveryReport& report);

} // namespace jetglass::store
