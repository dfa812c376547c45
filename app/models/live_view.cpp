// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/live_view.h"

#include <algorithm>

namespace jetglass::models {

using sources::FlowSource;

LiveView::LiveView(FlowSource& source, QObject* parent)
    : QObject(parent)
    , m_source(source)
{
    connect(&source, &FlowSource::eventsReady, this, [this](const std::vector<FlowEvent>& events) {
        announce(m_fold.apply(events));
    });
    connect(&source, &FlowSource::overviewChanged, this, [this] {
        fold::Changes changes = m_fold.applyOverview(*m_source.overview());
        for (const auto& [id, watchers] : m_watchers)
            m_fold.watch(id, watchers > 0);
        announce(changes);
    });
    connect(&source, &FlowSource::eventsSkipped, this, [this] { announce(m_fold.forgetCells()); });
    m_fold.applyOverview(*source.overview());
}

void LiveView::watch(StreamId id)
{
    if (++m_watchers[id] == 1)
        m_fold.watch(id, true);
}

void LiveView::unwatch(StreamId id)
{
    const auto found = m_watchers.find(id);
    if (found == m_watchers.end() || --found->second > 0)
        return;
    m_watchers.erase(found);
    m_fold.watch(id, false);
}

void LiveView::take(StreamId id, const RangeAnswer& answer)
{
    announce(m_fold.applyRange(id, answer));
}

void LiveView::announce(const fold::Changes& changes)
{
    const bool structure = std::any_of(
        changes.begin(), changes.end(), [](const auto& entry) { return entry.second.structure; });
    if (structure)
        emit structureChanged();
    for (const auto& [id, change] : changes) {
        if (change.counts)
            emit countsChanged(id);
        if (change.hasCells && change.first <= change.last)
            emit cellsChanged(id, change.first, change.last);
    }
}

} // namespace jetglass::models
