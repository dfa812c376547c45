// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "broker/result.h"
#include "inspect/account_folder.h"
#include "inspect/block_check.h"
#include "store/file_system.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jetglass::inspect {

/// One file stream: what is in its files, and what a start would make of them.
struct StreamCheck
{
    std::string name;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0; ///< as counted for max_bytes
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t consumers = 0;
    std::uint64_t consumerRecords = 0; ///< in consumers.log, since the last snapshots
    std::uint64_t removals = 0; ///< rows of history.log
    std::vector<BlockCheck> blocks;
    std::string error; ///< why it cannot be opened; empty = it can
};

struct AccountCheck
{
    AccountFolder folder;
    bool inUse = false; ///< a broker runs on it: what it writes at the moment may look unfinished
    std::uint64_t memoryStreams = 0; ///< streams of the catalog that have no files
    std::vector<StreamCheck> streams;
    RecoveryReport findings; ///< what a start finds and does, or has found and done
    std::string error; ///< why nothing of it can be opened

    [[nodiscard]] bool whole() const;
};

/// Called with each block that is read.
using Progress = std::function<void(const std::string& stream, std::size_t block, std::size_t of)>;

/// Reads every byte and opens everything as a start of the broker would, on a copy in memory of
/// what that would change: the directory stays as it is.
[[nodiscard]] AccountCheck checkAccount(
    store::FileSystem& files, const AccountFolder& folder, const Progress& progress);

/// The same for good: a start reads the damaged blocks anew and mends them as FORMAT.md says.
/// Errors: InUse while a broker runs on it; Io, NoSpace.
[[nodiscard]] Result<AccountCheck> repairAccount(
    store::FileSystem& files, const AccountFolder& folder, const Progress& progress);

} // namespace jetglass::inspect
