// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/retention.h"

namespace jetglass::streams {
namespace {

std::uint64_t unsignedLimit(std::int64_t limit)
{
    return limit > 0 ? static_cast<std::uint64_t>(limit) : 0;
}

std::uint64_t over(std::int64_t limit, std::uint64_t value)
{
    const std::uint64_t allowed = unsignedLimit(limit);
    return allowed != 0 && value > allowed ? value - allowed : 0;
}

} // namespace

bool subjectIsFull(const StreamConfig& config, std::uint64_t subjectCount)
{
    return config.maxMsgsPerSubject > 0 && subjectCount >= unsignedLimit(config.maxMsgsPerSubject);
}

const char* refusedByLimits(
    const StreamConfig& config, const store::StoreState& state, const Arrival& arrival)
{
    if (config.discard != Discard::New)
        return nullptr;
    const bool replaces = subjectIsFull(config, arrival.subjectCount);
    if (replaces && config.discardNewPerSubject && !arrival.rollup)
        return "maximum messages per subject exceeded";
    if (config.maxMsgs > 0 && state.messages >= unsignedLimit(config.maxMsgs) && !replaces)
        return "maximum messages exceeded";
    if (config.maxBytes > 0 && state.bytes + arrival.size > unsignedLimit(config.maxBytes)
        && !(replaces && arrival.oldestOfSubject >= arrival.size))
        return "maximum bytes exceeded";
    return nullptr;
}

std::uint64_t excessOfSubject(const StreamConfig& config, std::uint64_t subjectCount)
{
    return over(config.maxMsgsPerSubject, subjectCount);
}

std::uint64_t excessMessages(const StreamConfig& config, std::uint64_t messages)
{
    return config.discard == Discard::Old ? over(config.maxMsgs, messages) : 0;
}

std::uint64_t excessBytes(const StreamConfig& config, std::uint64_t bytes)
{
    return config.discard == Discard::Old ? over(config.maxBytes, bytes) : 0;
}

std::optional<std::int64_t> ageCutoff(const StreamConfig& config, std::int64_t wallTime)
{
    if (config.maxAge <= 0)
        return {};
    return wallTime - config.maxAge;
}

} // namespace jetglass::streams
