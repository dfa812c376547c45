// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace jetglass::client {

/// Non-empty tokens, no white space; a wildcard is a token that is exactly * or >, and > only at
/// the end.
[[nodiscard]] bool isValidSubject(const QString& subject);
[[nodiscard]] bool hasWildcard(const QString& subject);
/// True if the literal \a subject is covered by \a pattern.
[[nodiscard]] bool subjectMatches(const QString& pattern, const QString& subject);
/// True if some literal subject is covered by both.
[[nodiscard]] bool subjectsCollide(const QString& a, const QString& b);

} // namespace jetglass::client
