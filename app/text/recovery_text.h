// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"

#include <QString>

namespace jetglass::text {

/// In the reader's language. What the system or SQLite said stays as it is.
[[nodiscard]] QString recoveryText(const RecoveryFinding& finding);

/// In few words where it was: the file, with the folders that tell it from others, else the stream.
[[nodiscard]] QString recoveryPlace(const RecoveryFinding& finding);

} // namespace jetglass::text
