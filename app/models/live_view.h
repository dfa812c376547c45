// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fold/flow_fold.h"
#include "sources/flow_source.h"

#include <QObject>

namespace jetglass::models {

/// The window's state: one fold over one source, shared by all feeds and models. GUI thread.
class LiveView final : public QObject
{
    Q_OBJECT
public:
    explicit LiveView(sources::FlowSource& source, QObject* parent = nullptr);

    [[nodiscard]] sources::FlowSource& source() const { return m_source; }
    [[nodiscard]] const fold::StreamView* stream(StreamId id) const { return m_fold.stream(id); }
    [[nodiscard]] const fold::ConsumerView* consumer(ConsumerId id) const
    {
        return m_fold.consumer(id);
    }
    /// Watching is counted: every watch() needs its unwatch().
    void watch(StreamId id);
    void unwatch(StreamId id);
    /// Hands a range answer to the fold and announces what it changed.
    void take(StreamId id, const RangeAnswer& answer);

signals:
    void structureChanged();
    void countsChanged(jetglass::StreamId stream);
    void cellsChanged(jetglass::StreamId stream, quint64 first, quint64 last);

private:
    void announce(const fold::Changes& changes);

    sources::FlowSource& m_source;
    fold::FlowFold m_fold;
    std::unordered_map<StreamId, int> m_watchers;
};

} // namespace jetglass::models
