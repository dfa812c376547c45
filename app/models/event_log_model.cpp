// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/event_log_model.h"

#include "items/message_state.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QFontDatabase>

#include <algorithm>

namespace jetglass::models {

using items::Tone;

namespace {

constexpr std::size_t kKept = 20'000;
constexpr std::size_t kBusyFrame = 64; // events in a frame from which on lines are gathered
constexpr int kGatherMs = 100;

Tone toneOf(const FlowEvent& event)
{
    switch (event.kind) {
    case FlowKind::Acked:
    case FlowKind::AckedUpTo:
        return Tone::Done;
    case FlowKind::Delivered:
    case FlowKind::Naked:
    case FlowKind::InProgress:
    case FlowKind::ConsumerPaused:
    case FlowKind::BatchHeld:
    case FlowKind::ScheduleSet:
        return Tone::Waiting;
    case FlowKind::Refused:
    case FlowKind::TimedOut:
    case FlowKind::Exhausted:
    case FlowKind::Terminated:
    case FlowKind::Stalled:
    case FlowKind::ClientSlow:
    case FlowKind::FaultTaken:
    case FlowKind::BatchAbandoned:
    case FlowKind::BatchGap:
        return Tone::Blocked;
    case FlowKind::Stored:
    case FlowKind::Removed:
    case FlowKind::RemovedByFilter:
        return Tone::Normal;
    default:
        return Tone::Muted;
    }
}

} // namespace

EventLogModel::Group EventLogModel::groupOf(FlowKind kind)
{
    switch (kind) {
    case FlowKind::Refused:
    case FlowKind::Duplicate:
    case FlowKind::Stored:
    case FlowKind::Removed:
    case FlowKind::RemovedByFilter:
    case FlowKind::BatchHeld:
    case FlowKind::BatchCommitted:
    case FlowKind::BatchAbandoned:
    case FlowKind::BatchGap:
    case FlowKind::ScheduleSet:
    case FlowKind::ScheduleFired:
    case FlowKind::ScheduleEnded:
        return Messages;
    case FlowKind::Delivered:
    case FlowKind::Acked:
    case FlowKind::AckedUpTo:
    case FlowKind::Naked:
    case FlowKind::InProgress:
    case FlowKind::Terminated:
    case FlowKind::TimedOut:
    case FlowKind::Exhausted:
    case FlowKind::Stalled:
    case FlowKind::Resumed:
        return Deliveries;
    case FlowKind::PullOpened:
    case FlowKind::PullEnded:
        return Requests;
    case FlowKind::Published:
    case FlowKind::PubAckSent:
    case FlowKind::FloorMoved:
    case FlowKind::CursorMoved:
    case FlowKind::PullServed:
    case FlowKind::StatusSent:
    case FlowKind::HeartbeatSent:
    case FlowKind::FlowControlSent:
    case FlowKind::ClientSubscribed:
    case FlowKind::MirrorProgress:
    case FlowKind::BatchOpened:
    case FlowKind::BatchFlowSent:
        return Details;
    default:
        return Assets;
    }
}

EventLogModel::EventLogModel(LiveView& live, ClientDirectory& clients, QObject* parent)
    : QAbstractTableModel(parent)
    , m_live(live)
    , m_clients(clients)
{
    m_gather.setSingleShot(true);
    connect(&m_gather, &QTimer::timeout, this, &EventLogModel::showNews);
    connect(&live.source(), &sources::FlowSource::eventsReady, this, &EventLogModel::take);
    connect(&live.source(), &sources::FlowSource::newestEvents, this, &EventLogModel::take);
    connect(&live.source(), &sources::FlowSource::overviewChanged, this, [this] {
        m_names.learn(*m_live.source().overview());
    });
    connect(&clients, &ClientDirectory::namesChanged, this, [this] {
        if (!m_shown.empty())
            emit dataChanged(index(0, EventColumn), index(rowCount() - 1, DetailColumn));
    });
    m_names.learn(*live.source().overview());
}

int EventLogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int EventLogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const FlowEvent& EventLogModel::at(int row) const
{
    return m_shown[m_shown.size() - 1 - static_cast<std::size_t>(row)];
}

QVariant EventLogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == SeqColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn:
        return tr("Time");
    case WhereColumn:
        return tr("Where");
    case SeqColumn:
        return tr("Sequence");
    case EventColumn:
        return tr("Event");
    default:
        return tr("What");
    }
}

