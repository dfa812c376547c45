// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/config_field.h"

#include <QList>
#include <QPalette>

namespace jetglass::forms {

/// One member that an edit would change, as the form writes it.
struct ConfigChange
{
    QString key;
    QString before; ///< empty = the default
    QString after;
    bool operator==(const ConfigChange&) const = default;
};

/// What \a after changes in \a before, in the order of the form. Absent and the default count as
/// equal.
[[nodiscard]] QList<ConfigChange> configDiff(
    std::span<const FieldGroup> groups, const QJsonObject& before, const QJsonObject& after);
/// The same as rich text, one line a change.
[[nodiscard]] QString diffText(const QList<ConfigChange>& changes, const QPalette& palette);

} // namespace jetglass::forms
