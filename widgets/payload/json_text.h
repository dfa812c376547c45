// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace jetglass::payload {

struct JsonProblem
{
    QString what;
    qsizetype offset = 0;
};

/// Indents JSON and changes nothing else: order of keys, form of numbers and escapes stay as they
/// were sent (a parsed document would sort keys and round numbers). Nothing if it is not valid;
/// then \a problem says why.
[[nodiscard]] std::optional<QString> prettyJson(
    const QByteArray& text, JsonProblem* problem = nullptr);

} // namespace jetglass::payload
