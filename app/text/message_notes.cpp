// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/message_notes.h"

#include "text/quantity.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QStringList>

#include <algorithm>
#include <string_view>

namespace jetglass::text {

namespace {

struct NoteText
{
    Q_DECLARE_TR_FUNCTIONS(NoteText)
};

/// One message while its notes are made.
class Notes
{
public:
    Notes(const MessageRow& row, const StreamConfig& config, qint64 nowNs)
        : m_row(row)
        , m_config(config)
        , m_now(nowNs)
    {
    }

    std::vector<MessageNote> make()
    {
        counter();
        schedule();
        scheduled();
        marker();
        keyOperation();
        rollup();
        lifetime();
        copy();
        batch();
        messageId();
        return std::move(m_notes);
    }

private:
    /// The first header of this name; NATS minds the case.
    [[nodiscard]] QString header(std::string_view name) const
    {
        std::string_view rest(m_row.headers);
        while (!rest.empty()) {
            const std::size_t end = rest.find("\r\n");
            const std::string_view line = rest.substr(0, end);
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
            if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':') {
                const std::string_view value = line.substr(name.size() + 1);
                return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()))
                    .trimmed();
            }
        }
        return {};
    }
    void add(const QString& brief, const QString& sentence)
    {
        m_notes.push_back({brief, sentence});
    }
    [[nodiscard]] QString in(qint64 wallNs) const
    {
        return duration(std::max<qint64>(0, wallNs - m_now));
    }

    void counter();
    void schedule();
    void scheduled();
    void marker();
    void keyOperation();
    void rollup();
    void lifetime();
    void copy();
    void batch();
    void messageId();

    const MessageRow& m_row;
    const StreamConfig& m_config;
    qint64 m_now;
    std::vector<MessageNote> m_notes;
};

void Notes::counter()
{
    const QString step = header("Nats-Incr");
    if (!m_config.allowMsgCounter || step.isEmpty())
        return;
    const QByteArray payload(m_row.payload.data(), static_cast<qsizetype>(m_row.payload.size()));
    const QString value =
        QJsonDocument::fromJson(payload).object().value(QStringLiteral("val")).toString();
    if (value.isEmpty())
        return;
    const QString added = step.startsWith(u'+') || step.startsWith(u'-') ? step : u'+' + step;
    add(NoteText::tr("counter at %1 (%2)").arg(value, added),
        NoteText::tr("The counter of its subject stands at %1 after %2 (Nats-Incr).")
            .arg(value, added));
}

void Notes::schedule()
{
    const QString pattern = header("Nats-Schedule");
    if (!m_config.allowMsgSchedules || pattern.isEmpty())
        return;
    const QString target = header("Nats-Schedule-Target");
    QString sentence =
        NoteText::tr("A schedule: %1 stores a message on %2 (Nats-Schedule).").arg(pattern, target);
    const QString source = header("Nats-Schedule-Source");
    if (!source.isEmpty())
        sentence +=
            u' ' + NoteText::tr("It takes the content of the last message on %1.").arg(source);
    sentence += u' '
        + (m_row.firesAt == 0 ? NoteText::tr("It is over.")
                              : NoteText::tr("Next in %1.").arg(in(m_row.firesAt)));
    add(NoteText::tr("schedule %1 → %2").arg(pattern, target), sentence);
}

void Notes::scheduled()
{
    const QString scheduler = header("Nats-Scheduler");
    if (scheduler.isEmpty())
        return;
    const QString next = header("Nats-Schedule-Next");
    QString sentence =
        NoteText::tr("Stored by the schedule on %1 (Nats-Scheduler).").arg(scheduler);
    const QDateTime moment = QDateTime::fromString(next, Qt::ISODateWithMs);
    if (next == u"purge")
        sentence += u' ' + NoteText::tr("The schedule ended with it.");
    else if (moment.isValid())
        sentence += u' '
            + NoteText::tr("The schedule's next time was to be %1.")
                  .arg(text::moment(moment.toMSecsSinceEpoch() * 1'000'000, m_now));
    add(NoteText::tr("from schedule %1").arg(scheduler), sentence);
}

