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

/// One message: its subject and the members that all have. Nothing is built when nobody wants it.
class Message
{
public:
    Message(streams::Context& context,
        std::string_view front,
        std::string_view event,
        const ConsumerRef& who)
        : m_context(context)
        , m_subject(front)
    {
        m_subject.append(event).append(".").append(who.stream).append(".").append(who.consumer);
        m_wanted = context.wanted(m_subject);
    }
    [[nodiscard]] bool wanted() const { return m_wanted; }
    Json begin(std::string_view family, std::string_view type, const ConsumerRef& who) const
    {
        Json body;
        body["type"] = std::string(family) + std::string(type);
        body["id"] = base::nuid();
        body["timestamp"] = base::rfc3339(m_context.clock.wallTime());
        body["stream"] = who.stream;
        body["consumer"] = who.consumer;
        return body;
    }
    void send(Json body) const
    {
        if (!m_context.settings.domain.empty())
            body["domain"] = m_context.settings.domain;
        m_context.bus.publish({m_subject, {}, {}, streams::encodeJson(body)});
    }

private:
    streams::Context& m_context;
    std::string m_subject;
    bool m_wanted = false;
};

void publishAction(streams::Context& context,
    std::string_view event,
    const ConsumerRef& who,
    std::string_view action)
{
    const Message message(context, kAdvisory, event, who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "consumer_action", who);
    body["action"] = action;
    message.send(std::move(body));
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
    const Message message(context, kAdvisory, "PAUSE", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "consumer_pause", who);
    body["paused"] = paused;
    body["pause_until"] = until.empty() ? base::kZeroTimeText : until;
    message.send(std::move(body));
}

void publishMaxDeliveries(
    streams::Context& context, const ConsumerRef& who, StreamSeq seq, std::uint64_t deliveries)
{
    const Message message(context, kAdvisory, "MAX_DELIVERIES", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "max_deliver", who);
    body["stream_seq"] = seq.value();
    body["deliveries"] = deliveries;
    message.send(std::move(body));
}

void publishNaked(streams::Context& context, const ConsumerRef& who, const DeliveryRef& delivery)
{
    const Message message(context, kAdvisory, "MSG_NAKED", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "nak", who);
    number(body, delivery);
    body["deliveries"] = delivery.deliveries;
    message.send(std::move(body));
}

void publishTerminated(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::string_view reason)
{
    const Message message(context, kAdvisory, "MSG_TERMINATED", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "terminated", who);
    number(body, delivery);
    body["deliveries"] = delivery.deliveries;
    if (!reason.empty())
        body["reason"] = reason;
    message.send(std::move(body));
}

void publishPinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view pinId)
{
    const Message message(context, kAdvisory, "PINNED", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "consumer_group_pinned", who);
    body["account"] = context.account;
    body["group"] = group;
    body["pinned_id"] = pinId;
    message.send(std::move(body));
}

void publishUnpinned(streams::Context& context,
    const ConsumerRef& who,
    std::string_view group,
    std::string_view reason)
{
    const Message message(context, kAdvisory, "UNPINNED", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kAdvisoryType, "consumer_group_unpinned", who);
    body["account"] = context.account;
    body["group"] = group;
    body["reason"] = reason;
    message.send(std::move(body));
}

void publishAckMetric(streams::Context& context,
    const ConsumerRef& who,
    const DeliveryRef& delivery,
    std::int64_t ackTime)
{
    const Message message(context, kMetric, "ACK", who);
    if (!message.wanted())
        return;
    Json body = message.begin(kMetricType, "consumer_ack", who);
    number(body, delivery);
    body["ack_time"] = ackTime;
    body["deliveries"] = delivery.deliveries;
    message.send(std::move(body));
}

} // namespace jetglass::consumers
