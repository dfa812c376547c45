// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/stream_admin.h"

#include <QJsonArray>

#include <memory>

namespace jetglass::client {
namespace {

using namespace Qt::StringLiterals;

struct ListWalk
{
    Connection* connection;
    QPointer<QObject> context;
    StreamListHandler handler;
    QList<QJsonObject> infos;
};

void nextPage(const std::shared_ptr<ListWalk>& walk)
{
    const QJsonObject body{{u"offset"_s, walk->infos.size()}};
    callApi(
        *walk->connection, u"STREAM.LIST"_s, body, walk->context, [walk](const ApiAnswer& answer) {
            if (!answer.ok())
                return walk->handler(walk->infos, answer.error);
            const QJsonArray page = answer.json.value(u"streams"_s).toArray();
            for (const QJsonValueConstRef v : page)
                walk->infos.append(v.toObject());
            if (page.isEmpty() || walk->infos.size() >= answer.json.value(u"total"_s).toInteger())
                return walk->handler(walk->infos, std::nullopt);
            nextPage(walk);
        });
}

} // namespace

QJsonObject PurgeRequest::toJson() const
{
    QJsonObject o;
    if (seq > 0)
        o.insert(u"seq"_s, static_cast<qint64>(seq));
    if (keep > 0)
        o.insert(u"keep"_s, static_cast<qint64>(keep));
    if (!filter.isEmpty())
        o.insert(u"filter"_s, filter);
    return o;
}

void createStream(Connection& c, const QJsonObject& config, QObject* context, ApiHandler handler)
{
    callApi(c,
        u"STREAM.CREATE."_s + config.value(u"name"_s).toString(),
        config,
        context,
        std::move(handler));
}

void updateStream(Connection& c, const QJsonObject& config, QObject* context, ApiHandler handler)
{
    callApi(c,
        u"STREAM.UPDATE."_s + config.value(u"name"_s).toString(),
        config,
        context,
        std::move(handler));
}

void deleteStream(Connection& c, const QString& name, QObject* context, ApiHandler handler)
{
    callApi(c, u"STREAM.DELETE."_s + name, {}, context, std::move(handler));
}

void purgeStream(Connection& c,
    const QString& name,
    const PurgeRequest& purge,
    QObject* context,
    ApiHandler handler)
{
    callApi(c, u"STREAM.PURGE."_s + name, purge.toJson(), context, std::move(handler));
}

void streamInfo(Connection& c, const QString& name, QObject* context, ApiHandler handler)
{
    callApi(c, u"STREAM.INFO."_s + name, {}, context, std::move(handler));
}

void deleteMessage(Connection& c,
    const QString& stream,
    quint64 seq,
    bool erase,
    QObject* context,
    ApiHandler handler)
{
    QJsonObject body{{u"seq"_s, static_cast<qint64>(seq)}};
    if (!erase)
        body.insert(u"no_erase"_s, true);
    callApi(c, u"STREAM.MSG.DELETE."_s + stream, body, context, std::move(handler));
}

void listStreams(Connection& c, QObject* context, StreamListHandler handler)
{
    nextPage(std::make_shared<ListWalk>(ListWalk{&c, context, std::move(handler), {}}));
}

} // namespace jetglass::client
