// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/explain.h"
#include "broker/message_query.h"
#include "broker/overview_query.h"
#include "broker/preview.h"
#include "broker/range_query.h"

#include <vector>

namespace jetglass::flow {
class FlowHub;
}
namespace jetglass::streams {
class StreamRegistry;
}

/// The questions of broker/broker.h, answered from the state of the streams and consumers of one
/// account. Broker thread, between two turns. Nothing is changed by asking, but that the list of
/// removals learns of damage found since. No answer takes more than about a millisecond or 256 KiB:
/// larger ones end early and say where to go on.
namespace jetglass::queries {

[[nodiscard]] RangeAnswer answer(
    const RangeQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
/// All that fits into an answer at once, whatever it takes: see DensityInquiry.
[[nodiscard]] DensityAnswer answer(
    const DensityQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
[[nodiscard]] MessageAnswer answer(
    const MessageQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
[[nodiscard]] ExplainAnswer answer(
    const ExplainQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
/// All at once, whatever it takes: see PreviewInquiry.
[[nodiscard]] PreviewAnswer answer(
    const PreviewQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
[[nodiscard]] RemovalsAnswer answer(
    const RemovalsQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub);
[[nodiscard]] DedupAnswer answerDedup(StreamId stream, streams::StreamRegistry& registry);
[[nodiscard]] PullsAnswer answerPulls(
    StreamId stream, ConsumerId consumer, streams::StreamRegistry& registry);
/// Streams by name with their consumers: BrokerOverview::streams.
[[nodiscard]] std::vector<StreamOverview> overview(streams::StreamRegistry& registry);

} // namespace jetglass::queries
