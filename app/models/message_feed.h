// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/page_source.h"
#include "models/live_view.h"
#include "models/subject_hues.h"

#include <QTimer>

#include <map>
#include <vector>

namespace jetglass::models {

/// Rows of the message table from message questions. Without a filter a row's position is its
/// sequence and gaps are rows of their own; with a filter (a subject pattern) matches are collected
/// in order as far as somebody looked.
class MessageFeed final : public items::PageSource
{
    Q_OBJECT
public:
    MessageFeed(LiveView& live, SubjectHues& hues, QObject* parent = nullptr);

    void setStream(StreamId stream);
    void setFilter(const QString& pattern);
    [[nodiscard]] QString filter() const { return m_filter; }
    /// With a filter: whether the stream has been read to its end.
    [[nodiscard]] bool isComplete() const { return m_filter.isEmpty() || m_scanDone; }

    [[nodiscard]] quint64 firstPosition() const override;
    [[nodiscard]] quint64 lastPosition() const override;
    [[nodiscard]] const items::MessageItem* row(quint64 position) const override;
    void request(quint64 first, quint64 last) override;
    [[nodiscard]] std::optional<quint64> seqAt(quint64 position) const override;
    [[nodiscard]] std::optional<quint64> positionOf(quint64 seq) const override;

private:
    using Rows = std::map<quint64, items::MessageItem>;

    void clear();
    void askPage();
    void askGaps(quint64 first, quint64 last);
    void scanOn();
    void takePage(const MessageAnswer& answer, quint64 first, quint64 last);
    void takeMatches(const MessageAnswer& answer);
    void takeEvents(const std::vector<FlowEvent>& events);
    void removed(const FlowEvent& event);
    void removeLeftSince(quint64 lastEvent);
    void removeMatches(quint64 first, quint64 last);
    [[nodiscard]] items::MessageItem item(const MessageRow& row);
    [[nodiscard]] QString note(const MessageRow& row) const;
    void trim();
    void updateBounds();

    LiveView& m_live;
    StreamId m_stream{};
    QString m_filter;
    Rows m_rows; ///< by sequence
    std::vector<quint64> m_matches; ///< sequences in order, with a filter only
    quint64 m_first = 1;
    quint64 m_last = 0;
    quint64 m_wantedFirst = 1;
    quint64 m_wantedLast = 0;
    quint64 m_scanNext = 0;
    bool m_scanDone = false;
    bool m_asked = false;
    /// What left while a question was under way: its answer may still bring it.
    std::vector<FlowEvent> m_leftMeanwhile;
    quint64 m_generation = 0; ///< answers to an older stream or filter are dropped
    SubjectHues& m_hues;
    QTimer m_askTimer;
};

} // namespace jetglass::models