QVariant EventLogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const FlowEvent& event = at(index.row());
    switch (role) {
    case ToneRole:
        return static_cast<int>(index.column() == EventColumn ? toneOf(event) : Tone::Normal);
    case SeqRole:
        return QVariant::fromValue<quint64>(event.seq.value());
    case StreamRole:
        return static_cast<quint32>(event.stream);
    case ConsumerRole:
        return static_cast<quint32>(event.consumer);
    case NumberRole:
        return QVariant::fromValue<quint64>(event.number);
    case Qt::TextAlignmentRole:
        return QVariant(
            Qt::AlignVCenter | (index.column() == SeqColumn ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
        return index.column() == TimeColumn ? text::exactTime(event.time) : QVariant();
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case TimeColumn:
        return text::clockTime(event.time);
    case WhereColumn:
        return where(event);
    case SeqColumn:
        return event.seq.isZero() ? QString() : text::count(event.seq.value());
    case EventColumn:
        return eventText(event);
    default:
        return detail(event);
    }
}

QString EventLogModel::eventText(const FlowEvent& event) const
{
    const QString name = m_delayOver.contains(event.number) ? tr("redelivered after delay")
                                                            : text::eventName(event.kind);
    if (event.kind == FlowKind::Delivered && event.deliveries > 1)
        return QStringLiteral("%1 ×%2").arg(name).arg(event.deliveries);
    const bool answer = event.kind >= FlowKind::Acked && event.kind <= FlowKind::Terminated;
    return answer && m_clients.isOverride(event.client) ? tr("%1 (override)").arg(name) : name;
}

QString EventLogModel::where(const FlowEvent& event) const
{
    if (event.consumer != ConsumerId{}) {
        const QString consumer = m_names.consumer(event.consumer);
        return consumer.isEmpty() ? tr("a consumer") : consumer;
    }
    if (event.stream != StreamId{})
        return m_names.stream(event.stream);
    return m_clients.nameOf(event.client);
}

QString EventLogModel::detail(const FlowEvent& event) const
{
    switch (event.kind) {
    case FlowKind::Stored:
        return text::bytes(event.second)
            + (event.client == ClientId{} ? QString()
                                          : QStringLiteral(" · ") + m_clients.nameOf(event.client));
    case FlowKind::Refused:
        return tr("error %1").arg(event.second);
    case FlowKind::Duplicate:
        return tr("the original is %1").arg(text::count(event.seq.value()));
    case FlowKind::Removed: {
        QString cause = text::removalName(event.cause);
        if (event.second <= event.seq.value())
            return cause;
        return tr("up to %1 · %2").arg(text::count(event.second), cause);
    }
    case FlowKind::RemovedByFilter:
        return tr("%Ln message(s) by filter",
                   nullptr,
                   static_cast<int>(std::min<quint64>(event.second, 2'000'000'000)))
            + QStringLiteral(" · ") + text::removalName(event.cause);
    case FlowKind::ConsumerPaused:
        return tr("until %1").arg(text::moment(event.deadline, event.time));
    case FlowKind::BatchHeld:
        return tr("number %1 of its batch").arg(event.second);
    case FlowKind::BatchCommitted:
    case FlowKind::BatchAbandoned:
        return tr("%Ln message(s)",
            nullptr,
            static_cast<int>(std::min<quint64>(event.second, 2'000'000'000)));
    case FlowKind::ScheduleFired:
        return tr("published as %1").arg(text::count(event.second));
    case FlowKind::ScheduleSet:
        return tr("fires at %1").arg(text::moment(event.deadline, event.time));
    case FlowKind::FloorMoved:
    case FlowKind::CursorMoved:
        return {};
    default:
        break;
    }
    return groupOf(event.kind) == Deliveries ? deliveryDetail(event) : requestDetail(event);
}

QString EventLogModel::deliveryDetail(const FlowEvent& event) const
{
    const QString who = m_clients.nameOf(event.client);
    QStringList parts;
    if (!who.isEmpty())
        parts << who;
    switch (event.kind) {
    case FlowKind::Delivered:
        if (event.deadline > 0)
            parts << tr("ack due %1").arg(text::clockTime(event.deadline));
        break;
    case FlowKind::Naked:
        parts << (event.deadline > event.time
                ? tr("back at %1, keeps its slot").arg(text::clockTime(event.deadline))
                : tr("comes again at once"));
        break;
    case FlowKind::InProgress:
        parts << tr("ack now due %1").arg(text::clockTime(event.deadline));
        break;
    case FlowKind::TimedOut:
        if (m_delayOver.contains(event.number))
            parts << tr("the delay of its nak is over");
        else
            parts << tr("delivery %1 was not acked in time").arg(event.deliveries);
        break;
    case FlowKind::Exhausted:
        parts << tr("%n deliveries without an ack; it stays in the stream",
            nullptr,
            static_cast<int>(event.deliveries));
        break;
    case FlowKind::AckedUpTo:
        parts << tr("%Ln message(s) in one ack",
            nullptr,
            static_cast<int>(std::min<quint64>(event.second, 2'000'000'000)));
        break;
    case FlowKind::Stalled:
        parts << (event.second == 2 ? tr("by flow control")
                                    : tr("every slot is held (max_ack_pending)"));
        break;
    default:
        break;
    }
    return parts.join(QStringLiteral(" · "));
}

QString EventLogModel::requestDetail(const FlowEvent& event) const
{
    const QString who = m_clients.nameOf(event.client);
    QStringList parts;
    if (!who.isEmpty() && event.consumer != ConsumerId{})
        parts << who;
    switch (event.kind) {
    case FlowKind::PullOpened:
        parts << tr("asks for %1").arg(text::count(event.second));
        if (event.deadline > 0)
            parts << tr("until %1").arg(text::clockTime(event.deadline));
        break;
    case FlowKind::PullServed:
        parts << tr("%1 left in the request").arg(text::count(event.second));
        break;
    case FlowKind::PullEnded:
        parts << (event.second == 0 ? tr("request served") : tr("status %1").arg(event.second));
        break;
    case FlowKind::StatusSent:
        parts << tr("status %1").arg(event.second);
        break;
    default:
        break;
    }
    return parts.join(QStringLiteral(" · "));
}

bool EventLogModel::accepts(const FlowEvent& event) const
{
    if (!m_groups.testFlag(groupOf(event.kind)))
        return false;
    if (m_stream != StreamId{} && event.stream != m_stream)
        return false;
    if (m_consumer != ConsumerId{} && event.consumer != m_consumer)
        return false;
    return m_seq.isZero() || event.seq == m_seq;
}

/// The broker has one event for both deadlines; what came before it tells which one has passed.
void EventLogModel::noteDelays(const std::vector<FlowEvent>& events)
{
    for (const FlowEvent& event : events) {
        if (event.kind < FlowKind::Delivered || event.kind > FlowKind::Exhausted)
            continue;
        const std::pair at{event.consumer, event.seq};
        if (event.kind == FlowKind::Naked && event.deadline > event.time)
            m_parked.insert(at);
        else if (m_parked.erase(at) > 0 && event.kind == FlowKind::TimedOut)
            m_delayOver.insert(event.number);
    }
    if (m_parked.size() > kKept)
        m_parked.clear();
    while (m_delayOver.size() > kKept)
        m_delayOver.erase(m_delayOver.begin());
}

void EventLogModel::take(const std::vector<FlowEvent>& events)
{
    noteDelays(events);
    m_all.insert(m_all.end(), events.begin(), events.end());
    if (m_all.size() > kKept)
        m_all.erase(m_all.begin(), m_all.end() - static_cast<std::ptrdiff_t>(kKept));
    if (m_paused)
        return;
    std::copy_if(
        events.begin(), events.end(), std::back_inserter(m_news), [this](const FlowEvent& e) {
            return accepts(e);
        });
    if (m_gather.isActive())
        return;
    // Nobody reads thousands of lines a second: under load a tenth of one comes as one block.
    if (events.size() > kBusyFrame)
        m_gather.start(kGatherMs);
    showNews();
}

void EventLogModel::showNews()
{
    if (m_news.empty() || m_paused)
        return;
    if (m_news.size() > static_cast<std::size_t>(kMaxRows))
        m_news.erase(m_news.begin(), m_news.end() - kMaxRows);
    beginInsertRows({}, 0, static_cast<int>(m_news.size()) - 1);
    m_shown.insert(m_shown.end(), m_news.begin(), m_news.end());
    m_news.clear();
    endInsertRows();
    trim();
}

void EventLogModel::trim()
{
    const int over = rowCount() - kMaxRows;
    if (over <= 0)
        return;
    beginRemoveRows({}, kMaxRows, rowCount() - 1);
    m_shown.erase(m_shown.begin(), m_shown.begin() + over);
    endRemoveRows();
}

void EventLogModel::rebuild()
{
    beginResetModel();
    m_news.clear();
    m_shown.clear();
    std::copy_if(
        m_all.begin(), m_all.end(), std::back_inserter(m_shown), [this](const FlowEvent& e) {
            return accepts(e);
        });
    if (m_shown.size() > static_cast<std::size_t>(kMaxRows))
        m_shown.erase(m_shown.begin(), m_shown.end() - kMaxRows);
    endResetModel();
}

void EventLogModel::setGroups(Groups groups)
{
    if (groups == m_groups)
        return;
    m_groups = groups;
    rebuild();
}

void EventLogModel::setScope(StreamId stream, ConsumerId consumer)
{
    if (stream == m_stream && consumer == m_consumer)
        return;
    m_stream = stream;
    m_consumer = consumer;
    rebuild();
}

void EventLogModel::setSequence(StreamSeq seq)
{
    if (seq == m_seq)
        return;
    m_seq = seq;
    rebuild();
}

void EventLogModel::setPaused(bool paused)
{
    if (paused == m_paused)
        return;
    m_paused = paused;
    if (!paused)
        rebuild();
}

void EventLogModel::clear()
{
    m_all.clear();
    m_delayOver.clear();
    rebuild();
}

void EventLogModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_shown.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

} // namespace jetglass::models
