// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "store/catalog.h"
#include "store/file_system.h"
#include "store/worker.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jetglass::store {

/// Beside its messages each stream keeps a copy of what the catalog says of it, so that a damaged
/// catalog.sqlite costs the positions of consumers, not streams:
///     streams/<STREAM>/config.json            {"name","created","config"}
///     streams/<STREAM>/consumers/<N>.json     {"number","name","created","config"}
/// "config" is the text that the catalog has, "created" is in ns. Nothing comes back from the
/// copies of a stream that the catalog has.
///
/// Passes everything on to \a catalog and writes the copies on the worker: when the catalog has
/// the change, and those that are missing at once. Consumers that only a copy knows go to
/// \a report when those of their stream are loaded; it must live as long as the result.
std::unique_ptr<Catalog> keepCopies(std::unique_ptr<Catalog> catalog,
    FileSystem& files,
    Worker& worker,
    std::string streamsDirectory,
    RecoveryReport& report);

struct CopiedStream
{
    CatalogStream stream;
    std::vector<CatalogConsumer> consumers; ///< without snapshots
};

struct CatalogCopies
{
    std::vector<CopiedStream> streams;
    std::vector<std::string>
        without; ///< names of folders with messages and no copy, or none that can be read
};

/// Stands in the folder of a stream that is not in the catalog yet.
inline constexpr const char* kUnfinished = "/unfinished";

/// The copies of all streams that outlive a broker, but for the \a known ones. What was never
/// finished does not count.
Result<CatalogCopies> readCopies(
    FileSystem& files, const std::string& streamsDirectory, const std::set<std::string>& known);
/// The copy in a stream's folder, wherever that lies now.
std::optional<CatalogStream> readStreamCopy(FileSystem& files, const std::string& folder);

} // namespace jetglass::store
