// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/request.h"

#include <optional>

namespace jetglass::client {

/// The four forms of a purge. seq and keep exclude each other; filter goes with any of them.
struct PurgeRequest
{
    quint64 seq = 0; ///< removes what is below, 0 = not given
    quint64 keep = 0; ///< keeps the newest n, 0 = not given
    QString filter;

    [[nodiscard]] QJsonObject toJson() const;
    bool operator==(const PurgeRequest&) const = default;
};

/// Streams through the JetStream API's own JSON, since nats.c 3.4 lacks the newer fields.
void createStream(Connection& c, const QJsonObject& config, QObject* context, ApiHandler handler);
void updateStream(Connection& c, const QJsonObject& config, QObject* context, ApiHandler handler);
void deleteStream(Connection& c, const QString& name, QObject* context, ApiHandler handler);
void purgeStream(Connection& c,
    const QString& name,
    const PurgeRequest& purge,
    QObject* context,
    ApiHandler handler);
void streamInfo(Connection& c, const QString& name, QObject* context, ApiHandler handler);
/// One message removed; \a erase overwrites its bytes on disk.
void deleteMessage(Connection& c,
    const QString& stream,
    quint64 seq,
    bool erase,
    QObject* context,
    ApiHandler handler);

/// All streams, page after page.
using StreamListHandler =
    std::function<void(const QList<QJsonObject>& infos, const std::optional<ApiError>& error)>;
void listStreams(Connection& c, QObject* context, StreamListHandler handler);

} // namespace jetglass::client
