// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/question_cost.h"

namespace jetglass::tests {

std::size_t bytesOf(const RangeAnswer& answer)
{
    std::size_t bytes = sizeof answer;
    for (const RangeRow& row : answer.rows)
        bytes += sizeof row + row.subject.size() + row.cells.size() * sizeof(DeliveryCell);
    return bytes;
}

std::size_t bytesOf(const DensityAnswer& answer)
{
    return sizeof answer + answer.columns.size() * sizeof(DensityColumn)
        + answer.counts.size() * sizeof(std::uint64_t);
}

std::size_t bytesOf(const MessageAnswer& answer)
{
    std::size_t bytes = sizeof answer;
    for (const MessageRow& row : answer.rows)
        bytes += sizeof row + row.subject.size() + row.headers.size() + row.payload.size();
    return bytes;
}

std::size_t bytesOf(const ExplainAnswer& answer)
{
    return sizeof answer + answer.conditions.size() * sizeof(ConditionReport);
}

std::size_t bytesOf(const BrokerOverview& overview)
{
    std::size_t bytes = sizeof overview;
    for (const StreamOverview& each : overview.streams)
        bytes += sizeof each + each.consumers.size() * sizeof(ConsumerOverview);
    return bytes;
}

} // namespace jetglass::tests
