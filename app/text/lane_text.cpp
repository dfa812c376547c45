// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/lane_text.h"

#include "text/quantity.h"
#include "text/state_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace jetglass::text {

namespace {

struct LaneText
{
    Q_DECLARE_TR_FUNCTIONS(LaneText)
};

const QString kDot = QStringLiteral(" · ");

QString listed(const std::vector<std::string>& all, int atMost)
{
    QStringList names;
    for (const std::string& one : all) {
        if (names.size() == atMost)
            break;
        names << QString::fromStdString(one);
    }
    const int rest = static_cast<int>(all.size()) - static_cast<int>(names.size());
    const QString text = names.join(QStringLiteral(", "));
    return rest > 0 ? LaneText::tr("%1 and %n more", nullptr, rest).arg(text) : text;
}

} // namespace

QString subjects(const StreamConfig& config, int atMost)
{
    if (config.mirror)
        return LaneText::tr("mirror of %1").arg(QString::fromStdString(config.mirror->name));
    return listed(config.subjects, atMost);
}

QString filters(const ConsumerConfig& config)
{
    if (config.filterSubjects && !config.filterSubjects->empty())
        return listed(*config.filterSubjects, 3);
    if (!config.filterSubject.empty())
        return QString::fromStdString(config.filterSubject);
    return LaneText::tr("everything");
}

QString streamSummary(const StreamConfig& config)
{
    QStringList parts{subjects(config), term(config.retention), term(config.storage)};
    if (config.maxAge > 0)
        parts << QStringLiteral("max_age ") + setting(config.maxAge);
    if (config.maxMsgs >= 0)
        parts << QStringLiteral("max_msgs ") + limit(config.maxMsgs);
    if (config.maxBytes >= 0)
        parts << QStringLiteral("max_bytes ") + byteLimit(config.maxBytes);
    if (config.maxMsgsPerSubject >= 0)
        parts << QStringLiteral("max_msgs_per_subject ") + limit(config.maxMsgsPerSubject);
    if (config.discard == Discard::New)
        parts << QStringLiteral("discard new");
    if (config.sealed)
        parts << QStringLiteral("sealed");
    parts.removeAll(QString());
    return parts.join(kDot);
}

QString consumerSummary(const ConsumerConfig& config)
{
    QStringList parts;
    if (config.isPush())
        parts << LaneText::tr("push → %1").arg(QString::fromStdString(config.deliverSubject));
    else
        parts << LaneText::tr("pull");
    parts << LaneText::tr("ack %1").arg(term(config.ackPolicy));
    if (!config.filterSubject.empty() || (config.filterSubjects && !config.filterSubjects->empty()))
        parts << LaneText::tr("filter %1").arg(filters(config));
    if (config.ackPolicy != AckPolicy::None) {
        if (!config.backoff.empty())
            parts << QStringLiteral("backoff ") + setting(config.backoff.front())
                    + QStringLiteral(" …");
        else if (config.ackWait > 0)
            parts << QStringLiteral("ack_wait ") + setting(config.ackWait);
    }
    return parts.join(kDot);
}

QString nextOut(const StreamOverview& stream, qint64 nowNs)
{
    if (stream.nextRemoval == Removal::None || stream.nextRemovalSeq.isZero())
        return {};
    const QString seq = count(stream.nextRemovalSeq.value());
    if (stream.nextRemovalAt == 0)
        return LaneText::tr("next out by %1: %2, at the next publish")
            .arg(removalName(stream.nextRemoval), seq);
    const qint64 left = std::max<qint64>(0, stream.nextRemovalAt - nowNs);
    return LaneText::tr("next out by %1: %2 in %3")
        .arg(removalName(stream.nextRemoval), seq, duration(left));
}

