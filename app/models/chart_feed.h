// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/chart_item.h"
#include "models/live_view.h"

#include <QHash>

#include <deque>

namespace jetglass::models {

/// Rates and pending counts of one stream over time, four samples a second. Kept for every stream,
/// so that choosing another one shows its past.
class ChartFeed final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSampleMs = 250;
    static constexpr std::size_t kKept = 1200; ///< five minutes
    static constexpr std::size_t kMaxStreams = 200; ///< with history; newest looked at are kept

    explicit ChartFeed(LiveView& live, QObject* parent = nullptr);

    [[nodiscard]] const std::deque<items::RateSample>& rates(StreamId stream) const;
    [[nodiscard]] const std::deque<items::PendingSample>& pending(StreamId stream) const;
    /// The consumers that values of pending() belong to, in order.
    [[nodiscard]] std::vector<ConsumerId> consumers(StreamId stream) const;
    /// Messages per second in and out of the whole server, from the last second.
    [[nodiscard]] double inPerSecond() const { return m_in; }
    [[nodiscard]] double outPerSecond() const { return m_out; }

    /// Takes one sample now; the timer does it four times a second.
    void sample(qint64 nowMs);

signals:
    void sampled();
    void seriesChanged(jetglass::StreamId stream); ///< other consumers: values start anew

private:
    struct Counters
    {
        quint64 stored = 0;
        quint64 delivered = 0;
        quint64 acked = 0;
        qint64 atMs = 0;
    };
    struct Track
    {
        std::deque<Counters> marks; ///< the last second, for smooth rates
        std::deque<items::RateSample> rates;
        std::deque<items::PendingSample> pending;
        std::vector<ConsumerId> consumers;
        bool summary = false;
    };
    [[nodiscard]] Counters count(const StreamOverview& stream, qint64 nowMs) const;
    void sampleStream(const StreamOverview& stream, qint64 nowMs);
    void sampleServer(const ServerCounts& counts, qint64 nowMs);

    LiveView& m_live;
    std::unordered_map<StreamId, Track> m_tracks;
    ServerCounts m_before;
    qint64 m_beforeMs = 0;
    qint64 m_sampledMs; ///< of the last sample; before the first: when it began
    qint64 m_begunAt; ///< when this began, by the broker: wall ns
    double m_in = 0;
    double m_out = 0;
};

} // namespace jetglass::models
