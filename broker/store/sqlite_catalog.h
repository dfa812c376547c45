// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/catalog.h"
#include "store/file_system.h"
#include "store/worker.h"

#include <memory>

namespace jetglass::store {

/// catalog.sqlite. Writes that wait together go out in one transaction.
/// Errors of opening, with the file's name: Corrupt if it is damaged, Unsupported if it is a
/// database of another program or of a later one.
Result<std::unique_ptr<Catalog>> openSqliteCatalog(
    FileSystem& files, Worker& worker, const std::string& path, bool syncAlways);

} // namespace jetglass::store
