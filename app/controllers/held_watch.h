// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/consume_controller.h"
#include "sources/flow_source.h"

#include <set>

namespace jetglass::controllers {

/// Keeps the list of held messages true to what the broker has. The client that fetched them is
/// told nothing when a message is purged or its consumer deleted, so the source is asked.
class HeldWatch : public QObject
{
    Q_OBJECT
public:
    HeldWatch(
        ConsumeController& controller, sources::FlowSource& source, QObject* parent = nullptr);

private:
    void takeEvents(const std::vector<FlowEvent>& events);
    void takeOverview();
    void want(StreamId stream);
    void askNext();
    void askFrom(StreamId stream, quint64 first);
    void takeAnswer(StreamId stream, const RangeAnswer& answer);

    ConsumeController& m_controller;
    sources::FlowSource& m_source;
    std::set<StreamId> m_wanted; ///< streams that something has left since they were asked about
    bool m_asking = false;
};

} // namespace jetglass::controllers
