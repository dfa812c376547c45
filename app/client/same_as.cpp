// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as.h"

#include "client/same_as_parts.h"

namespace jetglass::client {

QString languageName(Language language)
{
    switch (language) {
    case Language::Cli:
        return QStringLiteral("nats");
    case Language::Go:
        return QStringLiteral("Go");
    case Language::JavaScript:
        return QStringLiteral("JS");
    case Language::Python:
        return QStringLiteral("Python");
    case Language::C:
        return QStringLiteral("C");
    case Language::Wire:
        return QStringLiteral("API");
    }
    return {};
}

QString sameAs(const Action& action, Language language, const QString& server, qsizetype columns)
{
    const QString url = server.isEmpty() ? QStringLiteral("nats://127.0.0.1:4222") : server;
    switch (language) {
    case Language::Cli:
        return same_as::cli(action, url, columns);
    case Language::Go:
        return same_as::go(action, url);
    case Language::JavaScript:
        return same_as::javaScript(action, url);
    case Language::Python:
        return same_as::python(action, url);
    case Language::C:
        return same_as::c(action, url);
    case Language::Wire:
        return same_as::wire(action);
    }
    return {};
}

} // namespace jetglass::client
