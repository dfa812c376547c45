// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/file_system.h"

#include <memory>

namespace jetglass::store {

/// SQLite's files through a FileSystem, so that faults, simulation and a look at a store that may
/// not be changed see its bytes too. For connections with an exclusive lock alone: there is no
/// shared memory. Other processes are kept out by the lock that SQLite itself would take.
class SqliteVfs
{
public:
    /// \a files must outlive it, and it must outlive the connections that use its name.
    explicit SqliteVfs(FileSystem& files);
    ~SqliteVfs();
    SqliteVfs(const SqliteVfs&) = delete;
    SqliteVfs& operator=(const SqliteVfs&) = delete;
    [[nodiscard]] const char* name() const; ///< for sqlite3_open_v2

private:
    struct Registered;
    std::unique_ptr<Registered> m;
};

} // namespace jetglass::store
