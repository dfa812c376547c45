// SPDX-License-Identifier: GPL-3.0-or-later
#include "queries/lookup.h"

#include "consumers/consumer.h"
#include "streams/stream.h"

namespace jetglass::queries {

consumers::Consumer* findConsumer(streams::Stream& stream, ConsumerId id)
{
    for (streams::ConsumerPort* port : stream.consumers())
        if (port->id() == id)
            return static_cast<consumers::Consumer*>(port);
    return nullptr;
}

std::vector<consumers::Consumer*> selectConsumers(
    streams::Stream& stream, const std::vector<ConsumerId>& ids)
{
    std::vector<consumers::Consumer*> selected;
    if (ids.empty()) {
        for (streams::ConsumerPort* port : stream.consumers())
            selected.push_back(static_cast<consumers::Consumer*>(port));
        return selected;
    }
    for (const ConsumerId id : ids)
        if (consumers::Consumer* consumer = findConsumer(stream, id))
            selected.push_back(consumer);
    return selected;
}

subjects::SubjectFilter filterOf(const std::string& pattern)
{
    return pattern.empty() ? subjects::SubjectFilter() : subjects::SubjectFilter({pattern});
}

} // namespace jetglass::queries
