// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/flow_source.h"

#include <algorithm>

namespace jetglass::sources {

const StreamOverview* FlowSource::stream(StreamId id) const
{
    const auto& all = m_overview->streams;
    const auto it =
        std::find_if(all.begin(), all.end(), [id](const StreamOverview& s) { return s.id == id; });
    return it == all.end() ? nullptr : &*it;
}

const StreamOverview* FlowSource::stream(const QString& name) const
{
    const auto& all = m_overview->streams;
    const std::string wanted = name.toStdString();
    const auto it = std::find_if(
        all.begin(), all.end(), [&wanted](const StreamOverview& s) { return s.name == wanted; });
    return it == all.end() ? nullptr : &*it;
}

const ConsumerOverview* FlowSource::consumer(StreamId streamId, ConsumerId id) const
{
    const StreamOverview* found = stream(streamId);
    if (!found)
        return nullptr;
    const auto it = std::find_if(found->consumers.begin(),
        found->consumers.end(),
        [id](const ConsumerOverview& c) { return c.id == id; });
    return it == found->consumers.end() ? nullptr : &*it;
}

void FlowSource::setOverview(std::shared_ptr<const BrokerOverview> overview)
{
    m_overview = std::move(overview);
    emit overviewChanged();
}

} // namespace jetglass::sources
