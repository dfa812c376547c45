// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace jetglass::items {

/// One row of the message table.
struct MessageItem
{
    quint64 seq = 0;
    qint64 time = 0; ///< wall ns of storage
    QString subject;
    quint64 size = 0; ///< headers and payload, bytes
    bool hasHeaders = false;
    bool stored = true; ///< false: a gap, with its cause
    RemovalCause removal = RemovalCause::None;
    quint8 hue = 0; ///< 0..3
    QString note; ///< what it is besides, in a few words ("delete marker"); empty = nothing special
    QString preview; ///< first characters of the payload, one line
};

/// One message with its content, for the payload view.
struct PayloadItem
{
    quint64 seq = 0;
    QString subject;
    qint64 time = 0;
    std::vector<std::pair<QString, QString>> headers;
    QByteArray payload; ///< whole, or its first bytes
    quint64 payloadSize = 0; ///< of the whole; > payload.size() means that more can be asked for
};

} // namespace jetglass::items
