// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/embedded_source.h"

#include <QPointer>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace jetglass::sources {

namespace {

constexpr int kCalmFrames = 20; // about a third of a second below the limit ends summarizing
constexpr int kTickFrames = 6; // 10 Hz
constexpr std::size_t kNewest = 500; // more than anybody reads in a tenth of a second
constexpr qint64 kCountsEveryMs = 250;
constexpr qint64 kIdleEveryMs = 1000; // core NATS traffic moves counters without an event
constexpr qint64 kClockSlack = 250'000'000; // answers travel; only a moved clock differs by more

qint64 systemNow()
{
    using namespace std::chrono;
    return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

/// After these the explorer has other rows or other settings.
bool changesStructure(FlowKind kind)
{
    switch (kind) {
    case FlowKind::StreamCreated:
    case FlowKind::StreamChanged:
    case FlowKind::StreamDeleted:
    case FlowKind::ConsumerCreated:
    case FlowKind::ConsumerChanged:
    case FlowKind::ConsumerDeleted:
    case FlowKind::ConsumerPaused:
    case FlowKind::ConsumerResumed:
    case FlowKind::ClockChanged:
    case FlowKind::RemovedByFilter:
        return true;
    default:
        return false;
    }
}

} // namespace

EmbeddedSource::EmbeddedSource(Broker& broker, QObject* parent)
    : EmbeddedSource(broker, FlowRing::kCapacity, parent)
{
}

EmbeddedSource::EmbeddedSource(Broker& broker, std::size_t ringCapacity, QObject* parent)
    : FlowSource(parent)
    , m_broker(broker)
    , m_ring(ringCapacity)
{
    m_bridge->receiver = this;
    m_broker.addObserver(m_ring);
    m_frameTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_frameTimer, &QTimer::timeout, this, &EmbeddedSource::frame);
    m_frameTimer.start(kFrameMs);
    refreshOverview();
}

EmbeddedSource::~EmbeddedSource()
{
    m_broker.removeObserver(m_ring);
    const std::lock_guard lock(m_bridge->mutex);
    m_bridge->receiver = nullptr;
}

QString EmbeddedSource::serverUrl() const
{
    return QStringLiteral("nats://%1:%2")
        .arg(QString::fromStdString(m_broker.host()))
        .arg(m_broker.port());
}

qint64 EmbeddedSource::now() const
{
    return systemNow() + m_clockOffset;
}

void EmbeddedSource::frame()
{
    m_events.clear();
    m_ring.drain(m_events);
    const quint64 dropped = m_ring.dropped();
    if (dropped != m_lost) {
        m_lost = dropped;
        emit lostEventsChanged(m_lost);
        emit eventsSkipped();
        refreshOverview();
    }
    if (m_events.size() > kFoldLimit) {
        m_calmFrames = 0;
        setSummarizing(true);
    } else if (m_summarizing && ++m_calmFrames > kCalmFrames) {
        setSummarizing(false);
        handOutNewest();
        emit eventsSkipped();
    }
    scheduleOverview(m_events);
    if (m_summarizing) {
        const std::size_t kept = std::min(m_events.size(), kNewest);
        m_newest.insert(
            m_newest.end(), m_events.end() - static_cast<std::ptrdiff_t>(kept), m_events.end());
        if (m_newest.size() > kNewest)
            m_newest.erase(m_newest.begin(), m_newest.end() - static_cast<std::ptrdiff_t>(kNewest));
        if (++m_framesSinceTick >= kTickFrames) {
            m_framesSinceTick = 0;
            refreshOverview();
            handOutNewest();
            emit summaryTick();
        }
        return;
    }
    if (!m_events.empty())
        emit eventsReady(m_events);
}

void EmbeddedSource::handOutNewest()
{
    if (!m_newest.empty())
        emit newestEvents(m_newest);
    m_newest.clear();
}

void EmbeddedSource::setSummarizing(bool on)
{
    if (m_summarizing == on)
        return;
    m_summarizing = on;
    m_framesSinceTick = kTickFrames;
    if (on)
        emit eventsSkipped();
    emit summarizingChanged(on);
}

void EmbeddedSource::scheduleOverview(const std::vector<FlowEvent>& events)
{
    m_countsDirty = m_countsDirty || !events.empty();
    const bool structure =
        !m_summarizing && std::any_of(events.begin(), events.end(), [](const FlowEvent& e) {
            return changesStructure(e.kind);
        });
    const qint64 age = m_overviewAge.isValid() ? m_overviewAge.elapsed() : kIdleEveryMs;
    if (structure || m_overviewWanted || age >= kIdleEveryMs
        || (m_countsDirty && age >= kCountsEveryMs))
        refreshOverview();
}

void EmbeddedSource::refreshOverview()
{
    if (m_overviewAsked) {
        m_overviewWanted = true;
        return;
    }
    m_overviewAsked = true;
    m_overviewWanted = false;
    m_countsDirty = false;
    m_overviewAge.start();
    m_broker.askOverview(toGuiThread<BrokerOverview>(this, [this](const BrokerOverview& answer) {
        takeOverview(std::make_shared<const BrokerOverview>(answer));
    }));
}

void EmbeddedSource::takeOverview(std::shared_ptr<const BrokerOverview> overview)
{
    m_overviewAsked = false;
    const qint64 offset = overview->time - systemNow();
    m_clockOffset = std::abs(offset) < kClockSlack ? 0 : offset;
    setOverview(std::move(overview));
}

template<class Answer>
std::function<void(Answer)> EmbeddedSource::toGuiThread(QObject* context, Reply<Answer> reply)
{
    countQuestion();
    return [bridge = m_bridge, guard = QPointer<QObject>(context), reply = std::move(reply)](
               Answer answer) {
        const std::lock_guard lock(bridge->mutex);
        if (!bridge->receiver)
            return;
        auto kept = std::make_shared<const Answer>(std::move(answer));
        QMetaObject::invokeMethod(
            bridge->receiver,
            [guard, reply, kept] {
                if (guard)
                    reply(*kept);
            },
            Qt::QueuedConnection);
    };
}

void EmbeddedSource::ask(RangeQuestion question, QObject* context, Reply<RangeAnswer> reply)
{
    m_broker.ask(std::move(question), toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::ask(DensityQuestion question, QObject* context, Reply<DensityAnswer> reply)
{
    m_broker.ask(std::move(question), toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::ask(MessageQuestion question, QObject* context, Reply<MessageAnswer> reply)
{
    m_broker.ask(std::move(question), toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::ask(ExplainQuestion question, QObject* context, Reply<ExplainAnswer> reply)
{
    m_broker.ask(question, toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::ask(PreviewQuestion question, QObject* context, Reply<PreviewAnswer> reply)
{
    m_broker.ask(std::move(question), toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::ask(RemovalsQuestion question, QObject* context, Reply<RemovalsAnswer> reply)
{
    m_broker.ask(question, toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::askDedup(StreamId stream, QObject* context, Reply<DedupAnswer> reply)
{
    m_broker.askDedup(stream, toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::askPulls(
    StreamId stream, ConsumerId consumer, QObject* context, Reply<PullsAnswer> reply)
{
    m_broker.askPulls(stream, consumer, toGuiThread(context, std::move(reply)));
}

void EmbeddedSource::askClients(QObject* context, Reply<ClientsAnswer> reply)
{
    m_broker.askClients(toGuiThread(context, std::move(reply)));
}

} // namespace jetglass::sources
