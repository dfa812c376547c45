// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/advisories.h"

#include "base/nuid.h"
#include "base/time_text.h"
#include "streams/context.h"
#include "streams/json_decode.h"

#include <nlohmann/json.hpp>

namespace jetglass::consumers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kAdvisory = "$JS.EVENT.ADVISORY.CONSUMER.";
constexpr std::string_view kAdvisoryType = "io.nats.jetstream.advisory.v1.";
constexpr std::string_view kMetric = "$JS.EVENT.METRIC.CONSUMER.";
constexpr std::string_view kMetricType = "io.nats.jetstream.metric.v1.";

Json head(streams::Context& context, std::string_view family, std::string_view type)
{
    Json body;
    body["type"] = std::string(family) + std::string(type);
    body["id"] = base::nuid();
    body["timestamp"] = base::rfc3339(context.clock.wallTime());
    return body;
}

void name(Json& body, const ConsumerRef& who)
{
    body["stream"] = who.stream;
    body["consumer"] = who.consumer;
}

void publish(streams::Context& context,
    std::string_view front,
    std::string_view event,
    const ConsumerRef& who,
    Json body)
{
    if (!context.settings.domain.empty())
        body["domain"] = context.settings.domain;
    std::string subject(front);
    subject.append(event).append(".").append(who.stream).append(".").append(who.consumer);
    context.bus.publish({subject, {}, {}, streams::encodeJson(body)});
}

void publishAction(streams::Context& context,
    std::string_view event,
    const ConsumerRef& who,
    std::string_view action)
{
    Json body = head(context, kAdvisoryType, "consumer_action");
    name(body, who);
    body["action"] = action;
    publish(context, kAdvisory, event, who, std::move(body));
}

void number(Json& body, const DeliveryRef& delivery)
{
    body["consumer_seq"] = delivery.consumerSeq.value();
    body["stream_seq"] = delivery.seq.value();
}

} // namespace

void publishCreated(streams::Context& context, const ConsumerRef& who)
{
    publishAction(context, "CREATED", who, "create");
}

void publishDeleted(streams::Context& context, const ConsumerRef& who)
{
    publishAction(context, "DELETED", who, "delete");
}

void publishPause(
    streams::Context& context, const ConsumerRef& who, bool paused, std::string_view until)
{
    Json body = head(context, kAdvisoryType, "consumer_pause");
    name(body, who);
    body["paused"] = paused;
    body["pause_until"] = until.empty() ? base::kZeroTimeText : until;
    publish(context, kAdvisory, "PAUSE", who, std::move(body));
}

void publishMaxDeliveries(
    streams::Context& context, const ConsumerRef& who, StreamSeq seq, std::uint64_t deliveries)
{
    Json body = head(context, kAdvisoryType, "max_deliver");
    name(body, who);
    body["stream_seq"] = seq.value();
    body["deliveries"] = deliveries;
    publish(context, kAdvisory, "MAX_DELIVERIES", who, std::move(body));
}

void publishNaked(streams::Context& context, const ConsumerRef& who, const DeliveryRef& delivery)
{
    Json body = head(context, kAdvisoryType, "nak");
    name(body, who);
    number(body, delivery);
    body["deliveries"] = delivery.deliveries;
    publish(context, kAdvisory, "MSG_NAKED", who, std::move(body));
}

void publishTerminated(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::string_view reason)
{
    Json body = head(context, kAdvisoryType, "terminated");
    name(body, who);
    number(body, delivery);
    body["deliveries"] = delivery.deliveries;
    if (!reason.empty())
        body["reason"] = reason;
    publish(context, kAdvisory, "MSG_TERMINATED", who, std::move(body));
}

void publishPinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view pinId)
{
    Json body = head(context, kAdvisoryType, "consumer_group_pinned");
    body["account"] = context.account;
    name(body, who);
    body["group"] = group;
    body["pinned_id"] = pinId;
    publish(context, kAdvisory, "PINNED", who, std::move(body));
}

void publishUnpinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view reason)
{
    Json body = head(context, kAdvisoryType, "consumer_group_unpinned");
    body["account"] = context.account;
    name(body, who);
    body["group"] = group;
    body["reason"] = reason;
    publish(context, kAdvisory, "UNPINNED", who, std::move(body));
}

void publishAckMetric(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::int64_t ackTime)
{
    Json body = head(context, kMetricType, "consumer_ack");
    name(body, who);
    number(body, delivery);
    body["ack_time"] = ackTime;
    body["deliveries"] = delivery.deliveries;
    publish(context, kMetric, "ACK", who, std::move(body));
}

} // namespace jetglass::consumers