QString upstreams(const StreamOverview& stream)
{
    if (stream.upstreams.empty())
        return {};
    const auto broken = std::find_if(stream.upstreams.begin(),
        stream.upstreams.end(),
        [](const UpstreamStatus& one) { return !one.error.empty(); });
    if (broken != stream.upstreams.end())
        return QStringLiteral("%1: %2").arg(
            QString::fromStdString(broken->name), QString::fromStdString(broken->error));
    quint64 lag = 0;
    for (const UpstreamStatus& one : stream.upstreams)
        lag += one.lag;
    const int many = static_cast<int>(stream.upstreams.size());
    const QString name = many == 1 ? QString::fromStdString(stream.upstreams.front().name)
                                   : LaneText::tr("%n source(s)", nullptr, many);
    return lag == 0 ? LaneText::tr("in step with %1").arg(name)
                    : LaneText::tr("%1 behind %2 (lag)").arg(count(lag), name);
}

QString schedules(const StreamOverview& stream, qint64 nowNs)
{
    if (stream.schedules.schedules == 0)
        return {};
    QString many = LaneText::tr("%n schedule(s)",
        nullptr,
        static_cast<int>(std::min<std::uint64_t>(stream.schedules.schedules, 2'000'000'000)));
    if (stream.schedules.nextAt == 0)
        return many;
    return LaneText::tr("%1, next in %2")
        .arg(many, duration(std::max<qint64>(0, stream.schedules.nextAt - nowNs)));
}

QString pinned(const ConsumerOverview& consumer, const QString& client)
{
    if (!consumer.pinned)
        return {};
    return client.isEmpty()
        ? LaneText::tr("pinned (%1)").arg(QString::fromStdString(consumer.pinned->group))
        : LaneText::tr("pinned to %1 (%2)")
              .arg(client, QString::fromStdString(consumer.pinned->group));
}

QString stall(const ConsumerConfig& config, const ConsumerCounts& counts, qint64 nowNs)
{
    if (counts.paused && counts.pausedUntil > nowNs)
        return LaneText::tr("paused for another %1 (pause_until)")
            .arg(duration(counts.pausedUntil - nowNs));
    const quint64 ready = counts.pending + counts.redeliveryQueue;
    if (ready == 0)
        return {};
    if (counts.stalled
        || (config.maxAckPending > 0
            && counts.ackPending >= static_cast<quint64>(config.maxAckPending)
            && config.ackPolicy != AckPolicy::None))
        return LaneText::tr("stalled: all %1 slots are held (max_ack_pending)")
            .arg(limit(config.maxAckPending));
    if (config.isPush())
        return counts.pushBound ? QString()
                                : LaneText::tr("nobody subscribes to %1 (deliver_subject)")
                                      .arg(QString::fromStdString(config.deliverSubject));
    if (counts.waitingPulls > 0)
        return {};
    if (counts.lastPullAt == 0)
        return LaneText::tr("nobody asks: no pull request yet");
    // A client between two requests is no news.
    const qint64 since = nowNs - counts.lastPullAt;
    if (since < 1'000'000'000)
        return {};
    return LaneText::tr("nobody asks: no pull request for %1").arg(duration(since));
}

QString slotLine(const ConsumerConfig& config, const ConsumerCounts& counts)
{
    QStringList parts;
    if (config.ackPolicy != AckPolicy::None && counts.ackPending > 0) {
        if (config.maxAckPending > 0 && config.maxAckPending < 1000)
            parts << LaneText::tr("%1 of %2 slots held")
                         .arg(count(counts.ackPending), limit(config.maxAckPending));
        else
            parts << LaneText::tr("%1 await ack").arg(count(counts.ackPending));
    }
    if (counts.redeliveryQueue > 0)
        parts << LaneText::tr("%1 due again").arg(count(counts.redeliveryQueue));
    if (counts.pending > 0)
        parts << LaneText::tr("%1 to come").arg(count(counts.pending));
    if (parts.isEmpty())
        return counts.deliveredConsumerSeq.isZero() ? LaneText::tr("nothing delivered yet")
                                                    : LaneText::tr("all done");
    return parts.join(kDot);
}

} // namespace jetglass::text
