// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QPixmap>

#include <cstdlib>

namespace jetglass::tests {

/// What a widget paints, at one device pixel per pixel.
inline QImage picture(QWidget& widget)
{
    return widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Of a scroll area only its viewport, so that coordinates are those of its layout.
inline QImage picture(QAbstractScrollArea& area)
{
    return area.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Pixels whose channels each differ by at most \a delta.
inline int countNear(const QImage& image, const QColor& color, int delta)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            const bool near = std::abs(qRed(pixel) - color.red()) <= delta
                && std::abs(qGreen(pixel) - color.green()) <= delta
                && std::abs(qBlue(pixel) - color.blue()) <= delta;
            count += near ? 1 : 0;
        }
    }
    return count;
}

inline int countColor(const QImage& image, const QColor& color)
{
    return countNear(image, color, 0);
}

} // namespace jetglass::tests
