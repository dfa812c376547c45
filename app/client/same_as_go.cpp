// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

#include <QJsonArray>

#include <algorithm>

namespace jetglass::client::same_as {
namespace {

using namespace Qt::StringLiterals;

const QString kCheck = u"if err != nil {\n\tlog.Fatal(err)\n}\n"_s;

/// A whole program around \a body. Go refuses unused imports and variables, so each is there only
/// if it is used.
QString program(const QString& url, const QString& body)
{
    QStringList standard;
    if (body.contains(u"ctx"_s))
        standard.append(u"context"_s);
    if (body.contains(u"errors."_s))
        standard.append(u"errors"_s);
    if (body.contains(u"fmt."_s))
        standard.append(u"fmt"_s);
    standard.append(u"log"_s);
    if (body.contains(u"strconv."_s))
        standard.append(u"strconv"_s);
    if (body.contains(u"strings."_s))
        standard.append(u"strings"_s);
    if (body.contains(u"time."_s))
        standard.append(u"time"_s);
    QString text = u"package main\n\nimport (\n"_s;
    for (const QString& s : standard)
        text += u"\t\""_s + s + u"\"\n"_s;
    text += u"\n\t\"github.com/nats-io/nats.go\"\n"_s;
    const bool js = body.contains(u"js."_s) || body.contains(u"jetstream."_s);
    if (js)
        text += u"\t\"github.com/nats-io/nats.go/jetstream\"\n"_s;
    text += u")\n\nfunc main() {\n"_s;
    if (body.contains(u"ctx"_s))
        text += u"\tctx := context.Background()\n"_s;
    text += u"\tnc, err := nats.Connect(%1)\n"_s.arg(quoted(url)) + indented(kCheck, u"\t"_s);
    text += u"\tdefer nc.Drain()\n"_s;
    if (js)
        text += u"\tjs, err := jetstream.New(nc)\n"_s + indented(kCheck, u"\t"_s);
    return text + u'\n' + indented(body, u"\t"_s) + u"}\n"_s;
}

enum class Form
{
    Text,
    Number,
    Unsigned,
    Bool,
    Duration,
    Durations,
    Strings,
    Map,
    Constant
};
struct Field
{
    const char* key;
    const char* name;
    Form form;
};
struct Constant
{
    const char* key;
    const char* value;
    const char* name;
};

constexpr Field kStream[] = {{"name", "Name", Form::Text},
    {"description", "Description", Form::Text},
    {"subjects", "Subjects", Form::Strings},
    {"retention", "Retention", Form::Constant},
    {"max_consumers", "MaxConsumers", Form::Number},
    {"max_msgs", "MaxMsgs", Form::Number},
    {"max_bytes", "MaxBytes", Form::Number},
    {"discard", "Discard", Form::Constant},
    {"discard_new_per_subject", "DiscardNewPerSubject", Form::Bool},
    {"max_age", "MaxAge", Form::Duration},
    {"max_msgs_per_subject", "MaxMsgsPerSubject", Form::Number},
    {"max_msg_size", "MaxMsgSize", Form::Number},
    {"storage", "Storage", Form::Constant},
    {"num_replicas", "Replicas", Form::Number},
    {"no_ack", "NoAck", Form::Bool},
    {"duplicate_window", "Duplicates", Form::Duration},
    {"compression", "Compression", Form::Constant},
    {"first_seq", "FirstSeq", Form::Number},
    {"sealed", "Sealed", Form::Bool},
    {"deny_delete", "DenyDelete", Form::Bool},
    {"deny_purge", "DenyPurge", Form::Bool},
    {"allow_rollup_hdrs", "AllowRollup", Form::Bool},
    {"allow_direct", "AllowDirect", Form::Bool},
    {"mirror_direct", "MirrorDirect", Form::Bool},
    {"allow_msg_ttl", "AllowMsgTTL", Form::Bool},
    {"subject_delete_marker_ttl", "SubjectDeleteMarkerTTL", Form::Duration},
    {"metadata", "Metadata", Form::Map}};

constexpr Field kConsumer[] = {{"name", "Name", Form::Text},
    {"durable_name", "Durable", Form::Text},
    {"description", "Description", Form::Text},
    {"deliver_policy", "DeliverPolicy", Form::Constant},
    {"opt_start_seq", "OptStartSeq", Form::Number},
    {"ack_policy", "AckPolicy", Form::Constant},
    {"ack_wait", "AckWait", Form::Duration},
    {"max_deliver", "MaxDeliver", Form::Number},
    {"backoff", "BackOff", Form::Durations},
    {"filter_subject", "FilterSubject", Form::Text},
    {"filter_subjects", "FilterSubjects", Form::Strings},
    {"replay_policy", "ReplayPolicy", Form::Constant},
    {"rate_limit_bps", "RateLimit", Form::Number},
    {"sample_freq", "SampleFrequency", Form::Text},
    {"max_waiting", "MaxWaiting", Form::Number},
    {"max_ack_pending", "MaxAckPending", Form::Number},
    {"headers_only", "HeadersOnly", Form::Bool},
    {"max_batch", "MaxRequestBatch", Form::Number},
    {"max_expires", "MaxRequestExpires", Form::Duration},
    {"max_bytes", "MaxRequestMaxBytes", Form::Number},
    {"inactive_threshold", "InactiveThreshold", Form::Duration},
    {"num_replicas", "Replicas", Form::Number},
    {"mem_storage", "MemoryStorage", Form::Bool},
    {"metadata", "Metadata", Form::Map},
    {"deliver_subject", "DeliverSubject", Form::Text},
    {"deliver_group", "DeliverGroup", Form::Text},
    {"idle_heartbeat", "IdleHeartbeat", Form::Duration},
    {"flow_control", "FlowControl", Form::Bool}};

constexpr Constant kConstants[] = {{"retention", "limits", "LimitsPolicy"},
    {"retention", "interest", "InterestPolicy"},
    {"retention", "workqueue", "WorkQueuePolicy"},
    {"discard", "old", "DiscardOld"},
    {"discard", "new", "DiscardNew"},
    {"storage", "file", "FileStorage"},
    {"storage", "memory", "MemoryStorage"},
    {"compression", "none", "NoCompression"},
    {"compression", "s2", "S2Compression"},
    {"deliver_policy", "all", "DeliverAllPolicy"},
    {"deliver_policy", "last", "DeliverLastPolicy"},
    {"deliver_policy", "new", "DeliverNewPolicy"},
    {"deliver_policy", "by_start_sequence", "DeliverByStartSequencePolicy"},
    {"deliver_policy", "by_start_time", "DeliverByStartTimePolicy"},
    {"deliver_policy", "last_per_subject", "DeliverLastPerSubjectPolicy"},
    {"ack_policy", "none", "AckNonePolicy"},
    {"ack_policy", "all", "AckAllPolicy"},
    {"ack_policy", "explicit", "AckExplicitPolicy"},
    {"replay_policy", "instant", "ReplayInstantPolicy"},
    {"replay_policy", "original", "ReplayOriginalPolicy"}};

QString strings(const QJsonArray& a)
{
    QStringList list;
    for (const QJsonValueConstRef v : a)
        list.append(quoted(v.toString()));
    return u"[]string{"_s + list.join(u", "_s) + u'}';
}

QString constant(const QString& key, const QString& value)
{
    for (const Constant& c : kConstants) {
        if (key == QLatin1String(c.key) && value == QLatin1String(c.value))
            return u"jetstream."_s + QLatin1String(c.name);
    }
    return {};
}

QString literal(const Field& f, const QJsonValue& v)
{
    switch (f.form) {
    case Form::Text:
        return quoted(v.toString());
    case Form::Number:
    case Form::Unsigned:
        return QString::number(v.toInteger());
    case Form::Bool:
        return v.toBool() ? u"true"_s : u"false"_s;
    case Form::Duration:
        return goDuration(v.toInteger());
    case Form::Durations: {
        QStringList list;
        for (const QJsonValueConstRef one : v.toArray())
            list.append(goDuration(one.toInteger()));
        return u"[]time.Duration{"_s + list.join(u", "_s) + u'}';
    }
    case Form::Strings:
        return strings(v.toArray());
    case Form::Map: {
        QStringList list;
        const QJsonObject o = v.toObject();
        for (auto it = o.begin(); it != o.end(); ++it)
            list.append(quoted(it.key()) + u": "_s + quoted(it.value().toString()));
        return u"map[string]string{"_s + list.join(u", "_s) + u'}';
    }
    case Form::Constant:
        return constant(QLatin1String(f.key), v.toString());
    }
    return {};
}

/// The members of a struct literal, empty if some value has no field in the client.
template<std::size_t N>
QString members(const QJsonObject& config, const Field (&fields)[N])
{
    QStringList left = config.keys();
    qsizetype widest = 0; // gofmt puts the values of a literal below each other
    for (const Field& f : fields) {
        if (left.contains(QLatin1String(f.key)))
            widest = std::max(widest, qsizetype(qstrlen(f.name)));
    }
    QString text;
    for (const Field& f : fields) {
        if (!left.removeOne(QLatin1String(f.key)))
            continue;
        const QString value = literal(f, config.value(QLatin1String(f.key)));
        if (value.isEmpty())
            return {};
        const QString name = QLatin1String(f.name) + QLatin1Char(':');
        text += u"\t%1 %2,\n"_s.arg(name.leftJustified(widest + 1), value);
    }
    return left.isEmpty() ? text : QString();
}

QString request(const ApiRequest& r)
{
    const QString body = r.body.isEmpty() ? u"nil"_s : u"[]byte("_s + quoted(r.json()) + u')';
    return u"answer, err := nc.Request(%1, %2, 5*time.Second)\n"_s.arg(quoted(r.subject), body)
        + kCheck + u"fmt.Println(string(answer.Data))\n"_s;
}

struct ToGo
{
    QString operator()(const PublishAction& a) const
    {
        const bool many = a.count > 1;
        const Message m = many ? a.message : firstMessage(a.message);
        const QString n = u"strconv.Itoa(n)"_s;
        const auto text = [&](const QString& s) {
            return many ? counted(s, u" + "_s, n) : quoted(s);
        };
        QString body = u"msg := nats.NewMsg(%1)\n"_s.arg(text(m.subject));
        if (!m.payload.isEmpty())
            body += u"msg.Data = []byte(%1)\n"_s.arg(text(QString::fromUtf8(m.payload)));
        for (const Header& h : m.headers)
            body += u"msg.Header.Add(%1, %2)\n"_s.arg(quoted(h.name), text(h.value));
        if (a.acked) {
            body += u"ack, err := js.PublishMsg(ctx, msg)\n"_s + kCheck
                + u"fmt.Println(ack.Stream, ack.Sequence, ack.Duplicate)\n"_s;
        } else {
            body += u"if err := nc.PublishMsg(msg); err != nil {\n\tlog.Fatal(err)\n}\n"_s;
        }
        if (!many)
            return body;
        if (a.perSecond > 0)
            body += u"time.Sleep(%1 * time.Millisecond)\n"_s.arg(pauseMs(a.perSecond));
        return u"for n := 1; n <= %1; n++ {\n"_s.arg(a.count) + indented(body, u"\t"_s) + u"}\n"_s;
    }
    QString operator()(const StreamAction& a) const
    {
        const QString fields = members(chosen(a.config), kStream);
        if (fields.isEmpty())
            return request(*apiRequest(a));
        return u"stream, err := js.%1(ctx, jetstream.StreamConfig{\n"_s.arg(
                   a.update ? u"UpdateStream"_s : u"CreateStream"_s)
            + fields + u"})\n"_s + kCheck + u"fmt.Println(stream.CachedInfo().Config.Name)\n"_s;
    }
    QString operator()(const StreamDeleteAction& a) const
    {
        return u"if err := js.DeleteStream(ctx, %1); err != nil {\n\tlog.Fatal(err)\n}\n"_s.arg(
            quoted(a.stream));
    }
    QString operator()(const PurgeAction& a) const
    {
        QString options;
        if (!a.purge.filter.isEmpty())
            options += u", jetstream.WithPurgeSubject(%1)"_s.arg(quoted(a.purge.filter));
        if (a.purge.seq > 0)
            options += u", jetstream.WithPurgeSequence(%1)"_s.arg(a.purge.seq);
        if (a.purge.keep > 0)
            options += u", jetstream.WithPurgeKeep(%1)"_s.arg(a.purge.keep);
        return u"stream, err := js.Stream(ctx, %1)\n"_s.arg(quoted(a.stream)) + kCheck
            + u"if err := stream.Purge(ctx%1); err != nil {\n\tlog.Fatal(err)\n}\n"_s.arg(options);
    }
    QString operator()(const ConsumerAddAction& a) const
    {
        const QJsonObject config = chosenConsumer(a.config);
        const bool push = config.contains(u"deliver_subject"_s);
        const QString fields = members(config, kConsumer);
        if (fields.isEmpty())
            return request(*apiRequest(a));
        const QString call =
            (a.update ? u"Update"_s : u"Create"_s) + (push ? u"PushConsumer"_s : u"Consumer"_s);
        return u"consumer, err := js.%1(ctx, %2, jetstream.ConsumerConfig{\n"_s.arg(
                   call, quoted(a.stream))
            + fields + u"})\n"_s + kCheck + u"fmt.Println(consumer.CachedInfo().Name)\n"_s;
    }
    QString operator()(const ConsumerDeleteAction& a) const
    {
        return u"if err := js.DeleteConsumer(ctx, %1, %2); err != nil {\n\tlog.Fatal(err)\n}\n"_s
            .arg(quoted(a.stream), quoted(a.consumer));
    }
    static QString consumer(const QString& stream, const QString& name)
    {
        return u"consumer, err := js.Consumer(ctx, %1, %2)\n"_s.arg(quoted(stream), quoted(name))
            + kCheck;
    }
    QString operator()(const FetchAction& a) const
    {
        const FetchRequest& r = a.request;
        QString call = u"consumer.Fetch(%1, jetstream.FetchMaxWait(%2))"_s.arg(r.batch).arg(
            goDuration(std::chrono::nanoseconds(r.expires).count()));
        if (r.noWait)
            call = u"consumer.FetchNoWait(%1)"_s.arg(r.batch);
        return consumer(r.stream, r.consumer) + u"batch, err := %1\n"_s.arg(call) + kCheck
            + u"for msg := range batch.Messages() {\n"
              u"\tmeta, err := msg.Metadata()\n"
              u"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
              u"\tfmt.Println(meta.Sequence.Stream, meta.NumDelivered, msg.Subject(), "
              u"string(msg.Data()))\n"
              u"\t// answer with msg.Ack(), msg.Nak(), msg.InProgress() or msg.Term()\n"
              u"}\n"
              u"if err := batch.Error(); err != nil {\n\tlog.Fatal(err)\n}\n"_s;
    }
    QString operator()(const AckAction& a) const
    {
        QString call;
        switch (a.kind) {
        case AckKind::Ack:
            call = u"DoubleAck(ctx)"_s;
            break;
        case AckKind::Nak:
            call = u"Nak()"_s;
            break;
        case AckKind::NakDelay:
            call = u"NakWithDelay("_s + goDuration(a.delay.count()) + u')';
            break;
        case AckKind::InProgress:
            call = u"InProgress()"_s;
            break;
        case AckKind::Term:
            call = u"Term()"_s;
            break;
        }
        return consumer(a.stream, a.consumer) + u"msg, err := consumer.Next()\n"_s + kCheck
            + u"if err := msg.%1; err != nil {\n\tlog.Fatal(err)\n}\n"_s.arg(call);
    }
    QString operator()(const ReplayAction& a) const
    {
        const QString target = a.fixedSubject.isEmpty()
            ? QString(quoted(a.prefix + u'.') + u" + old.Subject"_s)
            : quoted(a.fixedSubject);
        QString pace;
        if (a.speed > 0) {
            pace = u"if !before.IsZero() "
                   u"{\n\ttime.Sleep(time.Duration(float64(old.Time.Sub(before)) / %1))\n}\n"
                   u"before = old.Time\n"_s.arg(a.speed);
        }
        const QString drop = a.keepIds
            ? QString()
            : u"\tif name == \"Nats-Msg-Id\" || strings.HasPrefix(name, \"Nats-Expected-\") {\n\t\tcontinue\n\t}\n"_s;
        const QString loop = u"old, err := stream.GetMsg(ctx, seq)\n"
                             u"if errors.Is(err, jetstream.ErrMsgNotFound) {\n\tcontinue\n}\n"_s
            + kCheck + pace + u"msg := nats.NewMsg(%1)\nmsg.Data = old.Data\n"_s.arg(target)
            + u"for name, values := range old.Header {\n"_s + drop
            + u"\tmsg.Header[name] = values\n}\n"_s
            + u"if %1; err != nil {\n\tlog.Fatal(err)\n}\n"_s.arg(
                a.stored ? u"_, err := js.PublishMsg(ctx, msg)"_s : u"err := nc.PublishMsg(msg)"_s);
        return u"stream, err := js.Stream(ctx, %1)\n"_s.arg(quoted(a.stream)) + kCheck
            + (a.speed > 0 ? u"var before time.Time\n"_s : QString())
            + u"for seq := uint64(%1); seq <= %2; seq++ {\n"_s.arg(a.first).arg(a.last)
            + indented(loop, u"\t"_s) + u"}\n"_s;
    }
};

} // namespace

QString go(const Action& action, const QString& url)
{
    return program(url, std::visit(ToGo(), action));
}

} // namespace jetglass::client::same_as
