// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace jetglass::client::same_as {
namespace {

using namespace Qt::StringLiterals;

QString program(const QString& url, const QString& body)
{
    const bool headers = body.contains(u"headers()"_s);
    const bool js = body.contains(u"js."_s);
    const bool jsm = body.contains(u"jsm."_s);
    QString text = u"import { connect%1 } from \"@nats-io/transport-node\";\n"_s.arg(
        headers ? u", headers"_s : QString());
    if (js || jsm) {
        QStringList names;
        if (js)
            names.append(u"jetstream"_s);
        if (jsm)
            names.append(u"jetstreamManager"_s);
        text += u"import { %1 } from \"@nats-io/jetstream\";\n"_s.arg(names.join(u", "_s));
    }
    text += u"\nconst nc = await connect({ servers: %1 });\n"_s.arg(quoted(url));
    if (js)
        text += u"const js = jetstream(nc);\n"_s;
    if (jsm)
        text += u"const jsm = await jetstreamManager(nc);\n"_s;
    return text + u'\n' + body + u"\nawait nc.drain();\n"_s;
}

/// The client takes the API's own names and nanoseconds.
QString literal(const QJsonObject& o)
{
    return QString::fromUtf8(QJsonDocument(o).toJson(QJsonDocument::Indented))
        .trimmed()
        .replace(u"    "_s, u"  "_s);
}

QString inLine(const QJsonObject& o)
{
    return QString::fromUtf8(QJsonDocument(o).toJson(QJsonDocument::Compact));
}

struct ToJavaScript
{
    QString operator()(const PublishAction& a) const
    {
        const bool many = a.count > 1;
        const Message m = many ? a.message : firstMessage(a.message);
        const auto text = [&](const QString& s) {
            return many ? counted(s, u" + "_s, u"n"_s) : quoted(s);
        };
        QString body;
        QString options;
        if (!m.headers.isEmpty()) {
            body = u"const h = headers();\n"_s;
            for (const Header& h : m.headers)
                body += u"h.append(%1, %2);\n"_s.arg(quoted(h.name), text(h.value));
            options = u", { headers: h }"_s;
        }
        const QString args =
            text(m.subject) + u", "_s + text(QString::fromUtf8(m.payload)) + options;
        if (a.acked)
            body +=
                u"const ack = await js.publish(%1);\nconsole.log(ack.stream, ack.seq, ack.duplicate);\n"_s
                    .arg(args);
        else
            body += u"nc.publish(%1);\n"_s.arg(args);
        if (!many)
            return body;
        if (a.perSecond > 0)
            body +=
                u"await new Promise((next) => setTimeout(next, %1));\n"_s.arg(pauseMs(a.perSecond));
        return u"for (let n = 1; n <= %1; n++) {\n"_s.arg(a.count) + indented(body, u"  "_s)
            + u"}\n"_s;
    }
    QString operator()(const StreamAction& a) const
    {
        QJsonObject config = chosen(a.config);
        if (!a.update)
            return u"await jsm.streams.add(%1);\n"_s.arg(literal(config));
        const QString name = config.take(u"name"_s).toString();
        // The client's update() lays these over the stored configuration; the API replaces all of
        // it.
        return u"const answer = await nc.request(%1, JSON.stringify(%2));\nconsole.log(answer.string());\n"_s
            .arg(quoted(u"$JS.API.STREAM.UPDATE."_s + name), literal(chosen(a.config)));
    }
    QString operator()(const StreamDeleteAction& a) const
    {
        return u"await jsm.streams.delete(%1);\n"_s.arg(quoted(a.stream));
    }
    QString operator()(const PurgeAction& a) const
    {
        const QJsonObject o = a.purge.toJson();
        const QString options = o.isEmpty() ? QString() : QString(u", "_s + inLine(o));
        return u"const { purged } = await jsm.streams.purge(%1%2);\nconsole.log(purged);\n"_s.arg(
            quoted(a.stream), options);
    }
    QString operator()(const ConsumerAddAction& a) const
    {
        const QJsonObject config = chosenConsumer(a.config);
        if (a.update) {
            const ApiRequest r = *apiRequest(a);
            return u"const answer = await nc.request(%1, JSON.stringify(%2));\nconsole.log(answer.string());\n"_s
                .arg(quoted(r.subject), literal(r.body));
        }
        return u"await jsm.consumers.add(%1, %2);\n"_s.arg(quoted(a.stream), literal(config));
    }
    QString operator()(const ConsumerDeleteAction& a) const
    {
        return u"await jsm.consumers.delete(%1, %2);\n"_s.arg(quoted(a.stream), quoted(a.consumer));
    }
    static QString consumer(const QString& stream, const QString& name)
    {
        return u"const consumer = await js.consumers.get(%1, %2);\n"_s.arg(
            quoted(stream), quoted(name));
    }
    QString operator()(const FetchAction& a) const
    {
        // The client waits at least a second; it has no request that does not wait at all.
        const qint64 expires =
            a.request.noWait ? 1000 : std::max<qint64>(1000, a.request.expires.count());
        return consumer(a.request.stream, a.request.consumer)
            + u"const messages = await consumer.fetch({ max_messages: %1, expires: %2 });\n"_s
                  .arg(a.request.batch)
                  .arg(expires)
            + u"for await (const m of messages) {\n"
              u"  console.log(m.seq, m.info.deliveryCount, m.subject, m.string());\n"
              u"  // answer with m.ack(), m.nak(), m.working() or m.term()\n"
              u"}\n"_s;
    }
    QString operator()(const AckAction& a) const
    {
        QString call;
        switch (a.kind) {
        case AckKind::Ack:
            call = u"await m.ackAck()"_s;
            break;
        case AckKind::Nak:
            call = u"m.nak()"_s;
            break;
        case AckKind::NakDelay:
            call = u"m.nak(%1)"_s.arg(a.delay.count() / 1000000);
            break;
        case AckKind::InProgress:
            call = u"m.working()"_s;
            break;
        case AckKind::Term:
            call = u"m.term()"_s;
            break;
        }
        return consumer(a.stream, a.consumer)
            + u"const m = await consumer.next();\nif (m) {\n  %1;\n}\n"_s.arg(call);
    }
    QString operator()(const ReplayAction& a) const
    {
        const QString target = a.fixedSubject.isEmpty()
            ? QString(quoted(a.prefix + u'.') + u" + old.subject"_s)
            : quoted(a.fixedSubject);
        QString loop =
            u"const old = await jsm.streams.getMessage(%1, { seq });\nif (!old) continue;\n"_s.arg(
                quoted(a.stream));
        if (a.speed > 0) {
            loop += u"if (before) await new Promise((next) => setTimeout(next, (old.time - before) "
                    u"/ %1));\n"
                    u"before = old.time;\n"_s.arg(a.speed);
        }
        loop += u"const h = headers();\nfor (const name of old.header?.keys() ?? []) {\n"_s;
        if (!a.keepIds)
            loop +=
                u"  if (name === \"Nats-Msg-Id\" || name.startsWith(\"Nats-Expected-\")) continue;\n"_s;
        loop += u"  for (const value of old.header.values(name)) h.append(name, value);\n}\n"_s;
        loop += u"%1(%2, old.data, { headers: h });\n"_s.arg(
            a.stored ? u"await js.publish"_s : u"nc.publish"_s, target);
        return (a.speed > 0 ? u"let before;\n"_s : QString())
            + u"for (let seq = %1; seq <= %2; seq++) {\n"_s.arg(a.first).arg(a.last)
            + indented(loop, u"  "_s) + u"}\n"_s;
    }
};

} // namespace

QString javaScript(const Action& action, const QString& url)
{
    return program(url, std::visit(ToJavaScript(), action));
}

} // namespace jetglass::client::same_as
