// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_source.h"

#include <functional>
#include <vector>

namespace jetglass::tests {

/// A lane source made of plain functions of the sequence, so that a stream of any length costs
/// nothing.
class SampleLanes : public items::LaneSource
{
    Q_OBJECT

public:
    using StreamRule = std::function<items::StreamCell(quint64)>;
    using LaneRule = std::function<items::LaneCell(quint64)>;

    explicit SampleLanes(QObject* parent = nullptr);

    void setBounds(quint64 first, quint64 last);
    void setStream(items::StreamItem item, StreamRule rule);
    void addLane(items::LaneItem item, LaneRule rule);
    void updateLane(int lane, const items::LaneItem& item);
    void setLoaded(quint64 first, quint64 last); ///< others answer null
    void setNow(qint64 now) { m_now = now; }
    void setClockRuns(bool runs) { m_clockRuns = runs; }

    [[nodiscard]] const items::StreamItem& stream() const override { return m_stream; }
    [[nodiscard]] const std::vector<items::LaneItem>& lanes() const override { return m_lanes; }
    [[nodiscard]] quint64 firstSeq() const override { return m_first; }
    [[nodiscard]] quint64 lastSeq() const override { return m_last; }
    [[nodiscard]] const items::StreamCell* streamCell(quint64 seq) const override;
    [[nodiscard]] const items::LaneCell* laneCell(int lane, quint64 seq) const override;
    [[nodiscard]] QString clientName(quint32 client) const override;
    void request(quint64 first, quint64 last) override;
    [[nodiscard]] std::shared_ptr<const items::DensityStrip> density(
        quint64 first, quint64 last, int columns) override;
    [[nodiscard]] qint64 now() const override { return m_now; }
    [[nodiscard]] bool clockRuns() const override { return m_clockRuns; }

    int requests = 0;
    quint64 requestedFirst = 0;
    quint64 requestedLast = 0;

private:
    items::StreamItem m_stream;
    StreamRule m_streamRule;
    std::vector<items::LaneItem> m_lanes;
    std::vector<LaneRule> m_rules;
    quint64 m_first = 1;
    quint64 m_last = 0;
    quint64 m_loadedFirst = 0;
    quint64 m_loadedLast = ~quint64{0};
    qint64 m_now = 1'700'000'000'000'000'000;
    bool m_clockRuns = false;
    mutable std::vector<items::StreamCell> m_streamCells; ///< ring by sequence
    mutable std::vector<std::vector<items::LaneCell>> m_laneCells;
    mutable std::vector<quint64> m_known;
    std::shared_ptr<const items::DensityStrip> m_strip; ///< the newest answer
};

/// The orders stream with three consumers in all states; sequences 27..55.
void fillOrders(SampleLanes& lanes);
/// A stream of \a count messages with four consumers, for zoomed-out views and benchmarks.
void fillLarge(SampleLanes& lanes, quint64 count, int laneCount);

} // namespace jetglass::tests
