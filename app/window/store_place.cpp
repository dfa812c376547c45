// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/store_place.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace jetglass::window {

namespace {

bool hasOpen(const QString& process, const QString& folder)
{
    const QFileInfoList open =
        QDir(process + QStringLiteral("/fd"))
            .entryInfoList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    for (const QFileInfo& one : open) {
        if (one.symLinkTarget() == folder)
            return true;
    }
    return false;
}

/// Folders that do not exist yet are made below the first one that does.
bool canHoldFolders(const QString& folder)
{
    QFileInfo there(folder);
    while (!there.exists() && !there.isRoot())
        there.setFile(there.path());
    return there.isDir() && there.isWritable();
}

} // namespace

/// The lock is held through the open folder itself, and nobody else has a reason to keep it open.
LockHolder lockHolder(const QString& folder)
{
    const QString place = QFileInfo(folder).canonicalFilePath();
    if (place.isEmpty())
        return {};
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& entry : entries) {
        bool number = false;
        const qint64 pid = entry.toLongLong(&number);
        const QString process = QStringLiteral("/proc/") + entry;
        if (!number || !hasOpen(process, place))
            continue;
        QFile name(process + QStringLiteral("/comm"));
        LockHolder holder{pid, {}};
        if (name.open(QIODevice::ReadOnly))
            holder.name = QString::fromUtf8(name.readAll()).trimmed();
        return holder;
    }
    return {};
}

QString freshStore(const QString& store)
{
    QString base = QDir::cleanPath(store);
    if (!canHoldFolders(QFileInfo(base).path()))
        base = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
    for (int n = 2;; ++n) {
        QString fresh = QStringLiteral("%1-%2").arg(base).arg(n);
        if (!QFileInfo::exists(fresh))
            return fresh;
    }
}

} // namespace jetglass::window
