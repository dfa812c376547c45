// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jetglass::text {

/// Long names may be broken behind their dots, dashes and underscores, and behind every twentieth
/// letter without one; for labels that wrap, not for text that is copied.
QString breakable(const QString& text);

} // namespace jetglass::text
