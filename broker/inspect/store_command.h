// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::inspect {

/// Where a command writes: whole lines, with their end.
struct Output
{
    std::function<void(std::string_view)> out;
    std::function<void(std::string_view)> error;
    bool progress = false; ///< a person watches the error output
};

/// "store check DIR [--repair] ..." and "store dump DIR ...": \a arguments come behind "store".
/// Gives the exit code: 0 all is whole, or repaired; 1 it could not be done, the error output says
/// why; 2 the check found something.
int runStoreCommand(const std::vector<std::string>& arguments, const Output& output);

} // namespace jetglass::inspect
