// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/chart_feed.h"

#include <QDateTime>
#include <QTimer>

#include <algorithm>

namespace jetglass::models {

namespace {

constexpr qint64 kSpanMs = 1000;

double perSecond(quint64 now, quint64 before, qint64 ms)
{
    return now <= before || ms <= 0
        ? 0.0
        : static_cast<double>(now - before) * 1000.0 / static_cast<double>(ms);
}

} // namespace

ChartFeed::ChartFeed(LiveView& live, QObject* parent)
    : QObject(parent)
    , m_live(live)
    , m_sampledMs(QDateTime::currentMSecsSinceEpoch())
    , m_begunAt(live.source().now())
{
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] { sample(QDateTime::currentMSecsSinceEpoch()); });
    timer->start(kSampleMs);
}

const std::deque<items::RateSample>& ChartFeed::rates(StreamId stream) const
{
    static const std::deque<items::RateSample> kNone;
    const auto it = m_tracks.find(stream);
    return it == m_tracks.end() ? kNone : it->second.rates;
}

const std::deque<items::PendingSample>& ChartFeed::pending(StreamId stream) const
{
    static const std::deque<items::PendingSample> kNone;
    const auto it = m_tracks.find(stream);
    return it == m_tracks.end() ? kNone : it->second.pending;
}

std::vector<ConsumerId> ChartFeed::consumers(StreamId stream) const
{
    const auto it = m_tracks.find(stream);
    return it == m_tracks.end() ? std::vector<ConsumerId>{} : it->second.consumers;
}

void ChartFeed::sample(qint64 nowMs)
{
    const auto overview = m_live.source().overview();
    sampleServer(overview->server, nowMs);
    for (auto it = m_tracks.begin(); it != m_tracks.end();) {
        const bool lives = m_live.source().stream(it->first) != nullptr;
        it = lives ? std::next(it) : m_tracks.erase(it);
    }
    for (const StreamOverview& stream : overview->streams) {
        if (m_tracks.size() < kMaxStreams || m_tracks.contains(stream.id))
            sampleStream(stream, nowMs);
    }
    m_sampledMs = nowMs;
    emit sampled();
}

/// Acks and messages are counted from their events: deliveries count redeliveries as well, and
/// sequences jump when a purge says so. While summarizing the
/// fold stands still and the overview's cursors tell: what was delivered once and is not open is
/// settled.
ChartFeed::Counters ChartFeed::count(const StreamOverview& stream, qint64 nowMs) const
{
    Counters now;
    now.atMs = nowMs;
    const bool summary = m_live.source().isSummarizing();
    const fold::StreamView* view = m_live.stream(stream.id);
    // From the first sequence on, so that both ways of counting begin alike.
    const quint64 skipped = std::max<quint64>(stream.config.firstSeq, 1) - 1;
    const quint64 last = stream.counts.last.value();
    now.stored = view && !summary ? view->stored : last - std::min(last, skipped);
    for (const ConsumerOverview& consumer : stream.consumers) {
        const fold::ConsumerView* seen = m_live.consumer(consumer.id);
        const ConsumerCounts& counts = seen && !summary ? seen->counts : consumer.counts;
        now.delivered += counts.deliveredConsumerSeq.value();
        if (!summary)
            continue;
        const quint64 once = counts.deliveredStreamSeq.value();
        now.acked += seen && seen->filtered ? counts.floorConsumerSeq.value()
                                            : once - std::min<quint64>(counts.ackPending, once);
    }
    if (!summary)
        now.acked = view ? view->acked : 0;
    return now;
}

void ChartFeed::sampleStream(const StreamOverview& stream, qint64 nowMs)
{
    Track& track = m_tracks[stream.id];
    const bool summary = m_live.source().isSummarizing();
    if (track.summary != summary)
        track.marks.clear(); // counted in another way from here on
    track.summary = summary;
    const Counters now = count(stream, nowMs);
    // What a new stream has came since the last sample, which may have been too early to see it.
    if (track.marks.empty() && track.rates.empty() && stream.created > m_begunAt) {
        Counters none;
        none.atMs = m_sampledMs;
        track.marks.push_back(none);
    }
    while (track.marks.size() > 1 && nowMs - track.marks[1].atMs >= kSpanMs)
        track.marks.pop_front();
    if (!track.marks.empty()) {
        const Counters& before = track.marks.front();
        const qint64 ms = nowMs - before.atMs;
        track.rates.push_back({nowMs,
            perSecond(now.stored, before.stored, ms),
            perSecond(now.delivered, before.delivered, ms),
            perSecond(now.acked, before.acked, ms)});
    }
    track.marks.push_back(now);
    std::vector<ConsumerId> ids;
    items::PendingSample pending;
    pending.time = nowMs;
    for (const ConsumerOverview& consumer : stream.consumers) {
        ids.push_back(consumer.id);
        const fold::ConsumerView* view = m_live.consumer(consumer.id);
        const ConsumerCounts& counts = view ? view->counts : consumer.counts;
        pending.values.push_back(static_cast<double>(counts.pending + counts.ackPending));
    }
    if (ids != track.consumers) {
        track.consumers = ids;
        track.pending.clear();
        emit seriesChanged(stream.id);
    }
    track.pending.push_back(std::move(pending));
    while (track.rates.size() > kKept)
        track.rates.pop_front();
    while (track.pending.size() > kKept)
        track.pending.pop_front();
}

void ChartFeed::sampleServer(const ServerCounts& counts, qint64 nowMs)
{
    if (nowMs - m_beforeMs < kSpanMs)
        return;
    if (m_beforeMs != 0) {
        m_in = perSecond(counts.inMsgs, m_before.inMsgs, nowMs - m_beforeMs);
        m_out = perSecond(counts.outMsgs, m_before.outMsgs, nowMs - m_beforeMs);
    }
    m_before = counts;
    m_beforeMs = nowMs;
}

} // namespace jetglass::models
