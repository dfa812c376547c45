// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/lane_feed.h"

#include "text/lane_text.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <algorithm>

namespace jetglass::models {

using items::CellState;

namespace {

constexpr quint64 kBeforeFirst = 24; // as many as the lanes show before the first one
constexpr quint64 kTailKept = 100; // removed sequences that stay in view behind the newest message
constexpr quint64 kFloorScan = 1024;
constexpr quint64 kAskAtMost = 4096;
constexpr int kAskPauseMs = 12;

CellState cellState(DeliveryState state, quint64 seq, quint64 floor)
{
    switch (state) {
    case DeliveryState::NotMatched:
        return CellState::NotMatched;
    case DeliveryState::BeforeStart:
        return CellState::BeforeStart;
    case DeliveryState::Waiting:
        return CellState::Waiting;
    case DeliveryState::Delivered:
        return CellState::Delivered;
    case DeliveryState::InProgress:
        return CellState::InProgress;
    case DeliveryState::Naked:
        return CellState::Naked;
    case DeliveryState::RedeliveryDue:
        return CellState::RedeliveryDue;
    case DeliveryState::Acked:
        return seq > floor ? CellState::AckedAbove : CellState::Acked;
    case DeliveryState::Terminated:
        return CellState::Terminated;
    case DeliveryState::Exhausted:
        return CellState::Exhausted;
    case DeliveryState::Settled:
        break;
    }
    return CellState::Settled;
}

bool holdsFloor(DeliveryState state)
{
    return state == DeliveryState::Delivered || state == DeliveryState::InProgress
        || state == DeliveryState::Naked || state == DeliveryState::RedeliveryDue;
}

bool sameTexts(const items::LaneItem& a, const items::LaneItem& b)
{
    return a.name == b.name && a.kind == b.kind && a.status == b.status
        && a.statusTone == b.statusTone && a.delivered == b.delivered && a.ackFloor == b.ackFloor
        && a.floorNote == b.floorNote && a.stall == b.stall && a.pull == b.pull
        && a.start == b.start;
}

/// Red when a stream cannot reach what it copies, amber while it lags.
items::Tone copyTone(const StreamOverview& stream)
{
    items::Tone tone = items::Tone::Muted;
    for (const UpstreamStatus& one : stream.upstreams) {
        if (!one.error.empty())
            return items::Tone::Blocked;
        if (one.lag > 0)
            tone = items::Tone::Waiting;
    }
    return tone;
}

} // namespace

LaneFeed::LaneFeed(LiveView& live, ClientDirectory& clients, SubjectHues& hues, QObject* parent)
    : items::LaneSource(parent)
    , m_live(live)
    , m_clients(clients)
    , m_density(live.source())
    , m_hues(hues)
    , m_streamCells(this)
    , m_laneCells(this)
{
    m_askTimer.setSingleShot(true);
    m_askTimer.setInterval(kAskPauseMs);
    connect(&m_askTimer, &QTimer::timeout, this, &LaneFeed::askMissing);
    connect(&m_density, &DensityFeed::changed, this, &LaneFeed::densityChanged);
    connect(&live, &LiveView::structureChanged, this, &LaneFeed::rebuildLanes);
    connect(&live, &LiveView::countsChanged, this, [this](StreamId id) {
        if (id != m_stream)
            return;
        updateBounds();
        updateTexts();
    });
    connect(&live, &LiveView::cellsChanged, this, [this](StreamId id, quint64 first, quint64 last) {
        if (id != m_stream)
            return;
        m_density.markStale();
        emit changed(first, last);
        if (m_wantedLast >= m_wantedFirst && !m_askTimer.isActive() && !m_asked)
            m_askTimer.start();
    });
    connect(&live.source(), &sources::FlowSource::summaryTick, this, [this] {
        m_density.markStale();
        ask(std::max(m_wantedFirst, lowest()), std::min<quint64>(m_wantedLast, m_last));
    });
    connect(&live.source(), &sources::FlowSource::overviewChanged, this, &LaneFeed::askPulls);
    connect(
        &clients, &ClientDirectory::namesChanged, this, [this] { emit changed(m_first, m_last); });
}

LaneFeed::~LaneFeed()
{
    if (m_stream != StreamId{})
        m_live.unwatch(m_stream);
}

void LaneFeed::setStream(StreamId stream)
{
    if (stream == m_stream)
        return;
    if (m_stream != StreamId{})
        m_live.unwatch(m_stream);
    m_stream = stream;
    m_hues.setStream(stream);
    m_pulls.clear();
    m_wantedFirst = 1;
    m_wantedLast = 0;
    m_first = 1;
    m_last = 0;
    if (m_stream != StreamId{})
        m_live.watch(m_stream);
    rebuildLanes();
}

ConsumerId LaneFeed::consumerAt(int lane) const
{
    if (lane < 0 || lane >= static_cast<int>(m_consumers.size()))
        return {};
    return m_consumers[static_cast<std::size_t>(lane)];
}

int LaneFeed::laneOf(ConsumerId consumer) const
{
    const auto it = std::find(m_consumers.begin(), m_consumers.end(), consumer);
    return it == m_consumers.end() ? -1 : static_cast<int>(it - m_consumers.begin());
}

void LaneFeed::retranslate()
{
    rebuildLanes();
}

void LaneFeed::rebuildLanes()
{
    m_consumers.clear();
    m_lanes.clear();
    m_streamItem = {};
    if (const StreamOverview* stream = m_live.source().stream(m_stream)) {
        for (const ConsumerOverview& consumer : stream->consumers) {
            m_consumers.push_back(consumer.id);
            m_lanes.push_back(laneItem(consumer));
        }
        m_streamItem = streamItem(*stream);
    }
    m_density.setStream(m_stream, m_consumers);
    updateBounds();
    emit lanesChanged();
    emit streamUpdated();
    if (!m_askTimer.isActive())
        m_askTimer.start();
}

void LaneFeed::updateTexts()
{
    const StreamOverview* stream = m_live.source().stream(m_stream);
    if (!stream || stream->consumers.size() != m_consumers.size())
        return;
    for (std::size_t i = 0; i < m_consumers.size(); ++i) {
        if (stream->consumers[i].id != m_consumers[i])
            return;
        items::LaneItem fresh = laneItem(stream->consumers[i]);
        if (sameTexts(fresh, m_lanes[i]))
            continue;
        const bool floorMoved = fresh.ackFloor != m_lanes[i].ackFloor;
        const quint64 from = std::min<quint64>(fresh.ackFloor, m_lanes[i].ackFloor);
        const quint64 to = std::max<quint64>(fresh.ackFloor, m_lanes[i].ackFloor);
        m_lanes[i] = std::move(fresh);
        emit laneUpdated(static_cast<int>(i));
        if (floorMoved)
            emit changed(from, to);
    }
    m_streamItem = streamItem(*stream);
    emit streamUpdated();
}

/// The first sequence that a view shows.
quint64 LaneFeed::lowest() const
{
    return m_first > kBeforeFirst ? m_first - kBeforeFirst : 1;
}

void LaneFeed::updateBounds()
{
    const fold::StreamView* view = m_live.stream(m_stream);
    quint64 first = 1;
    quint64 last = 0;
    if (view) {
        last = view->counts.last.value();
        first = std::max<quint64>(1,
            std::min<quint64>(
                view->counts.first.value(), last > kTailKept ? last - kTailKept + 1 : 1));
        if (const StreamOverview* stream = m_live.source().stream(m_stream))
            first = std::max<quint64>(first, stream->config.firstSeq);
    }
    if (first == m_first && last == m_last)
        return;
    m_first = first;
    m_last = last;
    emit boundsChanged();
}

items::StreamItem LaneFeed::streamItem(const StreamOverview& stream) const
{
    items::StreamItem item;
    item.name = QString::fromStdString(stream.name);
    item.kind = text::streamSummary(stream.config);
    const fold::StreamView* view = m_live.stream(m_stream);
    const StreamCounts& counts = view ? view->counts : stream.counts;
    QStringList parts{tr("%Ln message(s)",
                          nullptr,
                          static_cast<int>(std::min<quint64>(counts.messages, 2'000'000'000))),
        text::bytes(counts.bytes)};
    if (stream.counts.deleted > 0)
        parts << tr("%1 missing between").arg(text::count(stream.counts.deleted));
    item.statusTone = copyTone(stream);
    // The header is narrow: what gives it its colour must not be cut off.
    if (const QString copied = text::upstreams(stream); item.statusTone != items::Tone::Muted)
        parts.prepend(copied);
    else
        parts << copied;
    parts << text::schedules(stream, now());
    parts.removeAll(QString());
    item.status = parts.join(QStringLiteral(" · "));
    item.nextOutText = text::nextOut(stream, now());
    item.nextOut = item.nextOutText.isEmpty() ? 0 : stream.nextRemovalSeq.value();
    if (counts.lastTime > 0 && counts.messages > 0)
        item.tailText = text::moment(counts.lastTime, now());
    return item;
}

items::LaneItem LaneFeed::laneItem(const ConsumerOverview& consumer) const
{
    items::LaneItem item;
    const fold::ConsumerView* view = m_live.consumer(consumer.id);
    const ConsumerCounts& counts = view ? view->counts : consumer.counts;
    item.name = QString::fromStdString(consumer.name);
    item.kind = text::consumerSummary(consumer.config);
    item.status = text::slotLine(consumer.config, counts);
    if (const QString pinned = text::pinned(
            consumer, consumer.pinned ? m_clients.nameOf(consumer.pinned->client) : QString());
        !pinned.isEmpty())
        item.status += QStringLiteral(" · ") + pinned;
    item.start = view ? view->startSeq : 0;
    item.delivered = counts.deliveredStreamSeq.value();
    item.ackFloor = counts.floorStreamSeq.value();
    item.stall = text::stall(consumer.config, counts, now());
    if (!item.stall.isEmpty())
        item.statusTone = items::Tone::Blocked;
    else if (counts.ackPending > 0)
        item.statusTone = items::Tone::Waiting;
    if (view)
        item.floorNote = floorNote(*view);
    if (const auto pull = m_pulls.find(consumer.id);
        pull != m_pulls.end() && counts.waitingPulls > 0)
        item.pull = pull->second;
    return item;
}

/// The first delivery without an ack above the floor is what holds it.
QString LaneFeed::floorNote(const fold::ConsumerView& consumer) const
{
    const fold::StreamView* view = m_live.stream(m_stream);
    const quint64 floor = consumer.counts.floorStreamSeq.value();
    const quint64 delivered = consumer.counts.deliveredStreamSeq.value();
    if (!view || consumer.ackPolicy == AckPolicy::None || consumer.counts.ackPending == 0)
        return {};
    const int column = view->cells.column(consumer.id);
    for (quint64 seq = floor + 1; seq <= delivered && seq <= floor + kFloorScan; ++seq) {
        const fold::Cell* cell = view->cells.cell(column, seq);
        if (!cell || !cell->known)
            return {};
        if (!holdsFloor(cell->state))
            continue;
        if (cell->state == DeliveryState::RedeliveryDue)
            return tr("floor waits for %1 (due again)").arg(seq);
        if (cell->deadline == 0)
            return tr("floor waits for %1").arg(seq);
        return tr("floor waits for %1 (delivery %2, back at %3)")
            .arg(text::count(seq),
                text::count(cell->deliveries),
                text::clockTime(cell->deadline).left(8));
    }
    return {};
}

const items::StreamCell* LaneFeed::streamCell(quint64 seq) const
{
    const fold::StreamView* view = m_live.stream(m_stream);
    const fold::Row* row = view ? view->cells.row(seq) : nullptr;
    if (!row || !row->known)
        return nullptr;
    items::StreamCell* cell = m_streamCells.next();
    cell->stored = row->stored;
    cell->removal = static_cast<items::RemovalCause>(row->removal);
    cell->hue = row->stored ? m_hues.hue(row->subjectHash) : 0;
    cell->size = row->size;
    cell->time = row->time;
    cell->subject = row->subject;
    cell->tag = row->subject.isEmpty() ? QString() : m_hues.tag(row->subjectHash, row->subject);
    return cell;
}

const items::LaneCell* LaneFeed::laneCell(int lane, quint64 seq) const
{
    const fold::StreamView* view = m_live.stream(m_stream);
    if (!view || lane < 0 || lane >= static_cast<int>(m_consumers.size()))
        return nullptr;
    const ConsumerId consumer = m_consumers[static_cast<std::size_t>(lane)];
    const fold::Cell* known = view->cells.cell(view->cells.column(consumer), seq);
    if (!known || !known->known)
        return nullptr;
    items::LaneCell* cell = m_laneCells.next();
    cell->state = cellState(known->state, seq, m_lanes[static_cast<std::size_t>(lane)].ackFloor);
    cell->deliveries = known->deliveries;
    cell->overridden = m_clients.isOverride(known->client);
    cell->since = known->since;
    cell->deadline = known->deadline;
    cell->holder = static_cast<quint32>(known->client);
    const fold::Row* row = view->cells.row(seq);
    if (row && row->known && !row->stored
        && text::leftUnsettled(known->state, known->client, row->removal))
        *cell = items::LaneCell{}; // nothing but the removal is left to show
    return cell;
}

QString LaneFeed::clientName(quint32 client) const
{
    return m_clients.nameOf(ClientId(client));
}

void LaneFeed::request(quint64 first, quint64 last)
{
    m_wantedFirst = std::max(first, lowest());
    m_wantedLast = std::min<quint64>(last, m_last);
    if (!m_asked && !m_askTimer.isActive())
        m_askTimer.start(0);
}

bool LaneFeed::isMissing(const fold::StreamView& view, quint64 seq) const
{
    const fold::Row* row = view.cells.row(seq);
    if (!row || !row->known || (row->stored && row->subject.isEmpty()))
        return true;
    return std::any_of(m_consumers.begin(), m_consumers.end(), [&view, seq](ConsumerId id) {
        const fold::Cell* cell = view.cells.cell(view.cells.column(id), seq);
        return !cell || !cell->known;
    });
}

void LaneFeed::askMissing()
{
    m_askTimer.setInterval(kAskPauseMs);
    const fold::StreamView* view = m_live.stream(m_stream);
    if (!view || m_asked || m_live.source().isSummarizing())
        return;
    const quint64 to = std::min<quint64>(m_wantedLast, m_last);
    quint64 first = std::max(m_wantedFirst, lowest());
    while (first <= to && !isMissing(*view, first))
        ++first;
    if (first > to)
        return;
    quint64 last = std::min<quint64>(to, first + kAskAtMost - 1);
    while (last > first && !isMissing(*view, last))
        --last;
    ask(first, last);
}

void LaneFeed::ask(quint64 first, quint64 last)
{
    if (m_asked || first > last)
        return;
    m_asked = true;
    RangeQuestion question;
    question.stream = m_stream;
    question.first = StreamSeq(first);
    question.last = StreamSeq(std::min<quint64>(last, first + kAskAtMost - 1));
    m_live.source().ask(question, this, [this, stream = m_stream](const RangeAnswer& answer) {
        m_asked = false;
        if (stream == m_stream && answer.found)
            m_live.take(stream, answer);
        if (!m_askTimer.isActive())
            m_askTimer.start();
    });
}

void LaneFeed::askPulls()
{
    const StreamOverview* stream = m_live.source().stream(m_stream);
    if (!stream)
        return;
    for (const ConsumerOverview& consumer : stream->consumers) {
        if (consumer.config.isPush() || consumer.counts.waitingPulls == 0)
            continue;
        m_live.source().askPulls(m_stream,
            consumer.id,
            this,
            [this, id = consumer.id, at = m_stream](const PullsAnswer& answer) {
                if (at == m_stream)
                    updatePull(id, answer);
            });
    }
}

void LaneFeed::updatePull(ConsumerId consumer, const PullsAnswer& answer)
{
    QString line;
    if (!answer.rows.empty()) {
        const PullRow& first = answer.rows.front();
        line = first.expires > 0
            ? tr("pull: %1 left · %2")
                  .arg(text::count(first.batchLeft), text::duration(first.expires - now()))
            : tr("pull: %1 left").arg(text::count(first.batchLeft));
        if (answer.rows.size() > 1)
            line += QStringLiteral(" · +%1").arg(answer.rows.size() - 1);
    }
    m_pulls[consumer] = line;
    updateTexts();
}

std::shared_ptr<const items::DensityStrip> LaneFeed::density(
    quint64 first, quint64 last, int columns)
{
    return m_density.strip(first, last, columns);
}

qint64 LaneFeed::now() const
{
    return m_live.source().now();
}

} // namespace jetglass::models
