// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "inspect/account_folder.h"
#include "store/file_system.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace jetglass::inspect {

struct DumpWish
{
    std::string stream; ///< empty = all
    std::uint64_t block = 0; ///< 0 = all
    bool records = false; ///< each record of the blocks and of consumers.log
    bool payloads = false; ///< and what the messages hold
};

/// A line at a time, without its end.
using Line = std::function<void(std::string_view text)>;

/// Prints what the files of an account hold, byte for byte as FORMAT.md says: catalog, blocks with
/// their indexes, consumer logs. Only reads. Errors: NotFound for a stream or a block that is not
/// there.
[[nodiscard]] Result<void> dumpAccount(
    store::FileSystem& files, const AccountFolder& folder, const DumpWish& wish, const Line& line);

} // namespace jetglass::inspect
