// SPDX-License-Identifier: GPL-3.0-or-later
// The consumer of a link at an origin with work-queue or interest retention: it makes the origin
// keep what has not been copied yet and let go of what has. It is asked for as any client would, by
// the API, so that everybody sees it and an origin behind a prefix is reached the same way.
#include "base/base64.h"
#include "base/json.h"
#include "base/nuid.h"
#include "streams/api_error.h"
#include "streams/json_text.h"
#include "streams/stream.h"
#include "streams/upstream_link.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kAnswerTime = 30'000'000'000;
constexpr std::int64_t kIdleHeartbeat = 1'000'000'000;
constexpr int kSubjectLength = 8;

} // namespace

std::string UpstreamLink::apiSubject(std::string_view call) const
{
    const std::string prefix = m_source.external ? m_source.external->api : "$JS.API";
    return prefix + "." + std::string(call) + "." + m_source.name + "." + consumerName();
}

/// The same after every start. Two sources of one origin differ by what they select.
std::string UpstreamLink::consumerName() const
{
    const Context& context = m_copy.context();
    std::string id = m_copy.name() + " " + context.account;
    if (!context.settings.domain.empty())
        id += " " + context.settings.domain;
    id = base::shortHash(id);
    if (m_mirror)
        return "JS_MIRROR_" + id;
    const std::vector<StreamSource>& all = m_copy.config().sources;
    if (std::count_if(all.begin(),
            all.end(),
            [this](const StreamSource& other) { return other.name == m_source.name; })
        > 1)
        id += " " + m_index;
    return "JS_SRC_" + base::shortHash(id);
}

std::string UpstreamLink::consumerRequest(Stream& origin) const
{
    const Context& context = m_copy.context();
    const std::string name = consumerName();
    const std::string kind = m_mirror ? "_nats.mirror." : "_nats.src.";
    Json metadata = {{kind + "stream", m_copy.name()}, {kind + "acc", context.account}};
    if (!context.settings.domain.empty())
        metadata[kind + "domain"] = context.settings.domain;
    Json config = {{"durable_name", name},
        {"name", name},
        {"deliver_subject", (m_mirror ? "$JS.M." : "$JS.S.") + base::randomName(kSubjectLength)},
        {"ack_policy", "flow_control"},
        {"flow_control", true},
        {"idle_heartbeat", kIdleHeartbeat},
        {"sourcing", true},
        {"metadata", std::move(metadata)}};
    if (m_filter.patterns().size() == 1)
        config["filter_subject"] = m_filter.patterns().front();
    else if (!m_filter.matchesAll())
        config["filter_subjects"] = m_filter.patterns();
    const ConsumerPort* known = origin.consumer(name);
    const bool fresh = !known;
    if (known) {
        // Where it began is settled, and it goes on listening where it did.
        config["deliver_subject"] = known->config().deliverSubject;
        if (known->config().deliverPolicy == DeliverPolicy::ByStartSequence) {
            config["deliver_policy"] = "by_start_sequence";
            config["opt_start_seq"] = known->config().optStartSeq;
        }
    } else if (const StreamSeq start = startAt(origin);
               start > std::max(origin.store().state().first, StreamSeq(1))) {
        config["deliver_policy"] = "by_start_sequence";
        config["opt_start_seq"] = start.value();
    }
    if (fresh && !config.contains("deliver_policy"))
        config["deliver_policy"] = "all";
    return encodeJson({{"stream_name", m_source.name}, {"config", std::move(config)}});
}

void UpstreamLink::askForConsumer(Stream& origin)
{
    Context& context = m_copy.context();
    m_consumer = consumerName();
    m_asked = true;
    const std::string reply = "_INBOX." + base::nuid();
    m_answer = context.bus.subscribe(reply, {}, *this);
    m_timer.arm(context.clock.now() + kAnswerTime);
    const std::string body = consumerRequest(origin);
    context.bus.publish({apiSubject("CONSUMER.CREATE"), reply, {}, body});
}

void UpstreamLink::onMessage(const Inbound& message)
{
    if (!std::exchange(m_asked, false))
        return;
    m_timer.disarm();
    const Json answer = base::parseJson(message.payload);
    Stream* origin = findOrigin().stream;
    if (answer.is_object() && !answer.contains("error") && origin)
        return attach(*origin);
    m_error = errors::streamNotFound();
    if (answer.is_object() && answer.contains("error") && answer["error"].is_object()) {
        const Json& error = answer["error"];
        m_error = Error::api(error.value("code", 500),
            error.value("err_code", 0),
            error.value("description", std::string()));
    }
    ++m_fails;
    retry();
}

/// What is stored here may leave the origin.
void UpstreamLink::tellConsumer()
{
    if (m_consumer.empty() || !m_origin)
        return;
    if (ConsumerPort* consumer = m_origin->consumer(m_consumer))
        return consumer->onCopied(m_next - 1);
    // Somebody has deleted it; it is made again.
    detach();
    retry();
}

/// As if the consumer of a link that needs none had been asked for, or that its going had been.
void UpstreamLink::countRequest(bool failed) const
{
    const Context& context = m_copy.context();
    if (context.requestCounted && !m_source.external)
        context.requestCounted(failed);
}

void UpstreamLink::leave()
{
    if (m_consumer.empty()) {
        if (m_origin != nullptr)
            countRequest(true); // the reference server asks under a name that nobody has
        return;
    }
    m_copy.context().bus.publish({apiSubject("CONSUMER.DELETE"), {}, {}, {}});
}

} // namespace jetglass::streams
