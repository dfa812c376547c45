// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace jetglass::items {

/// Roles that the delegates read from item models, beside Qt's own.
enum Role : int
{
    BadgeTextRole = Qt::UserRole + 0x100, ///< QString: pill at the right end, empty = none
    BadgeToneRole, ///< int of items::Tone: its colour
    DetailRole, ///< QString: muted words before the pill, such as "55 · 9.8 KB"
};

} // namespace jetglass::items
