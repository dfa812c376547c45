// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jetglass::window {

/// A process that keeps others away from a folder.
struct LockHolder
{
    qint64 pid = 0; ///< 0 = not known
    QString name; ///< of its program
};

/// Who has \a folder locked, as far as this user may see; nobody where the system does not tell.
[[nodiscard]] LockHolder lockHolder(const QString& folder);

/// A name beside \a store that nothing has yet: the same with a number.
[[nodiscard]] QString freshStoreBeside(const QString& store);

} // namespace jetglass::window
