// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::streams {
struct Context;
}

/// The messages in which a consumer tells what happened to it (consumers.md 10). They are published
/// in the account like any message, so that streams can capture them.
namespace jetglass::consumers {

struct ConsumerRef
{
    std::string_view stream;
    std::string_view consumer;
};

/// The delivery that an advisory speaks of, as in its ack subject.
struct DeliveryRef
{
    StreamSeq seq;
    ConsumerSeq consumerSeq;
    std::uint64_t deliveries = 0;
};

/// Why a delivery has ended whose message left the stream.
inline constexpr std::string_view kMessageDeleted = "Unacknowledged message was deleted";

void publishCreated(streams::Context& context, const ConsumerRef& who);
void publishDeleted(streams::Context& context, const ConsumerRef& who);
/// \a until as the configuration has it, empty = none.
void publishPause(
    streams::Context& context, const ConsumerRef& who, bool paused, std::string_view until);
void publishMaxDeliveries(
    streams::Context& context, const ConsumerRef& who, StreamSeq seq, std::uint64_t deliveries);
void publishNaked(streams::Context& context, const ConsumerRef& who, const DeliveryRef& delivery);
void publishTerminated(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::string_view reason);
void publishPinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view pinId);
void publishUnpinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view reason);
/// The metric of a sampled ack; \a ackTime in ns.
void publishAckMetric(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::int64_t ackTime);

} // namespace jetglass::consumers
