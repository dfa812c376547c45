// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "store/file_system.h"

#include <string>
#include <vector>

namespace jetglass::inspect {

/// One account's part of a store directory.
struct AccountFolder
{
    std::string account; ///< its name, decoded from the folder's
    std::string parent; ///< folder that holds those of all accounts
    std::string path;
};

/// The accounts in what a person may mean by "the store": the store_dir of a configuration, the
/// jetstream folder in it, or the folder of one account. Errors: NotFound, with what was expected.
[[nodiscard]] Result<std::vector<AccountFolder>> findAccounts(
    store::FileSystem& files, const std::string& directory);

} // namespace jetglass::inspect
