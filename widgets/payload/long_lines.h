// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jetglass::payload {

/// Longest line that the editor gets: laying out a line takes time that grows with the square of
/// its length, and a payload without line breaks would freeze the window.
inline constexpr qsizetype kLongestLine = 1000;

/// Breaks longer lines, for display only. Never between the halves of a surrogate pair. \a broken
/// says whether any was.
[[nodiscard]] QString breakLongLines(const QString& text, bool& broken);

} // namespace jetglass::payload
