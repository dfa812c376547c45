// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/overview_query.h"

#include <QString>

#include <unordered_map>

namespace jetglass::models {

/// Names of streams and consumers by number, those that are gone included: a log still speaks of
/// them.
class NameBook
{
public:
    void learn(const BrokerOverview& overview)
    {
        for (const StreamOverview& stream : overview.streams) {
            m_streams[stream.id] = QString::fromStdString(stream.name);
            for (const ConsumerOverview& consumer : stream.consumers)
                m_consumers[consumer.id] = QString::fromStdString(consumer.name);
        }
    }
    [[nodiscard]] QString stream(StreamId id) const
    {
        const auto it = m_streams.find(id);
        return it == m_streams.end() ? QString() : it->second;
    }
    [[nodiscard]] QString consumer(ConsumerId id) const
    {
        const auto it = m_consumers.find(id);
        return it == m_consumers.end() ? QString() : it->second;
    }

private:
    std::unordered_map<StreamId, QString> m_streams;
    std::unordered_map<ConsumerId, QString> m_consumers;
};

} // namespace jetglass::models
