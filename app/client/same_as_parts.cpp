// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

#include "client/consumer_admin.h"
#include "client/message_template.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace jetglass::client::same_as {

using namespace Qt::StringLiterals;

QString ApiRequest::json() const
{
    if (body.isEmpty())
        return {};
    return QString::fromUtf8(QJsonDocument(body).toJson(QJsonDocument::Compact));
}

namespace {

struct ToRequest
{
    using R = std::optional<ApiRequest>;
    R operator()(const StreamAction& a) const
    {
        const QString verb = a.update ? u"STREAM.UPDATE."_s : u"STREAM.CREATE."_s;
        return ApiRequest{
            u"$JS.API."_s + verb + a.config.value(u"name"_s).toString(), chosen(a.config)};
    }
    R operator()(const StreamDeleteAction& a) const
    {
        return ApiRequest{u"$JS.API.STREAM.DELETE."_s + a.stream, {}};
    }
    R operator()(const PurgeAction& a) const
    {
        return ApiRequest{u"$JS.API.STREAM.PURGE."_s + a.stream, a.purge.toJson()};
    }
    R operator()(const ConsumerAddAction& a) const
    {
        const QJsonObject config = chosenConsumer(a.config);
        const ConsumerAction action = a.update ? ConsumerAction::Update : ConsumerAction::Create;
        return ApiRequest{u"$JS.API."_s + consumerCreateEndpoint(a.stream, config),
            consumerRequest(a.stream, config, action)};
    }
    R operator()(const ConsumerDeleteAction& a) const
    {
        return ApiRequest{u"$JS.API.CONSUMER.DELETE."_s + a.stream + u'.' + a.consumer, {}};
    }
    R operator()(const PublishAction&) const { return std::nullopt; }
    R operator()(const FetchAction&) const { return std::nullopt; }
    R operator()(const AckAction&) const { return std::nullopt; }
    R operator()(const ReplayAction&) const { return std::nullopt; }
};

QJsonObject without(
    const QJsonObject& config, std::initializer_list<std::pair<QLatin1String, QJsonValue>> defaults)
{
    QJsonObject o = config;
    for (const auto& [key, value] : defaults) {
        if (o.value(key) == value)
            o.remove(key);
    }
    for (const QString& key : o.keys()) {
        const QJsonValue v = o.value(key);
        const bool empty = v == QJsonValue(false) || v == QJsonValue(0)
            || v == QJsonValue(QString()) || (v.isArray() && v.toArray().isEmpty())
            || (v.isObject() && v.toObject().isEmpty());
        if (empty)
            o.remove(key);
    }
    return o;
}

} // namespace

std::optional<ApiRequest> apiRequest(const Action& action)
{
    return std::visit(ToRequest(), action);
}

QJsonObject chosen(const QJsonObject& config)
{
    return without(config,
        {{QLatin1String("retention"), u"limits"_s},
            {QLatin1String("discard"), u"old"_s},
            {QLatin1String("storage"), u"file"_s},
            {QLatin1String("compression"), u"none"_s},
            {QLatin1String("num_replicas"), 1},
            {QLatin1String("max_msgs"), -1},
            {QLatin1String("max_bytes"), -1},
            {QLatin1String("max_consumers"), -1},
            {QLatin1String("max_msgs_per_subject"), -1},
            {QLatin1String("persist_mode"), u"default"_s},
            {QLatin1String("max_msg_size"), -1}});
}

QJsonObject chosenConsumer(const QJsonObject& config)
{
    return without(config,
        {{QLatin1String("deliver_policy"), u"all"_s},
            {QLatin1String("replay_policy"), u"instant"_s},
            {QLatin1String("priority_policy"), u"none"_s},
            {QLatin1String("max_deliver"), -1}});
}

QString shellQuoted(const QString& text)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:=,@%+-]+$"_s);
    if (plain.match(text).hasMatch())
        return text;
    QString inner = text;
    inner.replace(u'\'', u"'\\''"_s);
    return u'\'' + inner + u'\'';
}

