// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace jetglass::payload {

/// Sixteen bytes a line: offset, hex in two groups of eight, printable ASCII.
[[nodiscard]] QString hexText(const QByteArray& bytes);
/// Whether the bytes are UTF-8 text that a reader can make something of. \a cut allows a half
/// character at the end.
[[nodiscard]] bool isText(const QByteArray& bytes, bool cut);

} // namespace jetglass::payload
