// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

#include <QJsonArray>

#include <algorithm>

namespace jetglass::client::same_as {
namespace {

using namespace Qt::StringLiterals;

/// Stands between two arguments until the width is known. Not a character of any text.
constexpr QChar kGap(0xFDD0);

/// A command with its arguments; long ones continue on the next line.
class Command
{
public:
    explicit Command(QString start)
        : m_text(std::move(start))
    {
    }
    Command& arg(const QString& word)
    {
        m_text += kGap;
        m_text += word;
        return *this;
    }
    Command& option(const QString& name, const QString& value)
    {
        return arg(u"--"_s + name + u'=' + shellQuoted(value));
    }
    [[nodiscard]] QString text() const { return m_text; }

private:
    QString m_text;
};

QString wrappedRemark(const QString& line, qsizetype columns)
{
    QString text = u"#"_s;
    qsizetype at = text.size();
    for (const QString& word : line.mid(1).split(u' ', Qt::SkipEmptyParts)) {
        if (at + 1 + word.size() > columns) {
            text += u"\n#"_s;
            at = 1;
        }
        text += u' ' + word;
        at += 1 + word.size();
    }
    return text;
}

/// One line of a script, continued below itself where it would become too long.
QString continued(const QString& line, qsizetype columns)
{
    if (line.startsWith(u'#'))
        return wrappedRemark(line, columns);
    const QStringList words = line.split(kGap);
    const auto first = std::find_if(line.begin(), line.end(), [](QChar c) { return c != u' '; });
    const QString indent = QString(first - line.begin() + 2, u' ');
    QString text = words.first();
    qsizetype at = text.size();
    for (qsizetype i = 1; i < words.size(); ++i) {
        const qsizetype tail = i + 1 < words.size() ? 2 : 0; // a backslash that may follow
        if (at + 1 + words[i].size() + tail > columns) {
            text += u" \\\n"_s + indent;
            at = indent.size();
        } else {
            text += u' ';
            ++at;
        }
        text += words[i];
        at += words[i].size();
    }
    return text;
}

Command nats(const QString& url, const QString& verb)
{
    return Command(u"nats -s "_s + shellQuoted(url)).arg(verb);
}

/// The API call itself, for what the CLI has no option for.
QString request(const QString& url, const ApiRequest& r)
{
    return nats(url, u"request --raw"_s)
        .arg(shellQuoted(r.subject))
        .arg(shellQuoted(r.json()))
        .text();
}

/// Keys of a configuration and the option that sets them. What is not listed goes through the API
/// call.
enum class Form
{
    Text,
    Number,
    Duration,
    Flag,
    List,
    Storage
};
struct Option
{
    const char* key;
    const char* option;
    Form form;
};

constexpr Option kStreamOptions[] = {{"description", "description", Form::Text},
    {"subjects", "subjects", Form::List},
    {"storage", "storage", Form::Text},
    {"retention", "retention", Form::Text},
    {"discard", "discard", Form::Text},
    {"max_msgs", "max-msgs", Form::Number},
    {"max_bytes", "max-bytes", Form::Number},
    {"max_age", "max-age", Form::Duration},
    {"max_msgs_per_subject", "max-msgs-per-subject", Form::Number},
    {"max_msg_size", "max-msg-size", Form::Number},
    {"max_consumers", "max-consumers", Form::Number},
    {"num_replicas", "replicas", Form::Number},
    {"duplicate_window", "dupe-window", Form::Duration},
    {"compression", "compression", Form::Text},
    {"first_seq", "first-sequence", Form::Number},
    {"discard_new_per_subject", "discard-per-subject", Form::Flag},
    {"deny_delete", "deny-delete", Form::Flag},
    {"deny_purge", "deny-purge", Form::Flag},
    {"allow_rollup_hdrs", "allow-rollup", Form::Flag},
    {"allow_direct", "allow-direct", Form::Flag},
    {"allow_msg_ttl", "allow-msg-ttl", Form::Flag},
    {"allow_msg_counter", "allow-counter", Form::Flag},
    {"allow_atomic", "allow-batch", Form::Flag},
    {"allow_batched", "allow-fast", Form::Flag},
    {"allow_msg_schedules", "allow-schedules", Form::Flag},
    {"subject_delete_marker_ttl", "subject-del-markers-ttl", Form::Duration},
    {"persist_mode", "persist-mode", Form::Text}};

constexpr Option kConsumerOptions[] = {{"description", "description", Form::Text},
    {"ack_policy", "ack", Form::Text},
    {"ack_wait", "wait", Form::Duration},
    {"max_deliver", "max-deliver", Form::Number},
    {"filter_subject", "filter", Form::Text},
    {"filter_subjects", "filter", Form::List},
    {"replay_policy", "replay", Form::Text},
    {"max_waiting", "max-waiting", Form::Number},
    {"max_ack_pending", "max-pending", Form::Number},
    {"headers_only", "headers-only", Form::Flag},
    {"max_batch", "max-pull-batch", Form::Number},
    {"max_expires", "max-pull-expire", Form::Duration},
    {"max_bytes", "max-pull-bytes", Form::Number},
    {"deliver_subject", "target", Form::Text},
    {"deliver_group", "deliver-group", Form::Text},
    {"idle_heartbeat", "heartbeat", Form::Duration},
    {"flow_control", "flow-control", Form::Flag},
    {"inactive_threshold", "inactive-threshold", Form::Duration},
    {"mem_storage", "memory", Form::Flag},
    {"num_replicas", "replicas", Form::Number}};

/// False if a key has no option.
template<std::size_t N>
bool addOptions(Command& command, const QJsonObject& config, const Option (&options)[N])
{
    QStringList left = config.keys();
    for (const Option& o : options) {
        const QString key = QLatin1String(o.key);
        if (!left.removeOne(key))
            continue;
        const QString name = QLatin1String(o.option);
        const QJsonValue v = config.value(key);
        switch (o.form) {
        case Form::Text:
        case Form::Storage:
            command.option(name, v.toString() == u"workqueue"_s ? u"work"_s : v.toString());
            break;
        case Form::Number:
            command.option(name, QString::number(v.toInteger()));
            break;
        case Form::Duration:
            command.option(name, goDurationText(v.toInteger()));
            break;
        case Form::Flag:
            command.arg(u"--"_s + name);
            break;
        case Form::List:
            for (const QJsonValueConstRef one : v.toArray())
                command.option(name, one.toString());
            break;
        }
    }
    return left.isEmpty();
}

QString cliPayload(const QString& text)
{
    // The CLI has templates of its own, switched on for several messages: {{.Count}}.
    QString t = text;
    return t.replace(u"{{counter}}"_s, u"{{Count}}"_s);
}

struct ToCli
{
    const QString& url;

