// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/client_directory.h"
#include "models/live_view.h"
#include "models/name_book.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <deque>
#include <set>
#include <utility>

namespace jetglass::models {

/// What happened, newest first, in words. Bounded; a frame's news is one insert. Texts are built
/// when asked for.
class EventLogModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int kMaxRows = 5000;
    enum Column
    {
        TimeColumn,
        WhereColumn,
        SeqColumn,
        EventColumn,
        DetailColumn,
        ColumnCount
    };
    enum Role
    {
        ToneRole = Qt::UserRole + 1,
        SeqRole,
        StreamRole,
        ConsumerRole,
        NumberRole
    };
    /// Groups that can be shown or hidden.
    enum Group
    {
        Messages = 1,
        Deliveries = 2,
        Requests = 4,
        Assets = 8,
        Details = 16
    };
    Q_DECLARE_FLAGS(Groups, Group)

    EventLogModel(LiveView& live, ClientDirectory& clients, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(
        const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

    void setGroups(Groups groups);
    [[nodiscard]] Groups groups() const { return m_groups; }
    /// 0 = all streams, all consumers.
    void setScope(StreamId stream, ConsumerId consumer = {});
    /// 0 = every sequence.
    void setSequence(StreamSeq seq);
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    void clear();
    void retranslate();

    static Group groupOf(FlowKind kind);

private:
    void take(const std::vector<FlowEvent>& events);
    void showNews();
    [[nodiscard]] bool accepts(const FlowEvent& event) const;
    void rebuild();
    [[nodiscard]] const FlowEvent& at(int row) const;
    [[nodiscard]] QString eventText(const FlowEvent& event) const;
    [[nodiscard]] QString where(const FlowEvent& event) const;
    [[nodiscard]] QString detail(const FlowEvent& event) const;
    [[nodiscard]] QString deliveryDetail(const FlowEvent& event) const;
    [[nodiscard]] QString requestDetail(const FlowEvent& event) const;
    void trim();
    void noteDelays(const std::vector<FlowEvent>& events);

    LiveView& m_live;
    ClientDirectory& m_clients;
    NameBook m_names;
    std::deque<FlowEvent> m_all; ///< oldest first; what a changed filter looks through
    std::deque<FlowEvent> m_shown; ///< oldest first
    std::vector<FlowEvent> m_news; ///< accepted, not shown yet
    QTimer m_gather;
    std::set<std::pair<ConsumerId, StreamSeq>> m_parked; ///< nak'd with a delay that still runs
    std::set<std::uint64_t> m_delayOver; ///< numbers of the events that ended such a delay
    Groups m_groups = Groups(Messages | Deliveries | Requests | Assets);
    StreamId m_stream{};
    ConsumerId m_consumer{};
    StreamSeq m_seq;
    bool m_paused = false;
};

} // namespace jetglass::models