QString quoted(const QString& text)
{
    QString out = u"\""_s;
    for (const QChar c : text) {
        const ushort code = c.unicode();
        if (c == u'"' || c == u'\\')
            out += u'\\';
        if (code == u'\n')
            out += u"\\n"_s;
        else if (code == u'\r')
            out += u"\\r"_s;
        else if (code == u'\t')
            out += u"\\t"_s;
        else if (code < 0x20)
            out += u"\\%1"_s.arg(uint(code),
                3,
                8,
                QLatin1Char('0')); // three octal digits: no language reads more of them
        else
            out += c;
    }
    return out + u'"';
}

QString goDurationText(qint64 ns)
{
    if (ns == 0)
        return u"0s"_s;
    struct Unit
    {
        qint64 ns;
        const char* name;
    };
    constexpr Unit kUnits[] = {{3600000000000, "h"},
        {60000000000, "m"},
        {1000000000, "s"},
        {1000000, "ms"},
        {1000, "us"},
        {1, "ns"}};
    QString text;
    for (const Unit& u : kUnits) {
        const qint64 n = ns / u.ns;
        if (n > 0)
            text += QString::number(n) + QLatin1String(u.name);
        ns -= n * u.ns;
    }
    return text;
}

QString goDuration(qint64 ns)
{
    struct Unit
    {
        qint64 ns;
        const char* name;
    };
    constexpr Unit kUnits[] = {{3600000000000, "time.Hour"},
        {60000000000, "time.Minute"},
        {1000000000, "time.Second"},
        {1000000, "time.Millisecond"},
        {1000, "time.Microsecond"}};
    for (const Unit& u : kUnits) {
        if (ns != 0 && ns % u.ns == 0)
            return QString::number(ns / u.ns) + u" * "_s + QLatin1String(u.name);
    }
    return QString::number(ns);
}

QString seconds(qint64 ns)
{
    return QString::number(static_cast<double>(ns) / 1e9, 'g', 15);
}

Message firstMessage(const Message& message)
{
    return expandTemplate(message,
        {1,
            QDateTime(QDate(2026, 1, 1), QTime(0, 0), Qt::UTC),
            u"6f1c2a9e-0000-4000-8000-000000000001"_s});
}

QString counted(const QString& text, const QString& concat, const QString& counter)
{
    static const QRegularExpression re(QStringLiteral(R"(\{\{\s*counter(?::\d{1,2})?\s*\}\})"));
    QStringList parts;
    qsizetype from = 0;
    auto matches = re.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch m = matches.next();
        if (m.capturedStart() > from)
            parts.append(quoted(text.mid(from, m.capturedStart() - from)));
        parts.append(counter);
        from = m.capturedEnd();
    }
    if (from < text.size() || parts.isEmpty())
        parts.append(quoted(text.mid(from)));
    return parts.join(concat);
}

bool hasCounter(const Message& message)
{
    const QString mark = u"counter"_s;
    const auto in = [&](const QString& s) { return hasPlaceholder(s) && s.contains(mark); };
    return in(message.subject) || in(QString::fromUtf8(message.payload))
        || std::any_of(message.headers.begin(), message.headers.end(), [&](const Header& h) {
               return in(h.value);
           });
}

QString indented(const QString& text, const QString& prefix)
{
    QStringList lines = text.split(u'\n');
    for (QString& l : lines) {
        if (!l.isEmpty())
            l.prepend(prefix);
    }
    return lines.join(u'\n');
}

qint64 pauseMs(double perSecond)
{
    return perSecond > 0 ? std::max<qint64>(1, qRound64(1000.0 / perSecond)) : 0;
}

QString consumerName(const QJsonObject& config)
{
    const QString durable = config.value(u"durable_name"_s).toString();
    return durable.isEmpty() ? config.value(u"name"_s).toString() : durable;
}

} // namespace jetglass::client::same_as
