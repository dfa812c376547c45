// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/consumer_admin.h"

namespace jetglass::client {

using namespace Qt::StringLiterals;

QJsonObject consumerRequest(const QString& stream, const QJsonObject& config, ConsumerAction action)
{
    QJsonObject body{{u"stream_name"_s, stream}, {u"config"_s, config}};
    if (action == ConsumerAction::Create)
        body.insert(u"action"_s, u"create"_s);
    else if (action == ConsumerAction::Update)
        body.insert(u"action"_s, u"update"_s);
    return body;
}

QString consumerCreateEndpoint(const QString& stream, const QJsonObject& config)
{
    QString name = config.value(u"name"_s).toString();
    if (name.isEmpty())
        name = config.value(u"durable_name"_s).toString();
    const QString base = u"CONSUMER.CREATE."_s + stream;
    return name.isEmpty() ? base : QString(base + u'.' + name);
}

void createConsumer(Connection& c,
    const QString& stream,
    const QJsonObject& config,
    ConsumerAction action,
    QObject* context,
    ApiHandler handler)
{
    callApi(c,
        consumerCreateEndpoint(stream, config),
        consumerRequest(stream, config, action),
        context,
        std::move(handler));
}

void deleteConsumer(
    Connection& c, const QString& stream, const QString& name, QObject* context, ApiHandler handler)
{
    callApi(c, u"CONSUMER.DELETE."_s + stream + u'.' + name, {}, context, std::move(handler));
}

void consumerInfo(
    Connection& c, const QString& stream, const QString& name, QObject* context, ApiHandler handler)
{
    callApi(c, u"CONSUMER.INFO."_s + stream + u'.' + name, {}, context, std::move(handler));
}

void pauseConsumer(Connection& c,
    const QString& stream,
    const QString& name,
    const QString& until,
    QObject* context,
    ApiHandler handler)
{
    QJsonObject body;
    if (!until.isEmpty())
        body.insert(u"pause_until"_s, until);
    callApi(c, u"CONSUMER.PAUSE."_s + stream + u'.' + name, body, context, std::move(handler));
}

} // namespace jetglass::client
