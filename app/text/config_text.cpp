// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/config_text.h"

#include "text/lane_text.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace jetglass::text {

namespace {

struct ConfigText
{
    Q_DECLARE_TR_FUNCTIONS(ConfigText)
};

QString joined(const std::vector<std::string>& all)
{
    QStringList names;
    for (const std::string& one : all)
        names << QString::fromStdString(one);
    return names.join(QStringLiteral(", "));
}

QString yesNo(bool on)
{
    return on ? ConfigText::tr("yes") : ConfigText::tr("no");
}

QString meaning(Retention value)
{
    switch (value) {
    case Retention::Interest:
        return ConfigText::tr(
            "A message goes when every consumer whose filter matches it has acknowledged it. "
            "Without a matching consumer it is not kept at all.");
    case Retention::WorkQueue:
        return ConfigText::tr("A message goes when it is acknowledged. Consumers' filters must not "
                              "overlap; workers share one consumer.");
    case Retention::Limits:
        break;
    }
    return ConfigText::tr(
        "Messages stay until a limit removes them. Acknowledging removes nothing.");
}

QString meaning(AckPolicy value)
{
    switch (value) {
    case AckPolicy::None:
        return ConfigText::tr("A message counts as done once it is delivered.");
    case AckPolicy::All:
        return ConfigText::tr("An ack settles its message and all before it.");
    case AckPolicy::FlowControl:
        return ConfigText::tr("Flow control answers acknowledge what was delivered.");
    case AckPolicy::Explicit:
        break;
    }
    return ConfigText::tr("Every message needs an ack of its own.");
}

QString meaning(DeliverPolicy value)
{
    switch (value) {
    case DeliverPolicy::Last:
        return ConfigText::tr("Begins with the last message that was there at creation.");
    case DeliverPolicy::New:
        return ConfigText::tr("Begins with what comes after creation.");
    case DeliverPolicy::ByStartSequence:
        return ConfigText::tr("Begins at a given sequence. Read once, at creation.");
    case DeliverPolicy::ByStartTime:
        return ConfigText::tr("Begins at a given time. Read once, at creation.");
    case DeliverPolicy::LastPerSubject:
        return ConfigText::tr("Begins with the last message of each subject.");
    case DeliverPolicy::All:
        break;
    }
    return ConfigText::tr("Begins with the first message. Read once, at creation.");
}

/// Collects rows; a row with the API's default value is marked, so that a view can set it back.
class Rows
{
public:
    void add(const QString& name,
        const QString& value,
        const char* term,
        const QString& meaning,
        bool isDefault = false)
    {
        m_rows.push_back({name, value, QLatin1String(term), meaning, isDefault});
    }
    std::vector<SettingRow> take() { return std::move(m_rows); }

private:
    std::vector<SettingRow> m_rows;
};

void addLimits(Rows& rows, const StreamConfig& c)
{
    rows.add(ConfigText::tr("Messages at most"),
        limit(c.maxMsgs),
        "max_msgs",
        ConfigText::tr("The oldest ones go (discard old) or new ones are refused (discard new)."),
        c.maxMsgs < 0);
    rows.add(ConfigText::tr("Size at most"),
        byteLimit(c.maxBytes),
        "max_bytes",
        ConfigText::tr("Counts subject, headers and payload of each message and a small frame."),
        c.maxBytes < 0);
    rows.add(ConfigText::tr("Age at most"),
        c.maxAge > 0 ? setting(c.maxAge) : ConfigText::tr("no limit"),
        "max_age",
        ConfigText::tr("Older messages go by themselves."),
        c.maxAge <= 0);
    rows.add(ConfigText::tr("Messages per subject"),
        limit(c.maxMsgsPerSubject),
        "max_msgs_per_subject",
        ConfigText::tr("1 keeps the latest value of every subject."),
        c.maxMsgsPerSubject < 0);
    rows.add(ConfigText::tr("One message at most"),
        byteLimit(c.maxMsgSize),
        "max_msg_size",
        ConfigText::tr("A larger message is refused."),
        c.maxMsgSize < 0);
    rows.add(ConfigText::tr("Consumers at most"),
        limit(c.maxConsumers),
        "max_consumers",
        ConfigText::tr("One more is refused."),
        c.maxConsumers < 0);
    rows.add(ConfigText::tr("At a limit"),
        term(c.discard),
        "discard",
        c.discard == Discard::New ? ConfigText::tr("New messages are refused until there is room.")
                                  : ConfigText::tr("The oldest messages make room."),
        c.discard == Discard::Old);
    rows.add(ConfigText::tr("Refuse new per subject"),
        yesNo(c.discardNewPerSubject),
        "discard_new_per_subject",
        ConfigText::tr("With discard new: the limit per subject refuses, too."),
        !c.discardNewPerSubject);
    rows.add(ConfigText::tr("Duplicate window"),
        setting(c.duplicateWindow),
        "duplicate_window",
        ConfigText::tr("A message id that was seen within this time is not stored again. It counts "
                       "from the first sight and does not slide."),
        c.duplicateWindow == 120'000'000'000);
}

void addPermissions(Rows& rows, const StreamConfig& c)
{
    rows.add(ConfigText::tr("Pub acks"),
        c.noAck ? ConfigText::tr("none") : ConfigText::tr("sent"),
        "no_ack",
        ConfigText::tr("Whether a publisher gets an answer."),
        !c.noAck);
    rows.add(ConfigText::tr("Sealed"),
        yesNo(c.sealed),
        "sealed",
        ConfigText::tr("Nothing can be added or removed any more."),
        !c.sealed);
    rows.add(ConfigText::tr("Deleting denied"),
        yesNo(c.denyDelete),
        "deny_delete",
        ConfigText::tr("Single messages cannot be deleted."),
        !c.denyDelete);
    rows.add(ConfigText::tr("Purging denied"),
        yesNo(c.denyPurge),
        "deny_purge",
        ConfigText::tr("The stream cannot be purged."),
        !c.denyPurge);
    rows.add(ConfigText::tr("Rollup allowed"),
        yesNo(c.allowRollup),
        "allow_rollup_hdrs",
        ConfigText::tr("A message with Nats-Rollup replaces all before it."),
        !c.allowRollup);
    rows.add(ConfigText::tr("Direct get"),
        yesNo(c.allowDirect),
        "allow_direct",
        ConfigText::tr("Messages can be read by sequence or subject without the API's queue."),
        !c.allowDirect);
    rows.add(ConfigText::tr("Message TTL allowed"),
        yesNo(c.allowMsgTtl),
        "allow_msg_ttl",
        ConfigText::tr("A message may carry its own lifetime (Nats-TTL)."),
        !c.allowMsgTtl);
    rows.add(ConfigText::tr("Compression"),
        term(c.compression),
        "compression",
        ConfigText::tr("Of sealed message blocks on disk."),
        c.compression == Compression::None);
}

void addDescription(Rows& rows, const std::string& description)
{
    if (!description.empty())
        rows.add(ConfigText::tr("Description"),
            QString::fromStdString(description),
            "description",
            QString());
}

template<class Metadata>
void addMetadata(Rows& rows, const Metadata& metadata)
{
    for (const auto& [key, value] : metadata)
        rows.add(QString::fromStdString(key), QString::fromStdString(value), "metadata", QString());
}

} // namespace

std::vector<SettingRow> settingRows(const StreamConfig& c)
{
    Rows rows;
    addDescription(rows, c.description);
    rows.add(ConfigText::tr("Subjects"),
        c.mirror ? subjects(c) : joined(c.subjects),
        "subjects",
        ConfigText::tr("What is published on these is stored here."));
    rows.add(ConfigText::tr("Retention"),
        term(c.retention),
        "retention",
        meaning(c.retention),
        c.retention == Retention::Limits);
    rows.add(ConfigText::tr("Storage"),
        term(c.storage),
        "storage",
        c.storage == Storage::Memory ? ConfigText::tr("Gone when the broker ends.")
                                     : ConfigText::tr("Survives a restart."),
        c.storage == Storage::File);
    rows.add(ConfigText::tr("Replicas"),
        QString::number(c.replicas),
        "num_replicas",
        ConfigText::tr("One server keeps one copy; more are refused here (error 10074)."),
        c.replicas == 1);
    addLimits(rows, c);
    addPermissions(rows, c);
    if (c.firstSeq > 1)
        rows.add(ConfigText::tr("First sequence"),
            count(c.firstSeq),
            "first_seq",
            ConfigText::tr("The first message got this number."));
    if (!c.sources.empty()) {
        QStringList names;
        for (const StreamSource& source : c.sources)
            names << QString::fromStdString(source.name);
        rows.add(ConfigText::tr("Sources"),
            names.join(QStringLiteral(", ")),
            "sources",
            ConfigText::tr("Messages of these streams are copied in, with new sequences."));
    }
    if (c.republish)
        rows.add(ConfigText::tr("Republish"),
            QString::fromStdString(c.republish->src + " → " + c.republish->dest),
            "republish",
            ConfigText::tr("Stored messages are also sent to Core NATS subscribers."));
    addMetadata(rows, c.metadata);
    return rows.take();
}

namespace {

void addKind(Rows& rows, const ConsumerConfig& c)
{
    rows.add(ConfigText::tr("Kind"),
        c.isPush() ? ConfigText::tr("push") : ConfigText::tr("pull"),
        "deliver_subject",
        c.isPush() ? ConfigText::tr("Messages are sent to %1.")
                         .arg(QString::fromStdString(c.deliverSubject))
                   : ConfigText::tr("Clients ask for messages."));
    rows.add(ConfigText::tr("Durable"),
        yesNo(c.isDurable()),
        "durable_name",
        c.isDurable()
            ? ConfigText::tr("Stays until it is deleted.")
            : ConfigText::tr(
                "Goes by itself when nobody has used it for a while (inactive_threshold)."));
}

void addAcks(Rows& rows, const ConsumerConfig& c)
{
    rows.add(ConfigText::tr("Acks"), term(c.ackPolicy), "ack_policy", meaning(c.ackPolicy));
    if (c.ackPolicy == AckPolicy::None)
        return;
    QStringList steps;
    for (const std::int64_t step : c.backoff)
        steps << setting(step);
    if (!steps.isEmpty())
        rows.add(ConfigText::tr("Again after"),
            steps.join(QStringLiteral(", ")),
            "backoff",
            ConfigText::tr("The wait before each redelivery after an ack did not come. "
                           "Replaces ack_wait; a plain nak ignores it."));
    else
        rows.add(ConfigText::tr("Ack wait"),
            setting(c.ackWait),
            "ack_wait",
            ConfigText::tr("Starts at delivery. When it is over the message is due again."));
    rows.add(ConfigText::tr("Deliveries at most"),
        c.maxDeliver <= 0 ? ConfigText::tr("no limit") : limit(c.maxDeliver),
        "max_deliver",
        ConfigText::tr("After that the message is not delivered again; it stays in the stream."),
        c.maxDeliver <= 0);
    rows.add(ConfigText::tr("Slots"),
        limit(c.maxAckPending),
        "max_ack_pending",
        ConfigText::tr("Deliveries that may wait for an ack at the same time, over all clients "
                       "of this consumer."));
}

} // namespace

std::vector<SettingRow> settingRows(const ConsumerConfig& c)
{
    Rows rows;
    addDescription(rows, c.description);
    addKind(rows, c);
    rows.add(ConfigText::tr("Filter"),
        filters(c),
        "filter_subject(s)",
        ConfigText::tr("Only matching messages are for this consumer."));
    rows.add(ConfigText::tr("Begins with"),
        term(c.deliverPolicy),
        "deliver_policy",
        meaning(c.deliverPolicy),
        c.deliverPolicy == DeliverPolicy::All);
    addAcks(rows, c);
    if (!c.isPush())
        rows.add(ConfigText::tr("Waiting requests at most"),
            limit(c.maxWaiting),
            "max_waiting",
            ConfigText::tr("One more pull request is refused (409)."));
    rows.add(ConfigText::tr("Replay"),
        term(c.replayPolicy),
        "replay_policy",
        c.replayPolicy == ReplayPolicy::Original
            ? ConfigText::tr("With the pauses in which the messages came.")
            : ConfigText::tr("As fast as possible."),
        c.replayPolicy == ReplayPolicy::Instant);
    if (c.isPush() && !c.deliverGroup.empty())
        rows.add(ConfigText::tr("Queue group"),
            QString::fromStdString(c.deliverGroup),
            "deliver_group",
            ConfigText::tr("Subscribers of this group share the messages."));
    if (c.inactiveThreshold > 0)
        rows.add(ConfigText::tr("Inactive at most"),
            setting(c.inactiveThreshold),
            "inactive_threshold",
            ConfigText::tr("Unused for so long, the consumer is removed, a durable one included."));
    if (c.headersOnly)
        rows.add(ConfigText::tr("Headers only"),
            yesNo(true),
            "headers_only",
            ConfigText::tr("Payloads are left out; Nats-Msg-Size tells their size."));
    addMetadata(rows, c.metadata);
    return rows.take();
}

} // namespace jetglass::text
