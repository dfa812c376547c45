// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_source.h"
#include "lanes/lane_layout.h"

#include <QString>

namespace jetglass::lanes {

/// What a place in the lane view says in words: for tooltips and for screen readers. \a rich adds
/// line breaks and a bold first line.
[[nodiscard]] QString cellWords(const items::LaneSource& source, int lane, quint64 seq, bool rich);
[[nodiscard]] QString headerWords(const items::LaneSource& source, int lane);
/// What a column stands for when a pixel is many sequences; empty if \a seq is not in the strip.
[[nodiscard]] QString densityWords(
    const items::LaneSource& source, const items::DensityStrip& strip, int lane, quint64 seq);
/// One line about the whole view.
[[nodiscard]] QString overviewWords(const items::LaneSource& source, quint64 first, quint64 last);

} // namespace jetglass::lanes
