// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/state_text.h"

#include <QCoreApplication>

namespace jetglass::text {

namespace {

struct StateText
{
    Q_DECLARE_TR_FUNCTIONS(StateText)
};

QString deliveryEvent(FlowKind kind)
{
    switch (kind) {
    case FlowKind::Delivered:
        return StateText::tr("delivered");
    case FlowKind::Acked:
        return StateText::tr("acked");
    case FlowKind::AckedUpTo:
        return StateText::tr("acked up to");
    case FlowKind::Naked:
        return StateText::tr("nak");
    case FlowKind::InProgress:
        return StateText::tr("in progress");
    case FlowKind::Terminated:
        return StateText::tr("terminated");
    case FlowKind::TimedOut:
        return StateText::tr("timed out");
    case FlowKind::Exhausted:
        return StateText::tr("exhausted");
    case FlowKind::FloorMoved:
        return StateText::tr("ack floor");
    case FlowKind::CursorMoved:
        return StateText::tr("cursor moved");
    case FlowKind::PullOpened:
        return StateText::tr("pull opened");
    case FlowKind::PullServed:
        return StateText::tr("pull served");
    case FlowKind::PullEnded:
        return StateText::tr("pull ended");
    case FlowKind::StatusSent:
        return StateText::tr("status sent");
    case FlowKind::HeartbeatSent:
        return StateText::tr("heartbeat");
    case FlowKind::FlowControlSent:
        return StateText::tr("flow control");
    case FlowKind::Stalled:
        return StateText::tr("stalled");
    case FlowKind::Resumed:
        return StateText::tr("moves again");
    default:
        return QString();
    }
}

QString assetEvent(FlowKind kind)
{
    switch (kind) {
    case FlowKind::ClientConnected:
        return StateText::tr("connected");
    case FlowKind::ClientSubscribed:
        return StateText::tr("subscribed");
    case FlowKind::ClientGone:
        return StateText::tr("disconnected");
    case FlowKind::ClientSlow:
        return StateText::tr("slow consumer");
    case FlowKind::StreamCreated:
        return StateText::tr("stream created");
    case FlowKind::StreamChanged:
        return StateText::tr("stream changed");
    case FlowKind::StreamDeleted:
        return StateText::tr("stream deleted");
    case FlowKind::ConsumerCreated:
        return StateText::tr("consumer created");
    case FlowKind::ConsumerChanged:
        return StateText::tr("consumer changed");
    case FlowKind::ConsumerDeleted:
        return StateText::tr("consumer deleted");
    case FlowKind::ConsumerPaused:
        return StateText::tr("paused");
    case FlowKind::ConsumerResumed:
        return StateText::tr("resumed");
    case FlowKind::ConsumerPinned:
        return StateText::tr("pinned");
    case FlowKind::ConsumerUnpinned:
        return StateText::tr("unpinned");
    case FlowKind::MirrorProgress:
        return StateText::tr("mirror progress");
    case FlowKind::ClockChanged:
        return StateText::tr("clock changed");
    case FlowKind::GateActed:
        return StateText::tr("gate acted");
    case FlowKind::FaultTaken:
        return StateText::tr("fault");
    default:
        return QString();
    }
}

QString batchEvent(FlowKind kind)
{
    switch (kind) {
    case FlowKind::BatchOpened:
        return StateText::tr("batch opened");
    case FlowKind::BatchHeld:
        return StateText::tr("waits in a batch");
    case FlowKind::BatchCommitted:
        return StateText::tr("batch committed");
    case FlowKind::BatchAbandoned:
        return StateText::tr("batch abandoned");
    case FlowKind::BatchGap:
        return StateText::tr("gap in a batch");
    case FlowKind::BatchFlowSent:
        return StateText::tr("batch ack");
    case FlowKind::ScheduleSet:
        return StateText::tr("schedule set");
    case FlowKind::ScheduleFired:
        return StateText::tr("schedule fired");
    case FlowKind::ScheduleEnded:
        return StateText::tr("schedule ended");
    default:
        return QString();
    }
}

} // namespace

QString stateName(DeliveryState state)
{
    switch (state) {
    case DeliveryState::NotMatched:
        return StateText::tr("not for this filter");
    case DeliveryState::BeforeStart:
        return StateText::tr("before the consumer's start");
    case DeliveryState::Waiting:
        return StateText::tr("waiting");
    case DeliveryState::Delivered:
        return StateText::tr("delivered");
    case DeliveryState::InProgress:
        return StateText::tr("in progress");
    case DeliveryState::Naked:
        return StateText::tr("nak'd, comes again");
    case DeliveryState::RedeliveryDue:
        return StateText::tr("due for redelivery");
    case DeliveryState::Acked:
        return StateText::tr("acked");
    case DeliveryState::Terminated:
        return StateText::tr("terminated");
    case DeliveryState::Exhausted:
        return StateText::tr("exhausted");
    case DeliveryState::Settled:
        return StateText::tr("settled");
    }
    return QString();
}

bool leftUnsettled(DeliveryState state, ClientId client, Removal removal)
{
    if (removal == Removal::None || removal == Removal::WorkQueueAck
        || removal == Removal::InterestGone)
        return false; // an answer took it away
    return state == DeliveryState::Delivered || state == DeliveryState::InProgress
        || state == DeliveryState::Naked || state == DeliveryState::RedeliveryDue
        || state == DeliveryState::Settled
        || (state == DeliveryState::Terminated && client == ClientId{});
}

QString removalName(Removal cause)
{
    switch (cause) {
    case Removal::None:
        return StateText::tr("not stored");
    case Removal::MaxAge:
        return StateText::tr("max_age");
    case Removal::MaxMsgs:
        return StateText::tr("max_msgs");
    case Removal::MaxBytes:
        return StateText::tr("max_bytes");
    case Removal::MaxPerSubject:
        return StateText::tr("max_msgs_per_subject");
    case Removal::WorkQueueAck:
        return StateText::tr("acked (work queue)");
    case Removal::InterestGone:
        return StateText::tr("no consumer needs it any more");
    case Removal::Purge:
        return StateText::tr("purged");
    case Removal::Delete:
        return StateText::tr("deleted");
    case Removal::Ttl:
        return StateText::tr("its own TTL");
    case Removal::Rollup:
        return StateText::tr("rollup");
    case Removal::NoInterest:
        return StateText::tr("nobody was interested");
    case Removal::Skipped:
        return StateText::tr("never existed (skipped)");
    case Removal::Lost:
        return StateText::tr("lost: damaged on disk");
    case Removal::Unknown:
        return StateText::tr("removed, cause no longer kept");
    }
    return QString();
}

QString eventName(FlowKind kind)
{
    switch (kind) {
    case FlowKind::Published:
        return StateText::tr("published");
    case FlowKind::Refused:
        return StateText::tr("refused");
    case FlowKind::Duplicate:
        return StateText::tr("duplicate");
    case FlowKind::Stored:
        return StateText::tr("stored");
    case FlowKind::Removed:
    case FlowKind::RemovedByFilter:
        return StateText::tr("removed");
    case FlowKind::PubAckSent:
        return StateText::tr("pub ack");
    default:
        break;
    }
    QString delivery = deliveryEvent(kind);
    if (!delivery.isEmpty())
        return delivery;
    const QString batch = batchEvent(kind);
    return batch.isEmpty() ? assetEvent(kind) : batch;
}

QString term(Retention value)
{
    switch (value) {
    case Retention::Interest:
        return QStringLiteral("interest");
    case Retention::WorkQueue:
        return QStringLiteral("workqueue");
    case Retention::Limits:
        break;
    }
    return QStringLiteral("limits");
}

QString term(Discard value)
{
    return value == Discard::New ? QStringLiteral("new") : QStringLiteral("old");
}

QString term(Storage value)
{
    return value == Storage::Memory ? QStringLiteral("memory") : QStringLiteral("file");
}

QString term(Compression value)
{
    return value == Compression::S2 ? QStringLiteral("s2") : QStringLiteral("none");
}

QString term(PersistMode value)
{
    return value == PersistMode::Async ? QStringLiteral("async") : QStringLiteral("default");
}

QString term(DeliverPolicy value)
{
    switch (value) {
    case DeliverPolicy::Last:
        return QStringLiteral("last");
    case DeliverPolicy::New:
        return QStringLiteral("new");
    case DeliverPolicy::ByStartSequence:
        return QStringLiteral("by_start_sequence");
    case DeliverPolicy::ByStartTime:
        return QStringLiteral("by_start_time");
    case DeliverPolicy::LastPerSubject:
        return QStringLiteral("last_per_subject");
    case DeliverPolicy::All:
        break;
    }
    return QStringLiteral("all");
}

QString term(AckPolicy value)
{
    switch (value) {
    case AckPolicy::All:
        return QStringLiteral("all");
    case AckPolicy::Explicit:
        return QStringLiteral("explicit");
    case AckPolicy::FlowControl:
        return QStringLiteral("flow_control");
    case AckPolicy::None:
        break;
    }
    return QStringLiteral("none");
}

QString term(ReplayPolicy value)
{
    return value == ReplayPolicy::Original ? QStringLiteral("original") : QStringLiteral("instant");
}

QString term(PriorityPolicy value)
{
    switch (value) {
    case PriorityPolicy::Overflow:
        return QStringLiteral("overflow");
    case PriorityPolicy::PinnedClient:
        return QStringLiteral("pinned_client");
    case PriorityPolicy::Prioritized:
        return QStringLiteral("prioritized");
    case PriorityPolicy::None:
        break;
    }
    return QStringLiteral("none");
}

} // namespace jetglass::text
