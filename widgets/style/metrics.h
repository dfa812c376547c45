// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace jetglass::style {

/// Sizes that follow the font, measured once per font change.
struct Metrics
{
    QFont body;
    QFont strong; ///< names
    QFont small; ///< second-rank lines and axis labels
    QFont smallStrong;
    QFont mono;
    int line = 0; ///< height of a body line
    int smallLine = 0;
    int smallDigit = 0; ///< width of a digit
    int gap = 0; ///< between things that belong together
    int pad = 0; ///< around groups

    [[nodiscard]] static Metrics of(const QFont& font);
};

/// Size of a font in pixels, whether it was set in points or in pixels.
[[nodiscard]] qreal pixelSize(const QFont& font);
/// The platform's fixed-width font in the size of \a font.
[[nodiscard]] QFont fixedFont(const QFont& font);

} // namespace jetglass::style
