// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>

namespace jetglass::window {

/// An icon of the resources in the palette's own text colour, so that it fits light and dark.
QIcon icon(const QString& name, const QPalette& palette);

} // namespace jetglass::window
