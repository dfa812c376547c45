// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "faulty_file_system.h"
#include "naive_store.h"
#include "store/catalog.h"
#include "store/consumer_log.h"
#include "store/history_log.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jetglass::store {

/// One stream of the workload, as it has to come back.
struct KnownStream
{
    StreamConfig config;
    NaiveStore stored;
    std::map<std::uint64_t, NaiveStore::Stored> ever; ///< removed ones too
    std::vector<std::uint64_t> erased;
    CatalogEnd end;
};

/// An account's folder as a killed broker leaves it, with something of everything that FORMAT.md
/// has, and what is in it. The same every time.
struct Workload
{
    static constexpr const char* kDirectory = "store/$G";
    std::map<std::string, std::string> files;
    KnownStream plain; ///< many small blocks
    KnownStream compressed; ///< one sealed block of several frames, and the newest
    std::vector<std::vector<ConsumerRecord>> batches; ///< of plain's consumers.log
    std::vector<RemovalRow> removals; ///< of plain's history.log, one a batch
    std::vector<CatalogStream> streams;
    std::vector<CatalogConsumer> consumers; ///< of plain
};

[[nodiscard]] Workload makeWorkload();

} // namespace jetglass::store
