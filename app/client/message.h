// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace jetglass::client {

/// One header line. A name may occur several times; names are case sensitive, as in NATS.
struct Header
{
    QString name;
    QString value;
    bool operator==(const Header&) const = default;
};

/// A message as it goes to or comes from a server, copied out of nats.c so that it may cross
/// threads.
struct Message
{
    QString subject;
    QString reply;
    QList<Header> headers;
    QByteArray payload;
    int status =
        0; ///< status line of a header-only message (404, 408, 503 ...), 0 for a normal message
    QString statusText;

    /// First value of \a name, empty if there is none.
    [[nodiscard]] QString header(const QString& name) const;
};

} // namespace jetglass::client
