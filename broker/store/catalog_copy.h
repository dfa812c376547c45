// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/catalog.h"
#include "store/file_system.h"
#include "store/worker.h"

#include <memory>
#include <string>
#include <vector>

namespace jetglass::store {

/// Beside its messages each stream keeps a copy of what the catalog says of it, so that a damaged
/// catalog.sqlite costs the positions of consumers, not streams:
///     streams/<STREAM>/config.json            {"name","created","config"}
///     streams/<STREAM>/consumers/<N>.json     {"number","name","created","config"}
/// "config" is the text that the catalog has, "created" is in ns. Nothing reads the copies while
/// the catalog is whole.
///
/// Passes everything on to \a catalog and writes the copies on the worker, those that are missing
/// at once.
std::unique_ptr<Catalog> keepCopies(std::unique_ptr<Catalog> catalog,
    FileSystem& files,
    Worker& worker,
    std::string streamsDirectory);

struct CopiedStream
{
    CatalogStream stream;
    std::vector<CatalogConsumer> consumers; ///< without snapshots
};

struct CatalogCopies
{
    std::vector<CopiedStream> streams;
    std::vector<std::string>
        without; ///< names of folders that have no copy, or none that can be read
};

Result<CatalogCopies> readCopies(FileSystem& files, const std::string& streamsDirectory);

} // namespace jetglass::store
