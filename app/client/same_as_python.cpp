// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

#include <QJsonArray>

#include <algorithm>

namespace jetglass::client::same_as {
namespace {

using namespace Qt::StringLiterals;

QString program(const QString& url, const QString& body)
{
    QString text = u"import asyncio\n"_s;
    if (body.contains(u"json."_s))
        text += u"import json\n"_s;
    text += u"\nimport nats\n"_s;
    if (body.contains(u"api."_s))
        text += u"from nats.js import api\n"_s;
    if (body.contains(u"NotFoundError"_s))
        text += u"from nats.js.errors import NotFoundError\n"_s;
    text += u"\n\nasync def main():\n    nc = await nats.connect(%1)\n"_s.arg(quoted(url));
    if (body.contains(u"js."_s))
        text += u"    js = nc.jetstream()\n"_s;
    return text + u'\n' + indented(body, u"    "_s)
        + u"\n    await nc.drain()\n\n\nasyncio.run(main())\n"_s;
}

/// A JSON value as Python writes it; \a asSeconds turns nanoseconds into what nats.py wants.
QString literal(const QJsonValue& v, bool asSeconds = false)
{
    if (v.isBool())
        return v.toBool() ? u"True"_s : u"False"_s;
    if (v.isDouble())
        return asSeconds ? seconds(v.toInteger()) : QString::number(v.toInteger());
    if (v.isString())
        return quoted(v.toString());
    QStringList list;
    if (v.isArray()) {
        for (const QJsonValueConstRef one : v.toArray())
            list.append(literal(one, asSeconds));
        return u'[' + list.join(u", "_s) + u']';
    }
    const QJsonObject o = v.toObject();
    for (auto it = o.begin(); it != o.end(); ++it)
        list.append(quoted(it.key()) + u": "_s + literal(it.value()));
    return u'{' + list.join(u", "_s) + u'}';
}

// Members that nats.py's dataclasses have under the API's own name with a plain value.
constexpr const char* kStream[] = {"name",
    "description",
    "subjects",
    "retention",
    "max_consumers",
    "max_msgs",
    "max_bytes",
    "discard",
    "discard_new_per_subject",
    "max_age",
    "max_msgs_per_subject",
    "max_msg_size",
    "storage",
    "num_replicas",
    "no_ack",
    "duplicate_window",
    "sealed",
    "deny_delete",
    "deny_purge",
    "allow_rollup_hdrs",
    "compression",
    "allow_direct",
    "mirror_direct",
    "metadata"};
constexpr const char* kConsumer[] = {"name",
    "durable_name",
    "description",
    "deliver_policy",
    "opt_start_seq",
    "opt_start_time",
    "ack_policy",
    "ack_wait",
    "max_deliver",
    "backoff",
    "filter_subject",
    "filter_subjects",
    "replay_policy",
    "sample_freq",
    "rate_limit_bps",
    "max_waiting",
    "max_ack_pending",
    "flow_control",
    "idle_heartbeat",
    "headers_only",
    "deliver_subject",
    "deliver_group",
    "inactive_threshold",
    "num_replicas",
    "mem_storage",
    "metadata"};
constexpr const char* kDurations[] = {
    "max_age", "duplicate_window", "ack_wait", "backoff", "idle_heartbeat", "inactive_threshold"};
constexpr const char* kEnums[][2] = {{"retention", "RetentionPolicy"},
    {"discard", "DiscardPolicy"},
    {"storage", "StorageType"},
    {"compression", "StoreCompression"},
    {"deliver_policy", "DeliverPolicy"},
    {"ack_policy", "AckPolicy"},
    {"replay_policy", "ReplayPolicy"}};

template<std::size_t N>
bool isIn(const QString& key, const char* const (&names)[N])
{
    return std::any_of(
        std::begin(names), std::end(names), [&](const char* n) { return key == QLatin1String(n); });
}

QString value(const QString& key, const QJsonValue& v)
{
    for (const auto& e : kEnums) {
        if (key == QLatin1String(e[0]))
            return u"api."_s + QLatin1String(e[1]) + u'(' + quoted(v.toString()) + u')';
    }
    return literal(v, isIn(key, kDurations));
}

template<std::size_t N>
QString arguments(const QJsonObject& config, const char* const (&names)[N])
{
    for (const QString& key : config.keys()) {
        if (!isIn(key, names))
            return {};
    }
    QString text;
    for (const char* n : names) {
        const QString key = QLatin1String(n);
        if (config.contains(key))
            text += u"    %1=%2,\n"_s.arg(key, value(key, config.value(key)));
    }
    return text;
}

QString request(const ApiRequest& r)
{
    const QString body =
        r.body.isEmpty() ? u"b\"\""_s : u"json.dumps("_s + literal(r.body) + u").encode()"_s;
    return u"answer = await nc.request(%1, %2, timeout=5)\nprint(answer.data.decode())\n"_s.arg(
        quoted(r.subject), body);
}

struct ToPython
{
    QString operator()(const PublishAction& a) const
    {
        const bool many = a.count > 1;
        const Message m = many ? a.message : firstMessage(a.message);
        const auto text = [&](const QString& s) {
            return many ? counted(s, u" + "_s, u"str(n)"_s) : quoted(s);
        };
        const QString payload = text(QString::fromUtf8(m.payload));
        QString args = text(m.subject) + u", "_s
            + (payload.contains(u" + "_s) ? QString(u'(' + payload + u')') : payload)
            + u".encode()"_s;
        if (!m.headers.isEmpty()) {
            QStringList list;
            for (const Header& h : m.headers)
                list.append(quoted(h.name) + u": "_s + text(h.value));
            args += u", headers={"_s + list.join(u", "_s) + u'}';
        }
        QString body = a.acked
            ? u"ack = await js.publish(%1)\nprint(ack.stream, ack.seq, ack.duplicate)\n"_s.arg(args)
            : u"await nc.publish(%1)\n"_s.arg(args);
        if (!many)
            return body;
        if (a.perSecond > 0)
            body += u"await asyncio.sleep(%1)\n"_s.arg(seconds(pauseMs(a.perSecond) * 1000000));
        return u"for n in range(1, %1):\n"_s.arg(a.count + 1) + indented(body, u"    "_s);
    }
    QString operator()(const StreamAction& a) const
    {
        const QString args = arguments(chosen(a.config), kStream);
        if (args.isEmpty())
            return request(*apiRequest(a));
        return u"info = await js.%1(api.StreamConfig(\n"_s.arg(
                   a.update ? u"update_stream"_s : u"add_stream"_s)
            + args + u"))\nprint(info.config.name)\n"_s;
    }
    QString operator()(const StreamDeleteAction& a) const
    {
        return u"await js.delete_stream(%1)\n"_s.arg(quoted(a.stream));
    }
    QString operator()(const PurgeAction& a) const
    {
        QString args = quoted(a.stream);
        if (a.purge.seq > 0)
            args += u", seq=%1"_s.arg(a.purge.seq);
        if (!a.purge.filter.isEmpty())
            args += u", subject="_s + quoted(a.purge.filter);
        if (a.purge.keep > 0)
            args += u", keep=%1"_s.arg(a.purge.keep);
        return u"await js.purge_stream(%1)\n"_s.arg(args);
    }
    QString operator()(const ConsumerAddAction& a) const
    {
        const QString args = arguments(chosenConsumer(a.config), kConsumer);
        if (args.isEmpty() || a.update)
            return request(*apiRequest(a));
        return u"info = await js.add_consumer(%1, api.ConsumerConfig(\n"_s.arg(quoted(a.stream))
            + args + u"))\nprint(info.name)\n"_s;
    }
    QString operator()(const ConsumerDeleteAction& a) const
    {
        return u"await js.delete_consumer(%1, %2)\n"_s.arg(quoted(a.stream), quoted(a.consumer));
    }
    static QString consumer(const QString& stream, const QString& name)
    {
        return u"consumer = await js.pull_subscribe_bind(consumer=%1, stream=%2)\n"_s.arg(
            quoted(name), quoted(stream));
    }
    QString operator()(const FetchAction& a) const
    {
        // Without waiting the client's shortest time is still a time-out of its own.
        const qint64 wait = a.request.noWait ? 500 : a.request.expires.count();
        return consumer(a.request.stream, a.request.consumer)
            + u"for msg in await consumer.fetch(%1, timeout=%2):\n"_s.arg(a.request.batch)
                  .arg(seconds(wait * 1000000))
            + u"    print(msg.metadata.sequence.stream, msg.metadata.num_delivered, msg.subject, "
              u"msg.data.decode())\n"
              u"    # answer with await msg.ack(), msg.nak(), msg.in_progress() or msg.term()\n"_s;
    }
    QString operator()(const AckAction& a) const
    {
        QString call;
        switch (a.kind) {
        case AckKind::Ack:
            call = u"ack_sync()"_s;
            break;
        case AckKind::Nak:
            call = u"nak()"_s;
            break;
        case AckKind::NakDelay:
            call = u"nak(delay=%1)"_s.arg(seconds(a.delay.count()));
            break;
        case AckKind::InProgress:
            call = u"in_progress()"_s;
            break;
        case AckKind::Term:
            call = u"term()"_s;
            break;
        }
        return consumer(a.stream, a.consumer)
            + u"msg = (await consumer.fetch(1))[0]\nawait msg.%1\n"_s.arg(call);
    }
    QString operator()(const ReplayAction& a) const
    {
        const QString target = a.fixedSubject.isEmpty()
            ? QString(quoted(a.prefix + u'.') + u" + old.subject"_s)
            : quoted(a.fixedSubject);
        QString loop =
            u"try:\n    old = await js.get_msg(%1, seq)\nexcept NotFoundError:\n    continue\n"_s
                .arg(quoted(a.stream));
        if (a.speed > 0) {
            loop += u"if before is not None:\n"
                    u"    await asyncio.sleep((old.time - before).total_seconds() / %1)\n"
                    u"before = old.time\n"_s.arg(a.speed);
        }
        QString headers = u"dict(old.headers or {})"_s;
        if (!a.keepIds) {
            headers =
                u"{\n    name: value for name, value in (old.headers or {}).items()\n"
                u"    if name != \"Nats-Msg-Id\" and not name.startswith(\"Nats-Expected-\")\n}"_s;
        }
        loop += u"headers = "_s + headers + u'\n';
        loop += u"await %1.publish(%2, old.data or b\"\", headers=headers)\n"_s.arg(
            a.stored ? u"js"_s : u"nc"_s, target);
        return (a.speed > 0 ? u"before = None\n"_s : QString())
            + u"for seq in range(%1, %2):\n"_s.arg(a.first).arg(a.last + 1)
            + indented(loop, u"    "_s);
    }
};

} // namespace

QString python(const Action& action, const QString& url)
{
    return program(url, std::visit(ToPython(), action));
}

} // namespace jetglass::client::same_as
