// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/request.h"

#include <QJsonDocument>

namespace jetglass::client {

void callApi(Connection& connection,
    const QString& endpoint,
    const QJsonObject& body,
    QObject* context,
    ApiHandler handler)
{
    Message m;
    m.subject = QStringLiteral("$JS.API.") + endpoint;
    if (!body.isEmpty())
        m.payload = QJsonDocument(body).toJson(QJsonDocument::Compact);
    connection.request(
        m, kApiTimeoutMs, context, [handler = std::move(handler)](const Reply& reply) {
            handler(parseApiReply(reply));
        });
}

ApiAnswer parseApiReply(const Reply& reply)
{
    ApiAnswer answer;
    if (!reply.answered()) {
        answer.error = apiErrorFromReply(reply);
        // Without JetStream nothing listens on $JS.API: say so instead of speaking of the subject.
        if (reply.outcome == Reply::Outcome::NoResponders)
            answer.error =
                ApiError{ApiError::Kind::Api, 503, 10039, QStringLiteral("JetStream not enabled")};
        return answer;
    }
    QJsonParseError parse;
    const QJsonDocument doc = QJsonDocument::fromJson(reply.message.payload, &parse);
    if (!doc.isObject()) {
        answer.error = ApiError{ApiError::Kind::Malformed, 0, 0, parse.errorString()};
        return answer;
    }
    answer.json = doc.object();
    const QJsonValue error = answer.json.value(QLatin1String("error"));
    if (error.isObject())
        answer.error = apiErrorFromJson(error.toObject());
    return answer;
}

} // namespace jetglass::client