void Notes::marker()
{
    const QString reason = header("Nats-Marker-Reason");
    if (reason.isEmpty())
        return;
    QString why;
    if (reason == u"MaxAge")
        why = NoteText::tr("the last message of its subject became too old");
    else if (reason == u"Purge")
        why = NoteText::tr("its subject was purged");
    else if (reason == u"Remove")
        why = NoteText::tr("the last message of its subject was deleted");
    else
        why = reason;
    add(NoteText::tr("delete marker: %1").arg(reason),
        NoteText::tr("A delete marker: %1 (Nats-Marker-Reason).").arg(why));
}

void Notes::keyOperation()
{
    const QString operation = header("KV-Operation");
    if (operation == u"DEL")
        add(NoteText::tr("key deleted"),
            NoteText::tr("The key of a bucket was deleted; its history stays (KV-Operation)."));
    else if (operation == u"PURGE")
        add(NoteText::tr("key purged"),
            NoteText::tr("The key of a bucket was purged, with its history (KV-Operation)."));
}

void Notes::rollup()
{
    const QString which = header("Nats-Rollup").toLower();
    // A marker and a purged key say what they replaced themselves.
    const QString brief = m_notes.empty() ? NoteText::tr("rollup") : QString();
    if (which == u"sub")
        add(brief, NoteText::tr("It replaced all earlier messages of its subject (Nats-Rollup)."));
    else if (which == u"all")
        add(brief, NoteText::tr("It replaced all earlier messages of the stream (Nats-Rollup)."));
}

void Notes::lifetime()
{
    const QString ttl = m_config.allowMsgTtl ? header("Nats-TTL") : QString();
    if (ttl.compare(u"never", Qt::CaseInsensitive) == 0) {
        add(NoteText::tr("TTL never"),
            NoteText::tr("No age takes it: max_age does not count for it (Nats-TTL: never)."));
        return;
    }
    bool isNumber = false;
    ttl.toLongLong(&isNumber);
    const QString written = isNumber ? ttl + QStringLiteral("s") : ttl;
    const QString brief = ttl.isEmpty() ? QString() : NoteText::tr("TTL %1").arg(written);
    if (m_row.endsBy == Removal::Ttl)
        add(brief,
            NoteText::tr("It goes in %1 by its own TTL of %2 (Nats-TTL).")
                .arg(in(m_row.endsAt), written));
    else if (m_row.endsBy == Removal::MaxAge)
        add(brief, NoteText::tr("It goes in %1 by max_age.").arg(in(m_row.endsAt)));
}

/// "ORIGIN sequence filter transform subject"; the name of a foreign origin ends with a hash.
void Notes::copy()
{
    const QStringList parts = header("Nats-Stream-Source").split(u' ', Qt::SkipEmptyParts);
    if (parts.size() < 2)
        return;
    const QString origin = parts[0].section(u':', 0, 0);
    QString sentence = NoteText::tr("Copied from %1, where it has the sequence %2 "
                                    "(Nats-Stream-Source).")
                           .arg(origin, count(parts[1].toULongLong()));
    if (parts.size() >= 5 && parts[4] != QString::fromStdString(m_row.subject))
        sentence += u' ' + NoteText::tr("Its subject there is %1.").arg(parts[4]);
    add(NoteText::tr("from %1").arg(origin), sentence);
}

void Notes::batch()
{
    const QString id = header("Nats-Batch-Id");
    const QString place = header("Nats-Batch-Sequence");
    if (id.isEmpty() || place.isEmpty())
        return;
    const QString commit = header("Nats-Batch-Commit");
    QString sentence = NoteText::tr("Number %1 of the batch %2 (Nats-Batch-Id).").arg(place, id);
    if (!commit.isEmpty())
        sentence += u' ' + NoteText::tr("It committed the batch.");
    add(NoteText::tr("batch %1").arg(place), sentence);
}

void Notes::messageId()
{
    const QString id = header("Nats-Msg-Id");
    if (id.isEmpty())
        return;
    const qint64 until = m_row.time + m_config.duplicateWindow;
    if (m_config.duplicateWindow <= 0 || until <= m_now)
        add({}, NoteText::tr("Its message id is %1; duplicate_window is over.").arg(id));
    else
        add({},
            NoteText::tr("Its message id is %1: for another %2 a second one is dropped as a "
                         "duplicate (duplicate_window).")
                .arg(id, in(until)));
}

} // namespace

std::vector<MessageNote> messageNotes(
    const MessageRow& row, const StreamConfig& config, qint64 nowNs)
{
    return Notes(row, config, nowNs).make();
}

} // namespace jetglass::text
