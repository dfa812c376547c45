// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_source.h"
#include "models/client_directory.h"
#include "models/density_feed.h"
#include "models/item_arena.h"
#include "models/live_view.h"
#include "models/subject_hues.h"

#include <QTimer>

namespace jetglass::models {

/// One stream and its consumers as the lane view draws them: cells from the fold, and range
/// questions for what the fold does not know (older messages, filtered consumers, subjects).
class LaneFeed final : public items::LaneSource
{
    Q_OBJECT
public:
    LaneFeed(
        LiveView& live, ClientDirectory& clients, SubjectHues& hues, QObject* parent = nullptr);
    ~LaneFeed() override;

    void setStream(StreamId stream);
    [[nodiscard]] StreamId streamId() const { return m_stream; }
    [[nodiscard]] ConsumerId consumerAt(int lane) const;
    [[nodiscard]] int laneOf(ConsumerId consumer) const; ///< -1 = none
    void retranslate();

    [[nodiscard]] const items::StreamItem& stream() const override { return m_streamItem; }
    [[nodiscard]] const std::vector<items::LaneItem>& lanes() const override { return m_lanes; }
    [[nodiscard]] quint64 firstSeq() const override { return m_first; }
    [[nodiscard]] quint64 lastSeq() const override { return m_last; }
    [[nodiscard]] const items::StreamCell* streamCell(quint64 seq) const override;
    [[nodiscard]] const items::LaneCell* laneCell(int lane, quint64 seq) const override;
    [[nodiscard]] QString clientName(quint32 client) const override;
    void request(quint64 first, quint64 last) override;
    [[nodiscard]] std::shared_ptr<const items::DensityStrip> density(
        quint64 first, quint64 last, int columns) override;
    [[nodiscard]] qint64 now() const override;

private:
    void rebuildLanes();
    void updateTexts();
    void updateBounds();
    [[nodiscard]] quint64 lowest() const;
    [[nodiscard]] items::StreamItem streamItem(const StreamOverview& stream) const;
    [[nodiscard]] items::LaneItem laneItem(const ConsumerOverview& consumer) const;
    [[nodiscard]] QString floorNote(const fold::ConsumerView& consumer) const;
    [[nodiscard]] bool isMissing(const fold::StreamView& view, quint64 seq) const;
    void askMissing();
    void ask(quint64 first, quint64 last);
    void askPulls();
    void updatePull(ConsumerId consumer, const PullsAnswer& answer);

    LiveView& m_live;
    ClientDirectory& m_clients;
    DensityFeed m_density;
    StreamId m_stream{};
    items::StreamItem m_streamItem;
    std::vector<items::LaneItem> m_lanes;
    std::vector<ConsumerId> m_consumers;
    std::unordered_map<ConsumerId, QString> m_pulls;
    quint64 m_first = 1;
    quint64 m_last = 0;
    quint64 m_wantedFirst = 0;
    quint64 m_wantedLast = 0;
    bool m_asked = false;
    QTimer m_askTimer;
    SubjectHues& m_hues;
    mutable ItemArena<items::StreamCell> m_streamCells;
    mutable ItemArena<items::LaneCell> m_laneCells;
};

} // namespace jetglass::models
