// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/message.h"

#include <QDateTime>

namespace jetglass::client {

/// What the placeholders of one message stand for.
struct TemplateValues
{
    quint64 counter = 1; ///< {{counter}}, from 1 over the messages of one run
    QDateTime time; ///< {{time}} as RFC 3339 in UTC, {{unix_ms}} as milliseconds
    QString uuid; ///< {{uuid}}
};

/// Replaces {{counter}}, {{counter:5}} (filled with zeros), {{time}}, {{unix_ms}} and {{uuid}}.
/// Anything else in double braces stays as it is, since a payload may hold such text of its own.
[[nodiscard]] QString expandTemplate(const QString& text, const TemplateValues& values);
/// The same in subject, header values and payload.
[[nodiscard]] Message expandTemplate(const Message& message, const TemplateValues& values);
/// True if \a text has a placeholder that expandTemplate() knows.
[[nodiscard]] bool hasPlaceholder(const QString& text);

} // namespace jetglass::client