    QString operator()(const PublishAction& a) const
    {
        const bool many = a.count > 1;
        const Message m = many ? a.message : firstMessage(a.message);
        Command cmd = nats(url, u"publish"_s);
        if (a.acked)
            cmd.arg(u"--jetstream"_s);
        if (many) {
            cmd.option(u"count"_s, QString::number(a.count));
            if (a.perSecond > 0)
                cmd.option(u"sleep"_s, goDurationText(pauseMs(a.perSecond) * 1000000));
            if (hasCounter(a.message))
                cmd.arg(u"--templates"_s);
        }
        for (const Header& h : m.headers)
            cmd.arg(u"-H "_s + shellQuoted(h.name + u": "_s + cliPayload(h.value)));
        if (m.payload.startsWith('-'))
            cmd.arg(u"--"_s); // a payload like an option is still a payload
        cmd.arg(shellQuoted(cliPayload(m.subject)));
        // Without a body the CLI would wait for one on its input.
        if (m.payload.isEmpty())
            cmd.arg(u"--force-stdin < /dev/null"_s);
        else
            cmd.arg(shellQuoted(cliPayload(QString::fromUtf8(m.payload))));
        return cmd.text();
    }
    QString operator()(const StreamAction& a) const
    {
        const ApiRequest raw = *apiRequest(a);
        if (a.update)
            return request(url, raw);
        QJsonObject config = chosen(a.config);
        Command cmd = nats(url, u"stream add"_s);
        cmd.arg(shellQuoted(config.take(u"name"_s).toString()));
        for (const QJsonValue& v : {config.value(u"metadata"_s)}) {
            const QJsonObject o = v.toObject();
            for (auto it = o.begin(); it != o.end(); ++it)
                cmd.option(u"metadata"_s, it.key() + u'=' + it.value().toString());
        }
        config.remove(u"metadata"_s);
        if (config.take(u"no_ack"_s).toBool())
            cmd.arg(u"--no-ack"_s);
        if (!a.config.value(u"allow_direct"_s).toBool())
            cmd.arg(u"--no-allow-direct"_s); // the CLI's own default is on
        config.remove(u"allow_direct"_s);
        const bool complete = addOptions(cmd, config, kStreamOptions);
        return complete ? cmd.arg(u"--defaults"_s).text() : request(url, raw);
    }
    QString operator()(const StreamDeleteAction& a) const
    {
        return nats(url, u"stream rm"_s).arg(shellQuoted(a.stream)).arg(u"--force"_s).text();
    }
    QString operator()(const PurgeAction& a) const
    {
        Command cmd = nats(url, u"stream purge"_s);
        cmd.arg(shellQuoted(a.stream)).arg(u"--force"_s);
        if (!a.purge.filter.isEmpty())
            cmd.option(u"subject"_s, a.purge.filter);
        if (a.purge.seq > 0)
            cmd.option(u"seq"_s, QString::number(a.purge.seq));
        if (a.purge.keep > 0)
            cmd.option(u"keep"_s, QString::number(a.purge.keep));
        return cmd.text();
    }
    QString operator()(const ConsumerAddAction& a) const
    {
        const ApiRequest raw = *apiRequest(a);
        QJsonObject config = chosenConsumer(a.config);
        const QString name = consumerName(config);
        const bool durable = config.contains(u"durable_name"_s);
        // A policy with a value (start at ...) and an ephemeral without a name have no option that
        // says it as well.
        if (a.update || name.isEmpty() || config.contains(u"opt_start_seq"_s)
            || config.contains(u"opt_start_time"_s))
            return request(url, raw);
        config.remove(u"durable_name"_s);
        config.remove(u"name"_s);
        Command cmd = nats(url, u"consumer add"_s);
        cmd.arg(shellQuoted(a.stream)).arg(shellQuoted(name));
        if (!durable)
            cmd.arg(u"--ephemeral"_s);
        if (!config.contains(u"deliver_subject"_s))
            cmd.arg(u"--pull"_s);
        const QString deliver = config.take(u"deliver_policy"_s).toString();
        cmd.option(u"deliver"_s,
            deliver.isEmpty()                      ? u"all"_s
                : deliver == u"last_per_subject"_s ? u"subject"_s
                                                   : deliver);
        const bool complete = addOptions(cmd, config, kConsumerOptions);
        return complete ? cmd.arg(u"--defaults"_s).text() : request(url, raw);
    }
    QString operator()(const ConsumerDeleteAction& a) const
    {
        return nats(url, u"consumer rm"_s)
            .arg(shellQuoted(a.stream))
            .arg(shellQuoted(a.consumer))
            .arg(u"--force"_s)
            .text();
    }
    QString operator()(const FetchAction& a) const
    {
        Command cmd = nats(url, u"consumer next"_s);
        cmd.arg(shellQuoted(a.request.stream)).arg(shellQuoted(a.request.consumer));
        cmd.option(u"count"_s, QString::number(a.request.batch)).arg(u"--no-ack"_s);
        return cmd.text();
    }
    QString operator()(const AckAction& a) const
    {
        // The CLI answers for what it has just fetched; it knows three of the five answers.
        Command cmd = nats(url, u"consumer next"_s);
        cmd.arg(shellQuoted(a.stream)).arg(shellQuoted(a.consumer));
        switch (a.kind) {
        case AckKind::Ack:
            return cmd.arg(u"--ack"_s).text();
        case AckKind::Nak:
            return cmd.arg(u"--nak"_s).text();
        case AckKind::Term:
            return cmd.arg(u"--term"_s).text();
        case AckKind::NakDelay:
        case AckKind::InProgress:
            break;
        }
        const QString payload = QString::fromUtf8(ackPayload(a.kind, a.delay));
        return u"# ACK_SUBJECT is the reply subject of the message, $JS.ACK.…\n"_s
            + nats(url, u"publish --"_s)
                  .arg(u"\"$ACK_SUBJECT\""_s)
                  .arg(shellQuoted(payload))
                  .text();
    }
    QString operator()(const ReplayAction& a) const
    {
        const QString get =
            nats(url, u"stream get"_s).arg(shellQuoted(a.stream)).arg(u"\"$seq\" --json"_s).text();
        const QString target = a.fixedSubject.isEmpty()
            ? QString(shellQuoted(a.prefix + u'.') + u"\"$(jq -r .subject <<<\"$msg\")\""_s)
            : shellQuoted(a.fixedSubject);
        return u"# Headers and pace are not kept this way; the programs in the other tabs keep "
               u"them.\n"
               u"for seq in $(seq %1 %2); do\n"
               u"  msg=$(%3) || continue\n"
               u"  jq -r .data <<<\"$msg\" | base64 -d | nats -s %4 publish%6 --force-stdin %5\n"
               u"done"_s.arg(QString::number(a.first),
                   QString::number(a.last),
                   get,
                   shellQuoted(url),
                   target,
                   a.stored ? u" --jetstream"_s : QString());
    }
};

struct ToWire
{
    QString operator()(const PublishAction& a) const
    {
        const Message m = firstMessage(a.message);
        const QString reply = a.acked ? u" _INBOX.reply"_s : QString();
        if (m.headers.isEmpty())
            return u"PUB %1%2 %3\n%4"_s.arg(m.subject, reply)
                .arg(m.payload.size())
                .arg(QString::fromUtf8(m.payload));
        QString block = u"NATS/1.0\r\n"_s;
        for (const Header& h : m.headers)
            block += h.name + u": "_s + h.value + u"\r\n"_s;
        block += u"\r\n"_s;
        const qsizetype size = block.toUtf8().size();
        block.remove(u'\r');
        return u"HPUB %1%2 %3 %4\n"_s.arg(m.subject, reply).arg(size).arg(size + m.payload.size())
            + block + QString::fromUtf8(m.payload);
    }
    QString operator()(const FetchAction& a) const
    {
        const ApiRequest r{a.request.subject(), a.request.toJson()};
        return r.subject + u"\n"_s + r.json();
    }
    QString operator()(const AckAction& a) const
    {
        return u"$JS.ACK.%1.%2.…\n"_s.arg(a.stream, a.consumer)
            + QString::fromUtf8(ackPayload(a.kind, a.delay));
    }
    QString operator()(const ReplayAction& a) const
    {
        return u"$JS.API.STREAM.MSG.GET.%1\n{\"seq\":%2}\n"_s.arg(a.stream).arg(a.first)
            + (a.fixedSubject.isEmpty() ? QString(a.prefix + u".<subject>"_s) : a.fixedSubject);
    }
    template<class Admin>
    QString operator()(const Admin& a) const
    {
        const ApiRequest r = *apiRequest(a);
        return r.body.isEmpty() ? r.subject : QString(r.subject + u'\n' + r.json());
    }
};

} // namespace

QString cli(const Action& action, const QString& url, qsizetype columns)
{
    QStringList lines = std::visit(ToCli{url}, action).split(u'\n');
    for (QString& line : lines)
        line = continued(line, columns);
    return lines.join(u'\n');
}

QString wire(const Action& action)
{
    return std::visit(ToWire(), action);
}

} // namespace jetglass::client::same_as
