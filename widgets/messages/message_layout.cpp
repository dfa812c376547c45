// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/message_layout.h"

#include <algorithm>
#include <limits>

namespace jetglass::messages {

qint64 MessageLayout::pixelOf(quint64 position) const
{
    constexpr auto kMost = static_cast<quint64>(std::numeric_limits<qint64>::max()) / 4;
    const auto row = static_cast<quint64>(rowHeight);
    return static_cast<qint64>(position > kMost / row ? kMost : position * row);
}

int MessageLayout::yOf(quint64 position) const
{
    constexpr qint64 kFar = 1 << 24;
    return static_cast<int>(std::clamp(pixelOf(position) - top, -kFar, kFar));
}

quint64 MessageLayout::firstVisible() const
{
    const auto row = static_cast<quint64>(std::max<qint64>(top, 0) / rowHeight);
    return std::clamp(row, first, std::max(first, last));
}

quint64 MessageLayout::lastVisible() const
{
    const qint64 bottom = std::max<qint64>(top + height - 1, 0);
    return std::clamp(static_cast<quint64>(bottom / rowHeight), first, std::max(first, last));
}

quint64 MessageLayout::pageRows() const
{
    return static_cast<quint64>(std::max(1, height / rowHeight));
}

std::optional<quint64> MessageLayout::positionAt(int y) const
{
    if (isEmpty() || y < 0 || y >= height || top + y < 0) {
        return std::nullopt;
    }
    const auto position = static_cast<quint64>((top + y) / rowHeight);
    if (position < first || position > last) {
        return std::nullopt;
    }
    return position;
}

qint64 MessageLayout::lowestTop() const
{
    return pixelOf(first);
}

qint64 MessageLayout::highestTop() const
{
    return isEmpty() ? lowestTop() : std::max(lowestTop(), pixelOf(last) + rowHeight - height);
}

qint64 MessageLayout::topShowing(quint64 position) const
{
    const qint64 pixel = pixelOf(position);
    if (pixel < top) {
        return pixel;
    }
    if (pixel + rowHeight > top + height) {
        return pixel + rowHeight - height;
    }
    return top;
}

} // namespace jetglass::messages
