// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace jetglass::forms {

/// Bytes: "1 GiB", "512k", "1.5 MB", "1000". Binary prefixes with i (KiB = 1024), decimal ones
/// without (KB = 1000); a single letter is binary, as in the nats CLI. No text, "unlimited" and
/// "-1" give -1. Absent if it cannot be read.
[[nodiscard]] std::optional<qint64> parseSize(const QString& text);
/// Shortest text that parseSize() reads back exactly.
[[nodiscard]] QString sizeText(qint64 bytes);

/// Nanoseconds: "24h", "1m30s", "500ms", "1.5h", "2d", "1w", "1 h 30 min". A bare number is
/// seconds. Empty is 0.
[[nodiscard]] std::optional<qint64> parseDuration(const QString& text);
/// Shortest text that parseDuration() reads back exactly.
[[nodiscard]] QString durationText(qint64 ns);

/// A count: digits, with blanks, _ or ' between them, and k, M, G as thousands. No text,
/// "unlimited" and "-1" give -1.
[[nodiscard]] std::optional<qint64> parseCount(const QString& text);

} // namespace jetglass::forms
