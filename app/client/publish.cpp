// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/publish.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace jetglass::client {

PubAck parsePubAck(const Reply& reply)
{
    PubAck ack;
    ack.roundTripUs = reply.roundTripUs;
    if (!reply.answered()) {
        ack.error = apiErrorFromReply(reply);
        return ack;
    }
    QJsonParseError parse;
    const QJsonObject o = QJsonDocument::fromJson(reply.message.payload, &parse).object();
    if (o.value(QLatin1String("error")).isObject()) {
        ack.error = apiErrorFromJson(o.value(QLatin1String("error")).toObject());
        ack.stream = o.value(QLatin1String("stream")).toString();
        return ack;
    }
    if (!o.contains(QLatin1String("stream"))) {
        // A client answered, not a stream: a subscriber on this subject took the request for its
        // own.
        ack.error = ApiError{
            ApiError::Kind::Malformed, 0, 0, QString::fromUtf8(reply.message.payload.left(80))};
        return ack;
    }
    ack.stream = o.value(QLatin1String("stream")).toString();
    ack.seq = static_cast<quint64>(o.value(QLatin1String("seq")).toInteger());
    ack.duplicate = o.value(QLatin1String("duplicate")).toBool();
    ack.counterValue = o.value(QLatin1String("val")).toString();
    return ack;
}

void publishAcked(Connection& connection,
    const Message& message,
    int timeoutMs,
    QObject* context,
    PubAckHandler handler)
{
    connection.request(
        message, timeoutMs, context, [handler = std::move(handler)](const Reply& reply) {
            handler(parsePubAck(reply));
        });
}

} // namespace jetglass::client
