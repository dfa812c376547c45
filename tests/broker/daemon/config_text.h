// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/config_file.h"

#include <QByteArray>

#include <string>
#include <vector>

namespace jetglass::tests {

/// A configuration file with this text.
inline daemon::LoadedConfig load(const QByteArray& text)
{
    return daemon::loadConfigText(text.toStdString(), "t.conf");
}

/// Errors and warnings, a line each.
inline QByteArray joined(const std::vector<std::string>& lines)
{
    QByteArray text;
    for (const std::string& line : lines)
        text += QByteArray::fromStdString(line) + '\n';
    return text;
}

} // namespace jetglass::tests
