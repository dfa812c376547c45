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

/// A name that nothing has yet for a store instead of \a store: the same with a number. It lies
/// beside it, or where this user's data is if nothing can be made there.
[[nodiscard]] QString freshStore(const QString& store);

} // namespace jetglass::window
