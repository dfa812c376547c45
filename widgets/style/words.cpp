// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/words.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace jetglass::style {

using items::CellState;
using items::RemovalCause;

namespace {

constexpr qint64 kMs = 1'000'000;
constexpr qint64 kSecond = 1000 * kMs;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

} // namespace

QString Words::state(CellState state)
{
    switch (state) {
    case CellState::NotMatched:
        return tr("not for this filter");
    case CellState::BeforeStart:
        return tr("before the start");
    case CellState::Waiting:
        return tr("waiting");
    case CellState::Delivered:
        return tr("delivered");
    case CellState::InProgress:
        return tr("in progress");
    case CellState::Naked:
        return tr("nak'd, parked");
    case CellState::RedeliveryDue:
        return tr("redelivery due");
    case CellState::Acked:
        return tr("acked");
    case CellState::AckedAbove:
        return tr("acked above the floor");
    case CellState::Terminated:
        return tr("terminated");
    case CellState::Exhausted:
        return tr("exhausted (max_deliver)");
    case CellState::Settled:
        return tr("settled");
    }
    return {};
}

QString Words::stateMeaning(CellState state)
{
    switch (state) {
    case CellState::NotMatched:
        return tr("No filter of this consumer matches the subject.");
    case CellState::BeforeStart:
        return tr("The consumer began behind this message (deliver policy).");
    case CellState::Waiting:
        return tr("Not delivered yet.");
    case CellState::Delivered:
        return tr("A client has it; without an ack it comes back when ack_wait is over.");
    case CellState::InProgress:
        return tr("The client asked for more time (+WPI).");
    case CellState::Naked:
        return tr("The client gave it back; it comes again when the delay is over and keeps its "
                  "place in max_ack_pending until then.");
    case CellState::RedeliveryDue:
        return tr("It should be delivered again, but nobody asks for messages.");
    case CellState::Acked:
        return tr("Done.");
    case CellState::AckedAbove:
        return tr("Done, but an earlier message is not, so the ack floor is still below.");
    case CellState::Terminated:
        return tr("The client refused it for good (+TERM), or it was removed while pending.");
    case CellState::Exhausted:
        return tr("Delivered max_deliver times without an ack. It stays in the stream.");
    case CellState::Settled:
        return tr("Done; how is no longer remembered.");
    }
    return {};
}

QString Words::removal(RemovalCause cause)
{
    switch (cause) {
    case RemovalCause::None:
        return {};
    case RemovalCause::MaxAge:
        return tr("removed by max_age");
    case RemovalCause::MaxMsgs:
        return tr("removed by max_msgs");
    case RemovalCause::MaxBytes:
        return tr("removed by max_bytes");
    case RemovalCause::MaxPerSubject:
        return tr("removed by max_msgs_per_subject");
    case RemovalCause::WorkQueueAck:
        return tr("acked, so it left the work queue");
    case RemovalCause::InterestGone:
        return tr("no consumer needs it any more");
    case RemovalCause::Purge:
        return tr("purged");
    case RemovalCause::Delete:
        return tr("deleted");
    case RemovalCause::Ttl:
        return tr("its own TTL ended");
    case RemovalCause::Rollup:
        return tr("replaced by a rollup");
    case RemovalCause::NoInterest:
        return tr("not stored: no consumer was interested");
    case RemovalCause::Skipped:
        return tr("never existed: the sequence was skipped");
    case RemovalCause::Lost:
        return tr("lost: damaged on disk");
    case RemovalCause::Unknown:
        return tr("removed; the cause is no longer kept");
    }
    return {};
}

QString Words::cell(const items::LaneCell& cell, qint64 now, const QString& holder)
{
    QStringList parts{state(cell.state)};
    if (cell.deliveries > 1) {
        parts << tr("delivery %1").arg(cell.deliveries);
    }
    const bool timed = cell.state == CellState::Delivered || cell.state == CellState::InProgress
        || cell.state == CellState::Naked;
    if (timed && cell.deadline > 0) {
        const qint64 left = std::max<qint64>(0, cell.deadline - now);
        parts << (cell.state == CellState::Naked ? tr("comes again in %1").arg(duration(left))
                                                 : tr("ack due in %1").arg(duration(left)));
    } else if (cell.since > 0 && now >= cell.since && cell.state != CellState::Waiting) {
        parts << tr("%1 ago").arg(duration(now - cell.since));
    }
    if (!holder.isEmpty()) {
        parts << holder;
    }
    if (cell.overridden) {
        parts << tr("by override from this window");
    }
    return parts.join(QStringLiteral(" · "));
}

QString Words::seq(quint64 seq)
{
    return QString::number(seq);
}

QString Words::count(quint64 count)
{
    return QLocale().toString(count);
}

QString Words::size(quint64 bytes)
{
    constexpr double kStep = 1024;
    const QLocale locale;
    if (bytes < 1024) {
        return tr("%1 B").arg(bytes);
    }
    double value = static_cast<double>(bytes) / kStep;
    if (value < kStep) {
        return tr("%1 KiB").arg(locale.toString(value, 'f', 1));
    }
    value /= kStep;
    if (value < kStep) {
        return tr("%1 MiB").arg(locale.toString(value, 'f', 1));
    }
    return tr("%1 GiB").arg(locale.toString(value / kStep, 'f', 1));
}

QString Words::duration(qint64 ns)
{
    const QLocale locale;
    if (ns < kMs) {
        return tr("%1 µs").arg(locale.toString(ns / 1000));
    }
    if (ns < kSecond) {
        return tr("%1 ms").arg(locale.toString(ns / kMs));
    }
    if (ns < 10 * kSecond) {
        const qint64 tenths = ns / (100 * kMs);
        return tr("%1 s").arg(locale.toString(static_cast<double>(tenths) / 10.0, 'f', 1));
    }
    if (ns < kMinute) {
        return tr("%1 s").arg(locale.toString(ns / kSecond));
    }
    if (ns < kHour) {
        return tr("%1 min %2 s").arg(ns / kMinute).arg(ns % kMinute / kSecond);
    }
    if (ns < kDay) {
        return tr("%1 h %2 min").arg(ns / kHour).arg(ns % kHour / kMinute);
    }
    return tr("%1 d %2 h").arg(ns / kDay).arg(ns % kDay / kHour);
}

QString Words::timeOfDay(qint64 wallNs)
{
    if (wallNs <= 0) {
        return {};
    }
    return QDateTime::fromMSecsSinceEpoch(wallNs / kMs).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString Words::dateTime(qint64 wallNs)
{
    if (wallNs <= 0) {
        return {};
    }
    return QDateTime::fromMSecsSinceEpoch(wallNs / kMs)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

} // namespace jetglass::style
